// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace lockscope {

/// What a refusal for lack of permission is about, as far as the server's text says so: its words differ by version, and a
/// proxy has its own.
struct Refusal
{
    enum class About : quint8 { Unknown, Command, Key, Channel };

    About about = About::Unknown;
    QByteArray command; ///< the command that the text names ("getrange", "client|tracking"); empty: none

    friend bool operator==(const Refusal &, const Refusal &) = default;
};

/// Reads the text of an error of ErrorKind::NoPermission. Pure.
Refusal refusalFrom(QByteArrayView text);

} // namespace lockscope

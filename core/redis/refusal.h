// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace lockscope {

/// Details of a permission error, as far as its text has them: the wording depends on version and proxy.
struct Refusal
{
    enum class About : quint8 { Unknown, Command, Key, Channel };

    About about = About::Unknown;
    QByteArray command; ///< in the text ("getrange", "client|tracking"); empty: none

    friend bool operator==(const Refusal &, const Refusal &) = default;
};

/// Reads the text of an error of ErrorKind::NoPermission. Pure.
Refusal refusalFrom(QByteArrayView text);

} // namespace lockscope

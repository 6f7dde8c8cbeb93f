// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace lockscope {

/// A field of a reply to INFO or CLUSTER INFO, at most `longest` bytes; empty if missing.
QByteArray infoField(const QByteArray &info, QByteArrayView name, qsizetype longest = 64);
/// A numeric field; absent also if not a number.
std::optional<qint64> infoNumber(const QByteArray &info, QByteArrayView name);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace lockscope {

/// A field of a reply to INFO, or to CLUSTER INFO, 64 bytes at most; empty where it is not there.
QByteArray infoField(const QByteArray &info, QByteArrayView name);
/// nullopt also where it is no number.
std::optional<qint64> infoNumber(const QByteArray &info, QByteArrayView name);

} // namespace lockscope

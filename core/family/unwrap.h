// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>
#include <utility>

namespace lockscope {

/// The text in a codec's serialization of one string: JSON, PHP, igbinary, Java, pickle (protocols 2 to 5),
/// MessagePack. Absent for anything else, or if the length is wrong. A view of the value; escapes are kept.
/// Pure.
std::optional<QByteArrayView> unwrapped(QByteArrayView value);

/// The fields of a JSON object as bytes, numbers as digits. Empty if the text is no object or longer than 4
/// KiB.
QList<std::pair<QByteArray, QByteArray>> jsonFields(QByteArrayView text);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <optional>
#include <utility>

namespace lockscope {

/// The text in a value that a codec wrote of one string: JSON, PHP's serializer, igbinary, Java's serialization, Python's
/// pickle (protocols 2 to 5), MessagePack. Nothing where the value is anything else, of another length than it says
/// included. A view of the value's own bytes; escapes in them stay as they are. Pure.
std::optional<QByteArrayView> unwrapped(QByteArrayView value);

/// A JSON object's fields as bytes; of a number its digits. Empty where the text is none, or longer than 4 KiB.
QList<std::pair<QByteArray, QByteArray>> jsonFields(QByteArrayView text);

} // namespace lockscope

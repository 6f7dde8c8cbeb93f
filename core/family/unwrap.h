// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <optional>

namespace lockscope {

/// The text in a value that a codec wrote of one string: JSON, PHP's serializer, igbinary, Java's serialization, Python's
/// pickle (protocols 2 to 5), MessagePack. Nothing where the value is anything else, of another length than it says
/// included. A view of the value's own bytes; escapes in them stay as they are. Pure.
std::optional<QByteArrayView> unwrapped(QByteArrayView value);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <bitset>
#include <memory>

namespace lockscope {

/// The number of slots of a cluster.
constexpr int slotCount = 16384;

/// The slot of a key: CRC16 (XMODEM) of the bytes between its first '{' and the next '}', or of the whole key
/// if there are none. Pure.
int slotOf(QByteArrayView key);

using SlotSet = std::bitset<slotCount>;
/// Slots shared between values; absent: depends on the owner.
using SharedSlots = std::shared_ptr<const SlotSet>;

inline bool isSameSet(const SharedSlots &a, const SharedSlots &b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace lockscope

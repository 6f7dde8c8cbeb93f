// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <bitset>
#include <memory>

namespace lockscope {

/// A cluster's keys are divided into so many slots.
constexpr int slotCount = 16384;

/// The slot of a key: CRC16 (XMODEM) of the bytes between its first '{' and the next '}', of the whole key where there is
/// nothing between them. Pure.
int slotOf(QByteArrayView key);

using SlotSet = std::bitset<slotCount>;
/// Of values that share it; absent: no slot, or what its owner says.
using SharedSlots = std::shared_ptr<const SlotSet>;

inline bool isSameSet(const SharedSlots &a, const SharedSlots &b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace lockscope

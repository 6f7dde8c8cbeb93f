// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/slotindex.h"

#include <algorithm>
#include <utility>

namespace lockscope {

/// Where the key's slot stands, or would stand.
size_t SlotIndex::placeOf(const LockKey &key) const
{
    size_t place = homeOf(key);
    while (m_table[place] != nowhere && keyOf(m_table[place]) != key)
        place = next(place);
    return place;
}

void SlotIndex::insert(Slot slot)
{
    if (2 * (size_t(m_size) + 1) > m_table.size())
        grow();
    m_table[placeOf(keyOf(slot))] = slot;
    ++m_size;
}

void SlotIndex::remove(Slot slot)
{
    size_t hole = placeOf(keyOf(slot));
    --m_size;
    // Those behind it that were pushed on move up, so that a search never meets a hole on its way.
    for (size_t place = next(hole); m_table[place] != nowhere; place = next(place)) {
        const size_t mask = m_table.size() - 1;
        const size_t home = homeOf(keyOf(m_table[place]));
        if (((place - home) & mask) >= ((place - hole) & mask))
            m_table[std::exchange(hole, place)] = m_table[place];
    }
    m_table[hole] = nowhere;
}

void SlotIndex::grow()
{
    const std::vector<Slot> before =
        std::exchange(m_table, std::vector<Slot>(std::max<size_t>(16, 2 * m_table.size()), nowhere));
    for (const Slot slot : before) {
        if (slot != nowhere)
            m_table[placeOf(keyOf(slot))] = slot;
    }
}

} // namespace lockscope

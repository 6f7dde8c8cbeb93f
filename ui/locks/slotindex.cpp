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

std::vector<SlotIndex::Slot> SlotIndex::findAll(const QList<WatchedLock> &sought) const
{
    std::vector<Slot> found(size_t(sought.size()), nowhere);
    if (m_table.empty())
        return found;
    // Nearly all of the time is waiting for memory. Step by step for a portion at a time, it is waited for together.
    constexpr qsizetype portion = 128;
    for (qsizetype begin = 0; begin < sought.size(); begin += portion) {
        const qsizetype end = std::min(begin + portion, sought.size());
        for (qsizetype i = begin; i < end; ++i)
            __builtin_prefetch(sought[i].key().bytes.constData());
        for (qsizetype i = begin; i < end; ++i)
            found[size_t(i)] = static_cast<Slot>(homeOf(sought[i].key()));
        for (qsizetype i = begin; i < end; ++i)
            found[size_t(i)] = m_table[size_t(found[size_t(i)])];
        for (qsizetype i = begin; i < end; ++i) {
            if (found[size_t(i)] == nowhere)
                continue;
            const auto *lock = &m_locks[size_t(found[size_t(i)])];
            __builtin_prefetch(lock, 1);
            __builtin_prefetch(&lock->renewals, 1);
        }
        for (qsizetype i = begin; i < end; ++i) {
            Slot &slot = found[size_t(i)];
            if (slot != nowhere && keyOf(slot) != sought[i].key())
                slot = find(sought[i].key());
        }
    }
    return found;
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

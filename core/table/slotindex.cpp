// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/slotindex.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace lockscope {

/// Returns the place of the key's slot, or the empty place for it.
size_t SlotIndex::placeOf(const LockKey &key, quint32 hash) const
{
    size_t place = homeOf(hash);
    while (m_table[place].slot != nowhere &&
           (m_table[place].hash != hash || keyOf(m_table[place].slot) != key))
        place = next(place);
    return place;
}

/// Calls `take` with the place of each key, prefetched into the cache.
template <typename Sought, typename KeyOf, typename Take>
void SlotIndex::findEach(const QList<Sought> &sought, KeyOf soughtKey, Take take) const
{
    if (m_table.empty())
        return;
    // Nearly all of the time is waiting for memory. Step by step for a portion at a time, it is waited for together.
    constexpr qsizetype portion = 128;
    std::array<quint32, portion> hashes{};
    for (qsizetype begin = 0; begin < sought.size(); begin += portion) {
        const qsizetype end = std::min(begin + portion, sought.size());
        for (qsizetype i = begin; i < end; ++i)
            __builtin_prefetch(soughtKey(sought[i]).bytes.constData());
        for (qsizetype i = begin; i < end; ++i) {
            quint32 &hash = hashes[size_t(i - begin)];
            hash = hashOf(soughtKey(sought[i]));
            __builtin_prefetch(&m_table[homeOf(hash)]);
        }
        for (qsizetype i = begin; i < end; ++i) {
            const Slot slot = m_table[homeOf(hashes[size_t(i - begin)])].slot;
            if (slot != nowhere)
                __builtin_prefetch(&keyOf(slot));
        }
        for (qsizetype i = begin; i < end; ++i) {
            const Slot slot = m_table[homeOf(hashes[size_t(i - begin)])].slot;
            if (slot != nowhere)
                __builtin_prefetch(keyOf(slot).bytes.constData());
        }
        for (qsizetype i = begin; i < end; ++i)
            take(i, placeOf(soughtKey(sought[i]), hashes[size_t(i - begin)]));
    }
}

std::vector<SlotIndex::Slot> SlotIndex::findAll(const QList<WatchedLock> &locks) const
{
    std::vector<Slot> found(size_t(locks.size()), nowhere);
    findEach(
        locks, [](const WatchedLock &lock) -> const LockKey & { return lock.key(); },
        [&](qsizetype i, size_t place) { found[size_t(i)] = m_table[place].slot; });
    return found;
}

std::vector<SlotIndex::Slot> SlotIndex::removeAll(const QList<LockKey> &keys)
{
    std::vector<Slot> removed;
    removed.reserve(size_t(keys.size()));
    findEach(keys, std::identity(), [&](qsizetype, size_t place) {
        if (m_table[place].slot == nowhere)
            return;
        removed.push_back(m_table[place].slot);
        removeAt(place);
    });
    return removed;
}

void SlotIndex::insert(Slot slot)
{
    if (2 * (size_t(m_size) + 1) > m_table.size())
        grow();
    const quint32 hash = hashOf(keyOf(slot));
    m_table[placeOf(keyOf(slot), hash)] = {slot, hash};
    ++m_size;
}

void SlotIndex::removeAt(size_t place)
{
    size_t hole = place;
    --m_size;
    // Those behind it that were pushed on move up, so that a search never meets a hole on its way.
    for (place = next(hole); m_table[place].slot != nowhere; place = next(place)) {
        const size_t mask = m_table.size() - 1;
        const size_t home = homeOf(m_table[place].hash);
        if (((place - home) & mask) >= ((place - hole) & mask))
            m_table[std::exchange(hole, place)] = m_table[place];
    }
    m_table[hole] = {};
}

void SlotIndex::grow()
{
    const std::vector<Entry> before =
        std::exchange(m_table, std::vector<Entry>(std::max<size_t>(16, 2 * m_table.size())));
    for (const Entry &entry : before) {
        if (entry.slot == nowhere)
            continue;
        size_t place = homeOf(entry.hash); // no key is there twice
        while (m_table[place].slot != nowhere)
            place = next(place);
        m_table[place] = entry;
    }
}

} // namespace lockscope

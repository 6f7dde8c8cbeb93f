// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <vector>

namespace lockscope {

/// Finds the slot of a key without keeping the key once more: a table of slots, hashed by the keys of the locks that lie
/// there. A QHash of keys takes five times the room.
class SlotIndex
{
public:
    using Slot = int;
    static constexpr Slot nowhere = -1;

    /// `locks`, by slot, must outlive this.
    explicit SlotIndex(const std::vector<WatchedLock> &locks) : m_locks(locks) {}

    Slot find(const LockKey &key) const { return m_table.empty() ? nowhere : m_table[placeOf(key)]; }
    /// find() for each of many, several times as fast.
    std::vector<Slot> findAll(const QList<WatchedLock> &sought) const;
    /// The lock must lie in its slot, and no other of this key may be known.
    void insert(Slot slot);
    /// While the lock still lies in its slot.
    void remove(Slot slot);
    int size() const { return m_size; }

private:
    const LockKey &keyOf(Slot slot) const { return m_locks[size_t(slot)].key(); }
    size_t homeOf(const LockKey &key) const { return qHash(key, m_seed) & (m_table.size() - 1); }
    size_t next(size_t place) const { return (place + 1) & (m_table.size() - 1); }
    size_t placeOf(const LockKey &key) const;
    void grow();

    const std::vector<WatchedLock> &m_locks;
    std::vector<Slot> m_table; ///< a power of two, at most half full
    int m_size = 0;
    size_t m_seed = QHashSeed::globalSeed(); ///< keys are chosen by others
};

} // namespace lockscope

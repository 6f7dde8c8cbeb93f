// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <vector>

namespace lockscope {

/// Finds the slot of a key without a copy of the key: a hash table of slots. A QHash of keys takes five times
/// the memory.
class SlotIndex
{
public:
    using Slot = int;
    static constexpr Slot nowhere = -1;

    /// `locks`, by slot, must outlive this.
    explicit SlotIndex(const std::vector<WatchedLock> &locks) : m_locks(locks) {}

    Slot find(const LockKey &key) const
    {
        return m_table.empty() ? nowhere : m_table[placeOf(key, hashOf(key))].slot;
    }
    /// Same result as find() for each lock, several times as fast.
    std::vector<Slot> findAll(const QList<WatchedLock> &locks) const;
    /// Adds a slot that holds its lock; the key must be new.
    void insert(Slot slot);
    /// Removes keys and returns the slots of known keys, in order. The locks must still lie there.
    std::vector<Slot> removeAll(const QList<LockKey> &keys);
    int size() const { return m_size; }

private:
    /// A slot with the hash of its key, which saves a read of the key itself.
    struct Entry
    {
        Slot slot = nowhere;
        quint32 hash = 0;
    };

    const LockKey &keyOf(Slot slot) const { return m_locks[size_t(slot)].key(); }
    quint32 hashOf(const LockKey &key) const { return static_cast<quint32>(qHash(key, m_seed)); }
    size_t homeOf(quint32 hash) const { return hash & (m_table.size() - 1); }
    size_t next(size_t place) const { return (place + 1) & (m_table.size() - 1); }
    size_t placeOf(const LockKey &key, quint32 hash) const;
    template <typename Sought, typename KeyOf, typename Take>
    void findEach(const QList<Sought> &sought, KeyOf soughtKey, Take take) const;
    void removeAt(size_t place);
    void grow();

    const std::vector<WatchedLock> &m_locks;
    std::vector<Entry> m_table; ///< size is a power of two, at most half full
    int m_size = 0;
    size_t m_seed = QHashSeed::globalSeed(); ///< keys may be hostile
};

} // namespace lockscope

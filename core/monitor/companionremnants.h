// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>
#include <QList>

#include <optional>

namespace lockscope {

/// Companion state that outlives its lock: kept for a while in case the lock returns; a fair lock's queue,
/// until it is empty or confirmed as orphaned.
class CompanionRemnants
{
public:
    /// Keeps the companion state of a lock that is gone.
    void keep(const Lock &lock, TimePoint now);
    /// Removes and returns the companion state for a lock that has returned.
    CompanionStatePtr takeState(const LockKey &key);
    /// Records the queue of an unknown fair lock, found by a scan.
    void recordQueue(const LockAddress &lock, Family family, TimePoint now);

    /// Fair locks that are gone, but whose queues had waiters at the last reading.
    QList<Lock> orphanCandidates(qsizetype max) const;
    /// Updates a candidate with its companion keys.
    void apply(const LockKey &key, const CompanionState &companions, TimePoint now);
    /// Candidates whose queues still exist: they are orphans if their keys hold no lock when read now.
    QList<LockKey> takeSuspectedOrphans();
    /// Removes and returns a suspected orphan whose key was read and holds no lock. Absent for all other
    /// keys.
    std::optional<Lock> takeOrphan(const LockKey &key, TimePoint now);

    void forget(const LockKey &key);
    void clear();

private:
    struct Remnant
    {
        Lock lock;
        TimePoint at;
        int readings = 0; ///< readings of its queue with waiters
        bool isSuspected = false;
    };

    void dropExpired(TimePoint now);

    QHash<LockKey, Remnant> m_remnants;
    QList<LockKey> m_suspected;
    TimePoint m_tidiedAt;
};

} // namespace lockscope

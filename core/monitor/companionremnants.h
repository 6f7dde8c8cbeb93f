// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>
#include <QList>

#include <optional>

namespace lockscope {

/// Companion state that outlives its lock: for a while it is kept for the lock's return, and a fair lock's queue until it
/// is empty, or confirmed as an orphan.
class CompanionRemnants
{
public:
    /// A lock has gone: its companion state may still be there.
    void keep(const Lock &lock, TimePoint now);
    /// A lock is there again: its companion state as it was read last, which is no longer a remnant.
    CompanionStatePtr takeState(const LockKey &key);
    /// A scan has met the queue of a fair lock that is not known.
    void recordQueue(const LockAddress &lock, Family family, TimePoint now);

    /// Fair locks that are gone, with somebody in their queues at the last reading.
    QList<Lock> orphanCandidates(qsizetype max) const;
    /// The companion keys of a candidate were read again.
    void apply(const LockKey &key, const CompanionState &beside, TimePoint now);
    /// Candidates whose queues still stand: they are orphans if their keys are read now and hold no lock.
    QList<LockKey> takeSuspectedOrphans();
    /// The key of a suspected orphan was read and holds no lock: the orphan, which is no longer a remnant. Absent for all
    /// other keys.
    std::optional<Lock> takeOrphan(const LockKey &key, TimePoint now);

    void forget(const LockKey &key);
    void clear();

private:
    struct Remnant
    {
        Lock lock;
        TimePoint at;
        int readings = 0; ///< of its queue, with somebody in it
        bool isSuspected = false;
    };

    void dropExpired(TimePoint now);

    QHash<LockKey, Remnant> m_remnants;
    QList<LockKey> m_suspected;
    TimePoint m_tidiedAt;
};

} // namespace lockscope

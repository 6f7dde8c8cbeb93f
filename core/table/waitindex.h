// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace lockscope {

/// The waiters behind a lock: in its queue, or for a lock that one of them holds. Each is counted once.
struct BlockedWaiters
{
    qint64 count = 0;
    bool isExact = true; ///< false: at least `count`
    struct Wait
    {
        TimePoint since;                     ///< first seen
        CompactOptional<qint64> timeoutAtMs; ///< Waiter::timeoutAtMs

        friend bool operator==(const Wait &, const Wait &) = default;
    };
    QList<Wait> waits; ///< waiters known by ID

    /// Waiting times so far, as lower bounds, without timed-out waiters.
    struct Waited
    {
        milliseconds longest{0};
        milliseconds all{0};
    };
    /// Absent if no waiter is known by ID. `nowMs`: epoch ms of `now`.
    std::optional<Waited> waitedUntil(TimePoint now, qint64 nowMs) const;
    friend bool operator==(const BlockedWaiters &, const BlockedWaiters &) = default;
};

/// Index of the locks that have waiters and of the queues that each waiter is in. Updated by diffs: locks
/// without waiters cost nothing.
class WaitIndex
{
public:
    static const WaitIndex &none();

    /// Returns true if waits may have changed. `now`: when new waiters of the diff were seen.
    bool apply(const LockDiff &diff, TimePoint now);
    void restart(TimePoint now);

    const QHash<LockKey, WatchedLock> &waitedOn() const { return m_locks; }
    /// Returns nullptr if the lock has no known waiters.
    const WatchedLock *find(const LockKey &key) const;
    /// Returns the locks for which an identity of threadIdentity() waits, sorted; empty for an empty one.
    QList<LockKey> waitsOf(const QByteArray &identity) const;
    /// Returns the number of locks that the owners of this lock wait for; 0 if none is known.
    qint64 waitsFor(const Lock &lock) const;
    /// Returns 0, exact or not, if there are no known waiters. Cached until the next change.
    BlockedWaiters blockedBy(const Lock &lock) const;
    /// Returns the waiters behind several locks, each counted once. Locks without waiters may be omitted.
    BlockedWaiters blockedBy(const QList<LockKey> &locks) const { return count(locks); }
    /// Returns the waiter at a queue position, from 1, without the waiters behind it.
    BlockedWaiters waitOf(const LockKey &key, qint64 place) const;

private:
    using Since = QHash<OwnerId, TimePoint>;

    void remember(const WatchedLock &lock, const Since &before, TimePoint now);
    bool forget(const LockKey &key);
    BlockedWaiters count(const QList<LockKey> &locks) const;

    QHash<LockKey, WatchedLock> m_locks;
    QHash<LockKey, Since> m_since;            ///< by lock, then by waiter
    QHash<QByteArray, QSet<LockKey>> m_waits; ///< by waiter identity
    QHash<QByteArray, QSet<LockKey>> m_holds; ///< by owner identity
    mutable QHash<LockKey, BlockedWaiters> m_counted;
};

QList<QByteArray> identitiesOf(const Lock &lock);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace lockscope {

/// Those that wait behind a lock: in its queue, or for a lock that one of these holds itself. Each is counted once.
struct BlockedWaiters
{
    qint64 count = 0;
    bool isExact = true; ///< false: at least so many
    struct Wait
    {
        TimePoint since;                     ///< when it was first seen
        CompactOptional<qint64> timeoutAtMs; ///< as of a Waiter

        friend bool operator==(const Wait &, const Wait &) = default;
    };
    QList<Wait> waits; ///< of those that are known by name

    /// At least, without those whose time to wait is up.
    struct Waited
    {
        milliseconds longest{0};
        milliseconds all{0}; ///< together
    };
    /// Absent where nobody is known by name. `nowMs`: the same moment in epoch ms.
    std::optional<Waited> waitedUntil(TimePoint now, qint64 nowMs) const;
    friend bool operator==(const BlockedWaiters &, const BlockedWaiters &) = default;
};

/// The locks that somebody is known to wait for, and in which queues each one stands. Kept from what changes: a hundred
/// thousand locks that nobody waits for cost nothing.
class WaitIndex
{
public:
    /// One that follows no lock.
    static const WaitIndex &none();

    /// True where what is known of waits may have changed. `now`: when those that are new in a queue were seen.
    bool apply(const LockDiff &diff, TimePoint now);
    /// Who waits is not known to have waited before that.
    void restart(TimePoint now);

    const QHash<LockKey, WatchedLock> &waitedOn() const { return m_locks; }
    /// nullptr where nobody is known to wait for it.
    const WatchedLock *find(const LockKey &key) const;
    /// The locks in whose queues it stands, by name; `identity` as threadIdentity() has it. Empty for an empty one.
    QList<LockKey> waitsOf(const QByteArray &identity) const;
    /// For how many locks the owners of this one stand in a queue. 0: for none that is known.
    qint64 waitsFor(const Lock &lock) const;
    /// Exactly 0, or at least 0 where nobody is known to wait. Kept until the next change.
    BlockedWaiters blockedBy(const Lock &lock) const;
    /// The same of several locks together; those that nobody is known to wait for may be left out.
    BlockedWaiters blockedBy(const QList<LockKey> &locks) const { return count(locks); }
    /// Of the one at that place in the queue of a lock, from 1: itself alone.
    BlockedWaiters waitOf(const LockKey &key, qint64 place) const;

private:
    using Since = QHash<OwnerId, TimePoint>;

    void remember(const WatchedLock &lock, const Since &before, TimePoint now);
    bool forget(const LockKey &key);
    BlockedWaiters count(const QList<LockKey> &locks) const;

    QHash<LockKey, WatchedLock> m_locks;
    QHash<LockKey, Since> m_since;            ///< by the lock, then by the waiter
    QHash<QByteArray, QSet<LockKey>> m_waits; ///< by the waiter's identity
    QHash<QByteArray, QSet<LockKey>> m_holds; ///< by the owner's identity
    mutable QHash<LockKey, BlockedWaiters> m_counted;
};

/// The identities of those who hold a lock; without those that have none.
QList<QByteArray> identitiesOf(const Lock &lock);

} // namespace lockscope

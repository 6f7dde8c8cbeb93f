// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <QHash>
#include <QSet>

namespace lockscope {

/// The locks that somebody is known to wait for, and in which queues each one stands. Kept from what changes: a hundred
/// thousand locks that nobody waits for cost nothing.
class WaitIndex
{
public:
    /// True where what is known of waits may have changed.
    bool apply(const LockDiff &diff);

    const QHash<LockKey, WatchedLock> &waitedOn() const { return m_locks; }
    /// nullptr where nobody is known to wait for it.
    const WatchedLock *find(const LockKey &key) const;
    /// The locks in whose queues it stands, by name; `identity` as threadIdentity() has it. Empty for an empty one.
    QList<LockKey> waitsOf(const QByteArray &identity) const;

private:
    void remember(const WatchedLock &lock);
    bool forget(const LockKey &key);

    QHash<LockKey, WatchedLock> m_locks;
    QHash<QByteArray, QSet<LockKey>> m_waits; ///< by the waiter's identity
};

/// The identities of those who hold a lock; without those that have none.
QList<QByteArray> identitiesOf(const Lock &lock);

} // namespace lockscope

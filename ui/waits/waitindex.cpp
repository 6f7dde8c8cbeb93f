// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/waits/waitindex.h"

#include "core/family/ownerfacts.h"

#include <algorithm>

namespace lockscope {

bool WaitIndex::apply(const LockDiff &diff)
{
    bool isOther = false;
    for (const LockKey &key : diff.removed)
        isOther |= forget(key);
    for (const WatchedLock &lock : diff.changed) {
        const Waiters &waiters = lock.lock.beside->waiters;
        if (waiters.count <= 0) {
            isOther |= forget(lock.key());
            continue;
        }
        const WatchedLock *known = find(lock.key());
        // A renewal changes nothing that is shown of waits.
        isOther |= !known || known->lock.owners != lock.lock.owners ||
                   known->lock.beside->waiters != waiters || known->problems() != lock.problems();
        forget(lock.key());
        remember(lock);
    }
    return isOther;
}

void WaitIndex::remember(const WatchedLock &lock)
{
    m_locks.insert(lock.key(), lock);
    for (const Waiter &waiter : lock.lock.beside->waiters.queue) {
        if (const QByteArray identity = threadIdentity(lock.lock.family, waiter.id); !identity.isEmpty())
            m_waits[identity].insert(lock.key());
    }
}

bool WaitIndex::forget(const LockKey &key)
{
    const auto known = m_locks.constFind(key);
    if (known == m_locks.constEnd())
        return false;
    for (const Waiter &waiter : known->lock.beside->waiters.queue) {
        const auto waits = m_waits.find(threadIdentity(known->lock.family, waiter.id));
        if (waits == m_waits.end())
            continue;
        waits->remove(key);
        if (waits->isEmpty())
            m_waits.erase(waits);
    }
    m_locks.erase(known);
    return true;
}

const WatchedLock *WaitIndex::find(const LockKey &key) const
{
    const auto known = m_locks.constFind(key);
    return known == m_locks.constEnd() ? nullptr : &*known;
}

QList<LockKey> WaitIndex::waitsOf(const QByteArray &identity) const
{
    QList<LockKey> keys = identity.isEmpty() ? QList<LockKey>() : m_waits.value(identity).values();
    std::sort(keys.begin(), keys.end(), [](const LockKey &a, const LockKey &b) { return a.bytes < b.bytes; });
    return keys;
}

QList<QByteArray> identitiesOf(const Lock &lock)
{
    QList<QByteArray> identities;
    for (const LockOwner &holder : lock.owners) {
        if (const QByteArray identity = threadIdentity(lock.family, holder.owner); !identity.isEmpty())
            identities.append(identity);
    }
    return identities;
}

} // namespace lockscope

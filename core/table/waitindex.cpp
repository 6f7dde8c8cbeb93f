// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/waitindex.h"

#include "core/family/ownerfacts.h"

#include <algorithm>

namespace lockscope {

namespace {

/// Maximum number of locks to follow behind one; the count becomes a lower bound beyond it.
constexpr qsizetype maxFollowed = 256;

void removeFrom(QHash<QByteArray, QSet<LockKey>> &sets, const QByteArray &identity, const LockKey &key)
{
    const auto set = sets.find(identity);
    if (set == sets.end())
        return;
    set->remove(key);
    if (set->isEmpty())
        sets.erase(set);
}

} // namespace

std::optional<BlockedWaiters::Waited> BlockedWaiters::waitedUntil(TimePoint now, qint64 nowMs) const
{
    std::optional<Waited> waited;
    for (const Wait &wait : waits) {
        if (wait.timeoutAtMs && *wait.timeoutAtMs <= nowMs)
            continue;
        const auto each = std::chrono::duration_cast<milliseconds>(std::max(now, wait.since) - wait.since);
        const Waited before = waited.value_or(Waited());
        waited = {std::max(before.longest, each), before.all + each};
    }
    return waited;
}

const WaitIndex &WaitIndex::none()
{
    static const WaitIndex nothing;
    return nothing;
}

bool WaitIndex::apply(const LockDiff &diff, TimePoint now)
{
    bool isOther = false;
    for (const LockKey &key : diff.removed)
        isOther |= forget(key);
    for (const WatchedLock &lock : diff.changed) {
        const Waiters &waiters = lock.lock.companions->waiters;
        if (waiters.count <= 0) {
            isOther |= forget(lock.key());
            continue;
        }
        const WatchedLock *known = find(lock.key());
        // A renewal changes nothing that is shown of waits.
        isOther |= !known || known->lock.owners != lock.lock.owners ||
                   known->lock.companions->waiters != waiters || known->problems() != lock.problems();
        const Since before = m_since.value(lock.key());
        forget(lock.key());
        remember(lock, before, now);
    }
    if (isOther)
        m_counted.clear();
    return isOther;
}

void WaitIndex::restart(TimePoint now)
{
    for (Since &since : m_since) {
        for (TimePoint &each : since)
            each = now;
    }
    m_counted.clear();
}

void WaitIndex::remember(const WatchedLock &lock, const Since &before, TimePoint now)
{
    m_locks.insert(lock.key(), lock);
    Since since;
    for (const Waiter &waiter : lock.lock.companions->waiters.queue) {
        since.insert(waiter.id, before.value(waiter.id, now));
        if (const QByteArray identity = threadIdentity(lock.lock.family, waiter.id); !identity.isEmpty())
            m_waits[identity].insert(lock.key());
    }
    if (!since.isEmpty())
        m_since.insert(lock.key(), since);
    for (const QByteArray &identity : identitiesOf(lock.lock))
        m_holds[identity].insert(lock.key());
}

bool WaitIndex::forget(const LockKey &key)
{
    const auto known = m_locks.constFind(key);
    if (known == m_locks.constEnd())
        return false;
    for (const Waiter &waiter : known->lock.companions->waiters.queue)
        removeFrom(m_waits, threadIdentity(known->lock.family, waiter.id), key);
    for (const QByteArray &identity : identitiesOf(known->lock))
        removeFrom(m_holds, identity, key);
    m_since.remove(key);
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
    std::ranges::sort(keys, {}, &LockKey::bytes);
    return keys;
}

qint64 WaitIndex::waitsFor(const Lock &lock) const
{
    if (m_waits.isEmpty())
        return 0;
    QSet<LockKey> keys;
    for (const LockOwner &holder : lock.owners) {
        const auto waits = m_waits.constFind(threadIdentity(lock.family, holder.owner));
        if (waits != m_waits.constEnd())
            keys.unite(*waits);
    }
    return keys.size();
}

BlockedWaiters WaitIndex::blockedBy(const Lock &lock) const
{
    if (lock.companions->waiters.count <= 0 || !m_locks.contains(lock.key()))
        return {0, lock.companions->waiters.certainty == WaiterCertainty::Exact, {}};
    const auto counted = m_counted.constFind(lock.key());
    return counted != m_counted.constEnd() ? *counted : *m_counted.insert(lock.key(), count({lock.key()}));
}

/// Follows each lock once, so that a cycle ends.
BlockedWaiters WaitIndex::count(const QList<LockKey> &locks) const
{
    BlockedWaiters blocked;
    QList<LockKey> follow = locks;
    QSet<LockKey> followed(locks.begin(), locks.end());
    QSet<QByteArray> seen;
    for (qsizetype at = 0; at < follow.size(); ++at) {
        const auto lock = m_locks.constFind(follow[at]);
        if (lock == m_locks.constEnd())
            continue;
        const Since since = m_since.value(follow[at]);
        const Waiters &waiters = lock->lock.companions->waiters;
        blocked.isExact &=
            waiters.certainty == WaiterCertainty::Exact && waiters.count == waiters.queue.size();
        blocked.count += waiters.count;
        for (const Waiter &waiter : waiters.queue) {
            const QByteArray identity = threadIdentity(lock->lock.family, waiter.id);
            if (!identity.isEmpty() && seen.contains(identity)) {
                --blocked.count;
                continue;
            }
            blocked.waits.append({since.value(waiter.id), waiter.timeoutAtMs});
            if (identity.isEmpty()) { // what it holds is not known
                blocked.isExact = false;
                continue;
            }
            seen.insert(identity);
            for (const LockKey &held : m_holds.value(identity)) {
                if (followed.contains(held))
                    continue;
                if (follow.size() >= locks.size() - 1 + maxFollowed) {
                    blocked.isExact = false;
                    continue;
                }
                followed.insert(held);
                follow.append(held);
            }
        }
    }
    return blocked;
}

BlockedWaiters WaitIndex::waitOf(const LockKey &key, qint64 place) const
{
    const WatchedLock *lock = find(key);
    const QList<Waiter> &queue = lock ? lock->lock.companions->waiters.queue : QList<Waiter>();
    if (place < 1 || place > queue.size())
        return {0, false, {}};
    const Waiter &waiter = queue[place - 1];
    return {1, true, {{m_since[key][waiter.id], waiter.timeoutAtMs}}};
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

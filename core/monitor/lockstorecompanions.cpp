// SPDX-License-Identifier: GPL-3.0-or-later
// Companion keys and queues of the known locks.
#include "core/monitor/lockstore.h"

#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/recognize.h"
#include "core/read/companionreader.h"
#include "core/state/lockstate.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

bool LockStore::applyCompanions(const LockKey &key, const CompanionState &companions, TimePoint now)
{
    const auto found = m_locks.find(key);
    if (found == m_locks.end())
        return false;
    Lock &lock = found->second.watched.lock;
    if (found->second.isOrphan && companions.waiters.count == 0) { // nobody waits any more
        remove(found);
        return false;
    }
    CompanionState after = companions;
    after.keepKindOf(*lock.companions);
    // Where holders change from one reading to the next, so does the queue while nobody looks.
    if (std::exchange(found->second.isQueueOld, false) && after.waiters.certainty == WaiterCertainty::Exact)
        after.waiters.certainty = WaiterCertainty::AtLeast;
    if (after == *lock.companions)
        return true;
    const bool hadPermits = !lock.companions->freePermits.isEmpty();
    const bool isUsual = after.implied.isEmpty() && after.waiters.count == 0;
    Lock named = lock;
    if (after == CompanionState())
        named.companions = {};
    else if (isUsual && after == *m_usualCompanions)
        named.companions = m_usualCompanions;
    else
        named.companions = CompanionStatePtr(after);
    if (isUsual)
        m_usualCompanions = named.companions;
    m_diff.markChanged(found->first, found->second);
    refineFamily(named);
    if (!hadPermits || named.owners == lock.owners) { // another name is no event
        // That it is a lock, or none, is one: who was told of it would wait for its end.
        if (isNoLock(lock) != isNoLock(named))
            m_diff.addEvents({isNoLock(named) ? EventKind::Vanished : EventKind::Found}, named, now);
        countHidden(lock, -1);
        const bool tellsBegin = named.companions->startedMs && !lock.companions->startedMs;
        lock = std::move(named);
        if (tellsBegin)
            useStoredBegin(found->second.watched, QDateTime::currentMSecsSinceEpoch());
        countHidden(lock, 1);
        if (found->second.isIdle != isHidden(lock)) {
            m_order.remove(found->second);
            m_order.append(found->second, found->second.isPushed, now);
        }
    } else { // permits were taken or given back
        change(found, {key, std::move(named)}, now, {});
        found->second.watched.heldSince = now;
    }
    return true;
}

const Lock *LockStore::queued(const LockKey &key) const
{
    const auto found = m_locks.find(key);
    if (found == m_locks.end() || found->second.isOrphan)
        return nullptr;
    const Lock &lock = found->second.watched.lock;
    const bool isRead = lock.companions->waiters.certainty != WaiterCertainty::Unknown &&
                        lock.companions->unread < Unread::Waiters;
    return isRead && !queueFamilyOf(lock).isUnknown() ? &lock : nullptr;
}

void LockStore::applyQueue(const LockKey &key, const QList<Waiter> &queue, TimePoint now)
{
    const Lock *lock = queued(key);
    if (!lock)
        return;
    CompanionState companions = *lock->companions;
    const QList<Waiter> before = std::exchange(companions.waiters.queue, queue);
    for (Waiter &waiter : companions.waiters.queue) {
        if (const auto known = std::ranges::find(before, waiter.id, &Waiter::id); known != before.end())
            waiter = *known;
    }
    companions.waiters.count = queue.size();
    companions.waiters.certainty = WaiterCertainty::Exact;
    KnownLock &known = m_locks.find(key)->second;
    const bool isOld = known.isQueueOld;
    applyCompanions(key, companions, now);
    known.isQueueOld = isOld;
}

/// Most locks have none, and none of these is asked about them in each turn again.
void LockStore::noteCompanions(KnownLock &known)
{
    const bool isWorthwhile = CompanionReader::isWorthwhile(known.watched.lock);
    if (isWorthwhile == std::exchange(known.isWalked, isWorthwhile))
        return;
    if (isWorthwhile)
        m_walked.insert(known.watched.key());
    else
        m_walked.erase(known.watched.key());
}

void LockStore::recordQueue(const LockAddress &lock, Family family, TimePoint now)
{
    if (m_locks.contains(lock.key))
        return;
    if (const auto twin = sameCompanions(lock.key); twin && m_locks.contains(*twin)) // whose queue it is
        return;
    m_remnants.recordQueue(lock, family, now);
}

/// Adds an orphan if a key without a lock has left a queue.
void LockStore::addOrphan(const LockKey &key, TimePoint now)
{
    const auto orphan = m_remnants.takeOrphan(key, now);
    if (!orphan)
        return;
    WatchedLock watched;
    watched.lock = *orphan;
    watched.heldSince = now;
    KnownLock &known = add(std::move(watched));
    known.isOrphan = true;
    noteCompanions(known);
    m_order.append(known, false, now);
    m_diff.markChanged(key, known);
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside locks, in the store: also for a while after they are gone.
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/weaktoken.h"
#include "core/monitor/lockstore.h"
#include "core/read/companionreader.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto leftFor = 60s; // a queue outlives its lock between two owners
constexpr qsizetype mostLeft = 10'000;
constexpr auto cameBackWithin = 60s;
constexpr int looksForAnOrphan = 2;
constexpr int looksUntilAskedAgain = 16;
constexpr int mostLooks = 64;
constexpr auto orphanAfter = 2s; // who is next takes a fair lock within milliseconds

/// Who stood first in the queue and holds the lock now stands there no more: what stands beside it is looked at later.
CompanionStatePtr withoutOwners(const CompanionStatePtr &beside, const QList<LockOwner> &owners)
{
    const QList<Waiter> &queue = beside->waiters.queue;
    const auto holds = [&](const Waiter &waiter) {
        return std::ranges::find(owners, waiter.id, &LockOwner::owner) != owners.end();
    };
    if (queue.isEmpty() || !holds(queue.front()))
        return beside;
    CompanionState after = *beside;
    after.waiters.queue.removeFirst();
    --after.waiters.count;
    return CompanionStatePtr(after);
}

bool isAmong(const QList<LockOwner> &owners, const LockOwner &one)
{
    return std::ranges::any_of(owners, [&](const LockOwner &holder) {
        return holder.owner == one.owner && holder.mode == one.mode;
    });
}

} // namespace

/// What a reading of the key leaves as it was.
CompanionStatePtr LockStore::keptBeside(Locks::const_iterator known, const Lock &read)
{
    CompanionStatePtr beside;
    if (known != m_locks.end())
        beside = known->second.watched.lock.beside;
    else if (!m_left.isEmpty())
        beside = m_left.take(read.key()).lock.beside;
    return withoutOwners(beside, read.owners);
}

bool LockStore::applyBeside(const LockKey &key, const CompanionState &beside, TimePoint now)
{
    const auto found = m_locks.find(key);
    if (found == m_locks.end())
        return false;
    Lock &lock = found->second.watched.lock;
    if (found->second.isOrphan && beside.waiters.count == 0) { // nobody waits any more
        remove(found);
        return false;
    }
    CompanionState after = beside;
    after.keepKindOf(*lock.beside);
    if (after == *lock.beside)
        return true;
    const bool hadPermits = !lock.beside->freePermits.isEmpty();
    const bool isUsual = !after.tellsKind() && after.waiters.count == 0;
    Lock named = lock;
    if (after == CompanionState())
        named.beside = {};
    else if (isUsual && after == *m_usualBeside)
        named.beside = m_usualBeside;
    else
        named.beside = CompanionStatePtr(after);
    if (isUsual)
        m_usualBeside = named.beside;
    m_changed.insert(found->first);
    refineFamily(named);
    if (!hadPermits || named.owners == lock.owners) { // another name is no event
        // That it is a lock, or none, is one: who was told of it would wait for its end.
        if (isHidden(lock) != isHidden(named))
            addEvents({isHidden(named) ? EventKind::Vanished : EventKind::Found}, named, now);
        countHidden(lock, -1);
        lock = std::move(named);
        countHidden(lock, 1);
    } else { // permits were taken or given back
        change(found, {key, std::move(named)}, now, {});
        found->second.watched.heldSince = now;
    }
    return true;
}

void LockStore::setProblem(const LockKey &key, Problem problem, bool on)
{
    const auto found = m_locks.find(key);
    if (found == m_locks.end() || on == bool(found->second.watched.watchedProblems & quint16(problem)))
        return;
    found->second.watched.setProblem(problem, on);
    m_changed.insert(found->first);
}

void LockStore::recordForceExpire(const LockKey &key, const QList<LockOwner> &ended, TimePoint now)
{
    m_forced.removeIf([now](const auto &forced) { return now - forced.value().at > cameBackWithin; });
    m_forced.insert(key, {ended, now});
    const auto known = m_locks.find(key);
    if (known == m_locks.end() || known->second.isOrphan)
        return;
    const Lock &lock = known->second.watched.lock;
    QList<LockOwner> owners = lock.owners; // as they were seen: whoever ends a lock may not say its holds
    owners.removeIf([&](const LockOwner &holder) { return !isAmong(ended, holder); });
    m_events.append({EventKind::Forced, lock.address, lock.family, owners.isEmpty() ? ended : owners,
                     CompactOptional<milliseconds>(), now, QDateTime::currentMSecsSinceEpoch()});
}

/// This difference is what an end by force has made, and was told when it was answered.
bool LockStore::isForcedEnd(const Lock &before, const std::optional<Lock> &after)
{
    const auto forced = m_forced.find(before.key());
    if (forced == m_forced.end() || !std::exchange(forced->awaitsReading, false))
        return false;
    QList<LockOwner> left = before.owners;
    left.removeIf([&](const LockOwner &holder) { return isAmong(forced->ended, holder); });
    const QList<LockOwner> now = after ? after->owners : QList<LockOwner>();
    return left.size() < before.owners.size() &&
           std::ranges::equal(left, now, {}, &LockOwner::owner, &LockOwner::owner);
}

/// One whose hold was ended by force holds the lock again; not told where the next one writes the same.
bool LockStore::isReturn(const Lock &lock, TimePoint now)
{
    const auto forced = m_forced.constFind(lock.key());
    if (forced == m_forced.cend() || now - forced->at > cameBackWithin || mayRepeat(lock))
        return false;
    const bool isBack = std::ranges::any_of(
        lock.owners, [&](const LockOwner &holder) { return isAmong(forced->ended, holder); });
    if (isBack)
        m_forced.erase(forced);
    return isBack;
}

void LockStore::leaveBeside(const Lock &lock, TimePoint now)
{
    // A job's lock does not come back.
    if (!lock.beside->tellsKind() || (lock.beside->hasParent && !lock.beside->hasQueue))
        return;
    if (now - m_leftTidiedAt >= 1s) {
        m_leftTidiedAt = now;
        m_left.removeIf([now](const auto &left) {
            return now - left->at > leftFor && left->lock.beside->waiters.queue.isEmpty();
        });
    }
    if (m_left.size() >= mostLeft)
        return;
    Lock left = lock;
    left.owners.clear();
    left.ttl = {};
    left.deadline = {};
    left.problems = {};
    if (!left.beside->permits.isEmpty()) { // which went with it
        CompanionState beside = *left.beside;
        beside.permits.clear();
        beside.freePermits.clear();
        left.beside = CompanionStatePtr(beside);
    }
    m_left.insert(lock.key(), {left, now, 0});
}

void LockStore::noteQueue(const LockAddress &lock, TimePoint now)
{
    const auto known = m_left.constFind(lock.key);
    const bool isLookedAt = known != m_left.cend() && known->lock.beside->waiters.count > 0;
    if (m_locks.contains(lock.key) || isLookedAt || m_left.size() >= mostLeft)
        return;
    if (const auto twin = sameCompanions(lock.key); twin && m_locks.contains(*twin)) // whose queue it is
        return;
    CompanionState beside;
    beside.hasQueue = true;
    beside.waiters.certainty = WaiterCertainty::AtLeast; // it is not read yet
    beside.waiters.count = 1;
    Lock left;
    left.address = lock;
    left.family = Family::RedissonFair;
    left.beside = CompanionStatePtr(beside);
    m_left.insert(lock.key, {left, now, 0});
}

QList<Lock> LockStore::orphanCandidates(qsizetype most) const
{
    QList<Lock> locks;
    for (auto left = m_left.cbegin(); left != m_left.cend() && locks.size() < most; ++left) {
        if (left->lock.family == Family::RedissonFair && left->lock.beside->waiters.count > 0)
            locks.append(left->lock);
    }
    return locks;
}

void LockStore::applyLeft(const LockKey &key, const CompanionState &beside, TimePoint now)
{
    const auto left = m_left.find(key);
    if (left == m_left.end())
        return;
    CompanionState after = beside;
    after.keepKindOf(*left->lock.beside);
    left->lock.beside = CompanionStatePtr(after);
    if (after.waiters.queue.isEmpty() || ++left->looks < looksForAnOrphan || now - left->at < orphanAfter)
        return;
    if (left->looks >= mostLooks) { // its key can't be read; a sweep may meet the queue again
        m_left.erase(left);
        return;
    }
    // Somebody may hold it again, and nobody has told us. That reading may be lost with its connection.
    if (!left->isDoubted || left->looks % looksUntilAskedAgain == 0)
        m_doubted.append(key);
    left->isDoubted = true;
}

QList<LockKey> LockStore::takeSuspectedOrphans()
{
    return std::exchange(m_doubted, {});
}

void LockStore::forgetLeft(const LockKey &key)
{
    m_left.remove(key);
}

/// A key without a lock was read: the queue that it has left is an orphan.
void LockStore::confirmLeft(const LockKey &key, TimePoint now)
{
    const auto left = m_left.find(key);
    if (left == m_left.end() || !left->isDoubted)
        return;
    WatchedLock orphan;
    orphan.lock = left->lock;
    orphan.lock.type = KeyType::Unknown; // whatever comes
    orphan.lock.problems = Problem::Orphaned;
    orphan.lock.readAt = orphan.heldSince = now;
    m_left.erase(left);
    Known &known = add(std::move(orphan));
    known.isOrphan = true;
    known.turnAt = now;
    readOrderOf(known).append(known);
    m_removed.remove(key);
    m_changed.insert(key);
}

} // namespace lockscope

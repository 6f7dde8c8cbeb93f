// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/waitertracker.h"

#include "core/family/companionkeys.h"
#include "core/family/registry.h"
#include "core/read/inspector.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr qsizetype maxInDoubt = 64; // locks of one transaction

/// True for locks whose state may be outdated.
bool isUnreadable(const WatchedLock &watched)
{
    return watched.problems().testFlag(Problem::Unreadable);
}

QList<LockKey> locksOf(const QList<Deadlock> &deadlocks)
{
    QList<LockKey> keys;
    for (const Deadlock &deadlock : deadlocks) {
        for (const WaitEdge &edge : deadlock.cycle)
            keys.append(edge.lock);
    }
    return keys;
}

} // namespace

void WaiterTracker::begin(const ServerInfo &server, int database)
{
    m_scope.reconnect(server);
    m_database = database;
    m_reading.reset();
    m_inDoubt.clear();
    m_mayTransact = server.mode != "cluster"; // which has none over several nodes
    m_first.clear();
    m_requested.clear();
    m_inTurn = m_looksAtLeft = m_walks = m_hasWalked = false;
    m_place = 0;
    m_nextTurn = m_nextWalk = {};
    m_dead.clear(); // nobody looked meanwhile
}

void WaiterTracker::setVisible(const QList<LockKey> &keys)
{
    const bool isNewlyChosen = !keys.isEmpty() && (m_visible.isEmpty() || m_visible.front() != keys.front());
    m_visible = keys;
    if (isNewlyChosen)
        m_first.push_front(keys.front());
}

void WaiterTracker::takeChange(const LockKey &key)
{
    if (m_locks.find(key))
        return;
    if (const LockKey lock = parentOf(key.bytes); m_locks.find(lock))
        m_requested.insert(lock);
}

TimePoint WaiterTracker::next() const
{
    if (m_reading || !m_inDoubt.isEmpty() || !m_requested.isEmpty() || !m_first.empty() || m_inTurn ||
        m_walks)
        return {};
    return std::min(m_nextTurn, m_nextWalk);
}

CommandBatch WaiterTracker::ask(TimePoint now)
{
    if (!m_reading && !m_inDoubt.isEmpty())
        return askForPicture();
    if (!m_reading) {
        const QList<Lock> locks = nextLocks(now);
        if (locks.isEmpty())
            return {};
        m_reading.emplace(locks, m_scope);
    }
    const CommandBatch round = m_reading->next();
    m_weight = m_reading->weight();
    if (round.isEmpty()) // nothing of it may be asked for
        finishReading(now);
    return round;
}

QList<Lock> WaiterTracker::nextLocks(TimePoint now)
{
    // The rest gets something of each turn, however many are waited for.
    if (!m_inTurn && now >= m_nextTurn && (m_hasWalked || !m_walks))
        beginTurn(now);
    if (!m_suspects.isEmpty()) {
        const LockKey alone = *m_suspects.cbegin();
        m_suspects.remove(alone);
        if (const WatchedLock *watched = m_locks.find(alone))
            return {watched->lock};
        m_locks.forgetRemnant(alone); // what it has left is not worth another lost connection
    }
    QList<Lock> locks;
    while (!m_hadRequests && !m_requested.isEmpty() && locks.size() < CompanionReader::maxLocks) {
        const LockKey key = *m_requested.cbegin();
        m_requested.remove(key);
        if (const WatchedLock *watched = m_locks.find(key); watched && mayLookAt(*watched))
            locks.append(watched->lock);
    }
    m_hadRequests = !locks.isEmpty();
    for (; !m_first.empty() && locks.size() < CompanionReader::maxLocks; m_first.pop_front()) {
        const WatchedLock *watched = m_locks.find(m_first.front());
        if (!watched)
            m_waitedFor.remove(m_first.front());
        else if (mayLookAt(*watched))
            locks.append(watched->lock);
    }
    if (!locks.isEmpty())
        return locks;
    if (std::exchange(m_looksAtLeft, false))
        locks = m_locks.orphanCandidates(CompanionReader::maxLocks);
    if (!locks.isEmpty())
        return locks;
    if (std::exchange(m_inTurn, false)) {
        buildWaitForGraph();
        return {};
    }
    if (!m_walks && now >= m_nextWalk) {
        m_walks = true;
        m_nextWalk = now + m_interval;
    }
    if (!m_walks)
        return {};
    locks = m_locks.someToAsk(m_place, CompanionReader::maxLocks, [this](const WatchedLock &watched) {
        return mayLookAt(watched) && !m_waitedFor.contains(watched.key());
    });
    m_walks = m_place != 0;
    m_hasWalked = true;
    return locks;
}

bool WaiterTracker::mayLookAt(const WatchedLock &watched) const
{
    return !isUnreadable(watched) && CompanionReader::isWorthwhile(watched.lock) &&
           !m_tooBig.contains(watched.key()) && !m_suspects.contains(watched.key());
}

void WaiterTracker::beginTurn(TimePoint now)
{
    m_nextTurn = now + m_interval;
    m_inTurn = m_looksAtLeft = true;
    m_hasWalked = false;
    m_first.assign(m_visible.begin(), m_visible.end());
    const QSet<LockKey> visible(m_visible.begin(), m_visible.end());
    std::ranges::copy_if(m_waitedFor, std::back_inserter(m_first),
                         [&](const LockKey &key) { return !visible.contains(key); });
}

Result<void> WaiterTracker::take(std::span<const Reply> replies, TimePoint asked, TimePoint heard)
{
    if (!m_reading) {
        noteTransaction(replies.front());
        takeSecondPicture(replies.back(), asked, heard);
        return {};
    }
    Result<void> taken = m_reading->take(replies);
    if (!taken)
        m_reading.reset();
    else if (m_reading->isFinished())
        finishReading(heard);
    return taken;
}

void WaiterTracker::finishReading(TimePoint now)
{
    const QList<Lock> found = m_reading->finished();
    m_reading.reset();
    for (const Lock &lock : found) {
        CompanionState companions = *lock.companions;
        m_dead.judge(lock.key(), companions.waiters, now);
        if (!m_locks.applyCompanions(lock.key(), companions, now)) {
            m_locks.applyRemnant(lock.key(), companions, now);
            m_dead.forget(lock.key());
            m_waitedFor.remove(lock.key());
            continue;
        }
        // Redisson's fair lock wakes its first waiter, whether it is there or not; others skip it.
        m_locks.setProblem(lock.key(), Problem::DeadWaiter,
                           specOf(lock.family).wake == WaitMechanism::QueueHeadChannel &&
                               hasBlockedWaiters(companions.waiters));
        if (companions.waiters.count > 0)
            m_waitedFor.insert(lock.key());
        else
            m_waitedFor.remove(lock.key());
    }
}

void WaiterTracker::lost(bool isOurs)
{
    if (m_reading && isOurs) {
        // Which of them it was shows when each is asked for alone.
        const QList<Lock> &locks = m_reading->locks();
        for (const Lock &lock : locks)
            (locks.size() == 1 ? m_tooBig : m_suspects).insert(lock.key());
        if (locks.size() == 1)
            forgetCompanions(locks.front().key());
    }
    m_reading.reset();
    m_inDoubt.clear();
}

/// Forgets companions that will not be read again.
void WaiterTracker::forgetCompanions(const LockKey &key)
{
    m_locks.applyCompanions(key, CompanionState(), Clock::now());
    m_locks.setProblem(key, Problem::DeadWaiter, false);
    m_dead.forget(key);
    m_waitedFor.remove(key);
}

void WaiterTracker::buildWaitForGraph()
{
    QList<Lock> queued;
    for (const LockKey &key : std::as_const(m_waitedFor)) {
        const WatchedLock *watched = m_locks.find(key);
        if (watched && !watched->lock.companions->waiters.queue.isEmpty() && !isUnreadable(*watched))
            queued.append(watched->lock);
    }
    if (m_isPart) {
        m_waits = waitForEdges(queued);
        return;
    }
    m_deadlocks.take(waitForEdges(queued));
    tellDeadlocks(m_deadlocks.deadlocks());
    const QList<LockKey> suspected = locksOf(m_deadlocks.suspected());
    if (!m_mayTransact || suspected.size() > maxInDoubt) // the next picture will tell
        return;
    for (const LockKey &key : suspected)
        m_inDoubt.append(m_locks.find(key)->lock);
}

CommandBatch WaiterTracker::askForPicture()
{
    CommandBatch batch;
    batch.add({"MULTI"});
    for (const Lock &lock : std::as_const(m_inDoubt)) {
        inspector::appendRead(batch, {lock.key(), lock.type});
        appendQueue(batch, lock);
    }
    batch.add({"EXEC"});
    m_weight = 2 * batch.size();
    return batch;
}

void WaiterTracker::noteTransaction(const Reply &multi)
{
    if (!multi.isError())
        return m_noTransaction.reset();
    const Error why = serverError(multi.text);
    if (why.kind == ErrorKind::NoPermission && !m_noTransaction)
        m_noTransaction =
            CompanionAccess::Forbidden{{refusalFrom(why.detail).about, "multi"}, why.detail, false};
}

void WaiterTracker::retryForbidden(bool isAll)
{
    m_scope.forgetGone([this](const LockKey &key) { return m_locks.find(key) != nullptr; });
    if (isAll)
        m_scope.retryAllForbidden();
    else
        m_scope.retryForbidden();
    m_mayTransact = m_mayTransact || m_noTransaction;
}

QList<CompanionAccess::Forbidden> WaiterTracker::forbidden() const
{
    QList<CompanionAccess::Forbidden> all = m_scope.forbidden();
    if (m_noTransaction)
        all.append(*m_noTransaction);
    return all;
}

void WaiterTracker::takeSecondPicture(const Reply &picture, TimePoint asked, TimePoint heard)
{
    const QList<Lock> inDoubt = std::exchange(m_inDoubt, {});
    // Not permitted, or one of its commands is not: then the next picture tells.
    m_mayTransact = picture.isArray();
    if (!m_mayTransact)
        return;
    QList<Lock> locks;
    std::span<const Reply> replies(picture.elements);
    for (const Lock &lock : inDoubt) {
        const inspector::Target target{lock.key(), lock.type};
        const auto count = static_cast<size_t>(inspector::commandCount(target));
        if (replies.size() < count + 1)
            return;
        const auto now = inspector::interpret(target, m_database, replies.first(count), asked, heard);
        if (now && now->inspection && now->inspection->lock) {
            locks.append(*now->inspection->lock);
            CompanionState companions = *lock.companions;
            companions.waiters.queue = queueFrom(lock, replies[count]);
            locks.last().companions = CompanionStatePtr(companions);
            locks.last().family = lock.family;
        }
        replies = replies.subspan(count + 1);
    }
    m_deadlocks.confirm(waitForEdges(locks));
    tellDeadlocks(m_deadlocks.deadlocks());
}

void WaiterTracker::tellDeadlocks(const QList<Deadlock> &deadlocks)
{
    if (deadlocks == m_told)
        return;
    for (const LockKey &key : locksOf(m_told))
        m_locks.setProblem(key, Problem::Deadlock, false);
    m_told = deadlocks;
    for (const LockKey &key : locksOf(m_told))
        m_locks.setProblem(key, Problem::Deadlock, true);
    m_haveChanged = true;
}

std::optional<QList<Deadlock>> WaiterTracker::takeDeadlocks()
{
    return std::exchange(m_haveChanged, false) ? std::optional(m_told) : std::nullopt;
}

} // namespace lockscope

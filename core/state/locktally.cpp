// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/locktally.h"

#include "core/family/certainty.h"
#include "core/model/names.h"

#include <algorithm>

namespace lockscope {

namespace {

using std::chrono::seconds;

qint64 secondAfter(TimePoint moment)
{
    return std::chrono::ceil<seconds>(moment.time_since_epoch()).count();
}

void add(std::map<qint64, qint64> &bySecond, qint64 second, int sign)
{
    if ((bySecond[second] += sign) == 0)
        bySecond.erase(second);
}

/// The state independent of time. Counts each problem, even if LockState is Held.
LockCounts::State countedState(const WatchedLock &watched)
{
    if (watched.problems())
        return LockCounts::Problem;
    return lacksMajority(watched.lock) ? LockCounts::Unknown : LockCounts::Held;
}

} // namespace

LockTally::Share LockTally::shareOf(const WatchedLock &watched)
{
    const Lock &lock = watched.lock;
    Share share;
    share.isHidden = isHidden(lock);
    if (share.isHidden)
        return share;
    share.isPossible = isPossible(lock);
    share.noExpiry = noExpiryOf(lock);
    if (share.isPossible)
        return share;
    share.family = lock.family;
    share.state = countedState(watched);
    share.problems = watched.problems();
    share.isUnreadCompanion = lock.companions->unread != Unread::Nothing;
    const Waiters &waiters = lock.companions->waiters;
    share.certainty = waiters.certainty;
    share.waiters = waiters.certainty == WaiterCertainty::Unknown ? 0 : waiters.count;
    share.deadWaiters = static_cast<int>(std::ranges::count(waiters.queue, true, &Waiter::isDead));
    const bool isKnown = !share.problems.testFlag(Problem::Unreadable) && share.state != LockCounts::Unknown;
    if (isKnown && !lock.owners.isEmpty())
        share.heldSince = secondAfter(watched.heldSince);
    const TimePoint stalled = share.state == LockCounts::Held ? stalledAfter(watched) : TimePoint::max();
    if (stalled != TimePoint::max())
        share.stalledAfter = secondAfter(stalled);
    return share;
}

void LockTally::apply(const LockDiff &diff)
{
    for (const LockKey &key : diff.removed) {
        if (const auto known = m_locks.constFind(key); known != m_locks.cend()) {
            count(*known, -1);
            m_locks.erase(known);
        }
    }
    for (const WatchedLock &watched : diff.changed) {
        const Share share = shareOf(watched);
        if (const auto known = m_locks.find(watched.key()); known != m_locks.end()) {
            count(*known, -1);
            *known = share;
        } else {
            m_locks.insert(watched.key(), share);
        }
        count(share, 1);
    }
}

void LockTally::count(const Share &share, int sign)
{
    if (share.isHidden) {
        m_counts.hidden += sign;
        return;
    }
    m_counts.withoutExpiry += share.noExpiry != NoExpiry::None ? sign : 0;
    m_counts.openExpiry += share.noExpiry == NoExpiry::Open ? sign : 0;
    if (share.isPossible) {
        m_counts.possible += sign;
        return;
    }
    auto &family = m_counts.byFamily[share.family];
    family[share.state] += sign;
    if (std::ranges::count(family, 0) == qsizetype(family.size()))
        m_counts.byFamily.erase(share.family);
    for (const Problem problem : problemList(share.problems)) {
        if ((m_counts.byProblem[problem] += sign) == 0)
            m_counts.byProblem.erase(problem);
    }
    m_counts.byWaiterCertainty[size_t(share.certainty)] += sign;
    m_counts.waiters[size_t(share.certainty)] += sign * share.waiters;
    m_counts.deadWaiters += sign * share.deadWaiters;
    m_counts.unreadCompanions += share.isUnreadCompanion ? sign : 0;
    if (share.heldSince)
        add(m_heldSince, *share.heldSince, sign);
    if (share.stalledAfter)
        add(m_stalledAfter[share.family], *share.stalledAfter, sign);
}

LockCounts LockTally::at(TimePoint now) const
{
    LockCounts counts = m_counts;
    const qint64 second = std::chrono::floor<seconds>(now.time_since_epoch()).count();
    for (const auto &[family, stalls] : m_stalledAfter) {
        for (auto stall = stalls.begin(); stall != stalls.end() && stall->first < second; ++stall) {
            counts.byFamily[family][LockCounts::Held] -= stall->second;
            counts.byFamily[family][LockCounts::Stalled] += stall->second;
        }
    }
    if (!m_heldSince.empty())
        counts.longestHold = seconds(std::max<qint64>(0, second - m_heldSince.begin()->first));
    size_t step = counts.heldSteps.size();
    qint64 held = 0;
    auto since = m_heldSince.begin();
    while (step-- > 0) { // the longest first, which the shorter ones have, too
        for (; since != m_heldSince.end() && since->first <= second - counts.heldSteps[step]; ++since)
            held += since->second;
        counts.heldAtLeast[step] = held;
    }
    return counts;
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readplanner.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr int maxRushesInARow = 2; // while something else is due; of other changes one

} // namespace

TimePoint ReadPlanner::nextChangeAt() const
{
    if (m_facts.isRush)
        return {};
    TimePoint next = m_facts.nextExpiryAt;
    if (m_facts.pending == ReadFacts::Pending::Visible)
        next = {};
    else if (m_facts.pending == ReadFacts::Pending::OutOfSight)
        next = std::min(next, m_facts.nextBudgetedChangeAt);
    return std::max(next, m_facts.nextTickAt);
}

/// Waits until locks are known, and during a scan at full speed.
TimePoint ReadPlanner::nextWaitersAt() const
{
    return knowsLocks() && m_facts.pace == ScanPace::Budgeted ? m_facts.nextWaitersAt : TimePoint::max();
}

/// The earliest due time of suspects, scan, rereads and companion keys.
TimePoint ReadPlanner::nextTurnAt() const
{
    TimePoint next = m_facts.hasSuspects ? TimePoint() : TimePoint::max();
    if (m_facts.canScan)
        next = m_facts.isScanning ? TimePoint() : std::min(next, m_facts.nextScanAt);
    if (knowsLocks())
        next = std::min(next, m_facts.nextRereadAt);
    next = std::min(next, nextWaitersAt());
    return m_facts.pace == ScanPace::FullSpeed ? next : std::max(next, m_facts.nextBudgetedReadAt);
}

/// False in the first scan and at full speed, which read every lock anyway.
bool ReadPlanner::canReread(TimePoint now) const
{
    if (m_facts.hasSuspects)
        return true;
    const bool isFullScanUnderWay =
        m_facts.canScan && m_facts.pace == ScanPace::FullSpeed && m_facts.isScanning;
    return knowsLocks() && !isFullScanUnderWay && m_facts.nextRereadAt <= now;
}

bool ReadPlanner::canScan(TimePoint now) const
{
    return m_facts.canScan && (m_facts.isScanning || m_facts.nextScanAt <= now);
}

/// The reads due besides changes. None starves another, however many locks exist.
std::optional<ReadReason> ReadPlanner::nextOther(TimePoint now) const
{
    if (m_facts.nextRetryAt <= now)
        return ReadReason::Retry;
    if (nextTurnAt() > now)
        return std::nullopt;
    const bool isRereadDue = canReread(now);
    const bool isScanDue = canScan(now);
    const bool hadWaiters = m_facts.turns.lastOther == ReadReason::Waiters;
    if (nextWaitersAt() <= now && !(hadWaiters && (isRereadDue || isScanDue)))
        return ReadReason::Waiters;
    if (isRereadDue && isScanDue)
        return m_facts.turns.lastLockRead == ReadReason::Reread ? ReadReason::KeyspaceScan
                                                                : ReadReason::Reread;
    if (isRereadDue)
        return ReadReason::Reread;
    return isScanDue ? std::optional(ReadReason::KeyspaceScan) : std::nullopt;
}

/// If a round trip takes longer than a tick, changes are always pending: other reads still get turns.
std::optional<ReadReason> ReadPlanner::next(TimePoint now) const
{
    if (now < m_facts.pausedUntil)
        return std::nullopt;
    if (isChangeDue(now) && m_facts.turns.changesInARow < (m_facts.isRush ? maxRushesInARow : 1))
        return ReadReason::Change;
    if (const auto other = nextOther(now))
        return other;
    return isChangeDue(now) ? std::optional(ReadReason::Change) : std::nullopt;
}

TimePoint ReadPlanner::wakeAt() const
{
    return std::max(std::min({nextChangeAt(), nextTurnAt(), m_facts.nextRetryAt}), m_facts.pausedUntil);
}

} // namespace lockscope

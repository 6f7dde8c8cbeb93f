// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readschedule.h"

#include <algorithm>

namespace lockscope {

void ReadSchedule::connectionBegan()
{
    m_isComplete = false;
    m_scansUntilAll = 0;
    m_nextScanAt = m_pausedUntil = {};
    m_backoff.clear();
}

void ReadSchedule::changesTaken(TimePoint now)
{
    m_isRush = false;
    m_nextTickAt = now + tick;
}

void ReadSchedule::turnGiven(ReadReason reason)
{
    if (reason == ReadReason::Change) {
        ++m_turns.changesInARow;
        return;
    }
    m_turns.changesInARow = 0;
    m_turns.lastOther = reason;
    if (reason == ReadReason::Reread || reason == ReadReason::KeyspaceScan)
        m_turns.lastLockRead = reason;
}

void ReadSchedule::requestFullScan()
{
    m_pace = ScanPace::FullSpeed;
    m_nextScanAt = m_pausedUntil = {};
    m_backoff.clear();
}

void ReadSchedule::scanFinished(TimePoint nextScanAt)
{
    // Counted when it is through: a pass that was given up has told nothing.
    m_scansUntilAll = shouldReadAll() ? scansBetweenAll : m_scansUntilAll - 1;
    m_isComplete = true;
    m_pace = ScanPace::Budgeted;
    m_nextScanAt = nextScanAt;
    m_backoff.clear();
}

void ReadSchedule::scanFailed(TimePoint now, bool isFull)
{
    m_isComplete = m_isComplete || isFull;
    m_pace = ScanPace::Budgeted;
    m_backoff.failed(now);
}

Coverage ReadSchedule::coverage(bool canScan) const
{
    if (m_isComplete)
        return Coverage::Complete;
    return canScan ? Coverage::FirstScan : Coverage::KnownOnly;
}

ReadFacts ReadSchedule::facts(bool canScan) const
{
    ReadFacts facts;
    facts.pausedUntil = m_pausedUntil;
    facts.turns = m_turns;
    facts.isRush = m_isRush;
    facts.nextTickAt = m_nextTickAt;
    facts.coverage = coverage(canScan);
    facts.pace = m_pace;
    facts.canScan = canScan;
    facts.nextScanAt = std::max(m_nextScanAt, m_backoff.until());
    return facts;
}

} // namespace lockscope

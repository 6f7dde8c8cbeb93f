// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <optional>

namespace lockscope {

/// Why a batch is read. Decides whether it waits for the load budget.
enum class ReadReason {
    Change,       ///< a change hint, or a lease that should have expired
    Reread,       ///< a polled lock in its turn, or a key that may have broken the connection
    KeyspaceScan, ///< the next SCAN call with the reads of the page before, or what the pass has not met
    Waiters,      ///< companion keys
    Retry,        ///< what permission forbids
};

/// Which locks of the server are known on this connection.
enum class Coverage {
    FirstScan, ///< the first scan is not through: most locks are not read yet
    KnownOnly, ///< SCAN is forbidden and none was finished: the locks of an earlier connection are read on
    Complete,  ///< a scan was finished, or given up because too many locks are held
};

/// How fast the keyspace is scanned.
enum class ScanPace {
    Budgeted,  ///< within the load budget
    FullSpeed, ///< once, without a pause: the user asked for it, or most keys went at once
};

/// Who had the last turns, so that no kind of reading starves another.
struct ReadTurns
{
    int changesInARow = 0;                              ///< batches
    ReadReason lastOther = ReadReason::KeyspaceScan;    ///< the last that was no change
    ReadReason lastLockRead = ReadReason::KeyspaceScan; ///< the last of Reread and KeyspaceScan
};

/// Everything that decides what is read next. `TimePoint()`: at once; `TimePoint::max()`: nothing to do.
struct ReadFacts
{
    /// Change hints that wait to be read.
    enum class Pending { None, OutOfSight, Visible };

    TimePoint pausedUntil; ///< the server has refused everything for now (LOADING, BUSY)
    ReadTurns turns;

    // Changes.
    bool isRush = false; ///< the chosen lock has changed, or somebody asked: not gathered for a tick
    Pending pending = Pending::None;
    TimePoint nextTickAt;           ///< changes are gathered until then
    TimePoint nextBudgetedChangeAt; ///< by the budget, for changes that nobody looks at
    TimePoint nextExpiryAt = TimePoint::max();

    // Scans and rereads.
    Coverage coverage = Coverage::FirstScan;
    ScanPace pace = ScanPace::Budgeted;
    bool canScan = true; ///< SCAN is not forbidden
    bool isScanning = false;
    bool hasSuspects = false; ///< keys of which one broke the connection
    TimePoint nextScanAt;
    TimePoint nextRereadAt =
        TimePoint::max();         ///< of the lock that was read longest ago among the polled ones
    TimePoint nextBudgetedReadAt; ///< by the budget, for scans, rereads and companion keys

    TimePoint nextWaitersAt = TimePoint::max();
    TimePoint nextRetryAt = TimePoint::max();
};

/// Decides what is read next. Pure: a function of the facts and of the time.
class ReadPlanner
{
public:
    explicit ReadPlanner(const ReadFacts &facts) : m_facts(facts) {}

    /// Absent: nothing is due.
    std::optional<ReadReason> next(TimePoint now) const;
    /// When next() may have another answer, where it had none.
    TimePoint wakeAt() const;
    bool isChangeDue(TimePoint now) const { return nextChangeAt() <= now; }

private:
    TimePoint nextChangeAt() const;
    TimePoint nextWaitersAt() const;
    TimePoint nextTurnAt() const;
    bool knowsLocks() const { return m_facts.coverage != Coverage::FirstScan; }
    bool canReread(TimePoint now) const;
    bool canScan(TimePoint now) const;
    std::optional<ReadReason> nextOther(TimePoint now) const;

    ReadFacts m_facts;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <optional>

namespace lockscope {

/// The reason for a batch, which decides whether it waits for the load budget.
enum class ReadReason {
    Change,
    Reread,       ///< a polled lock, or a key that may have broken the connection
    KeyspaceScan, ///< the next SCAN with the reads of the previous page, or keys that the pass has not found
    Waiters,      ///< companion keys
    Retry,
};

/// The part of the server's locks that is known on this connection.
enum class Coverage {
    FirstScan,
    KnownOnly, ///< SCAN is forbidden and none was finished: known locks of an earlier connection are reread
    Complete,  ///< a scan was finished, or stopped because of too many locks
};

enum class ScanPace {
    Budgeted,
    FullSpeed, ///< once: requested by the user, or after most keys went at once
};

/// The last turns, to starve no kind of reading.
struct ReadTurns
{
    int changesInARow = 0; ///< batches
    ReadReason lastOther = ReadReason::KeyspaceScan;
    ReadReason lastLockRead = ReadReason::KeyspaceScan;
};

/// The facts for a ReadPlanner. `TimePoint()`: at once; `TimePoint::max()`: nothing to do.
struct ReadFacts
{
    enum class Pending { None, OutOfSight, Visible };

    TimePoint pausedUntil; ///< the server refuses all commands (LOADING, BUSY)
    ReadTurns turns;

    // Changes.
    bool isRush = false; ///< the selected lock has changed, or a read was requested: no wait for a tick
    Pending pending = Pending::None;
    TimePoint nextTickAt;
    TimePoint nextBudgetedChangeAt; ///< by the budget, for invisible changes
    TimePoint nextExpiryAt = TimePoint::max();

    // Scans and rereads.
    Coverage coverage = Coverage::FirstScan;
    ScanPace pace = ScanPace::Budgeted;
    bool canScan = true;
    bool isScanning = false;
    bool hasSuspects = false; ///< one of them broke the connection
    TimePoint nextScanAt;
    TimePoint nextRereadAt = TimePoint::max(); ///< next turn of the polled locks
    TimePoint nextBudgetedReadAt;              ///< by the budget, for scans, rereads and companion keys

    TimePoint nextWaitersAt = TimePoint::max();
    TimePoint nextRetryAt = TimePoint::max();
};

/// Decides what to read next. Pure.
class ReadPlanner
{
public:
    explicit ReadPlanner(const ReadFacts &facts) : m_facts(facts) {}

    /// The reason for the next batch; absent: nothing is due.
    std::optional<ReadReason> next(TimePoint now) const;
    /// The earliest time at which next() may differ, if it was absent.
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

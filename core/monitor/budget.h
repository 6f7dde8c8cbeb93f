// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/commandcosts.h"
#include "core/monitor/pacer.h"
#include "core/monitor/typicalcost.h"

namespace lockscope {

/// The server time that the monitor has used, and when it may use more.
///
/// A server keeps statistics for each command, not for each client: the recent cost of our commands counts.
/// While those are unknown or forbidden, the cost is a batch's round trip minus the shortest one of the
/// connection. This is an upper bound, since a reply may wait for other clients or for this thread; it counts
/// up to the usual cost of such commands, as learned from the cheaper ones.
///
/// There is one share for all. Pushed changes are charged first, since they cannot be refused; then reads of
/// changed keys, at once while affordable; scans get the rest. Neither gets less than a fifth.
class Budget
{
public:
    /// Starts for a new connection, whose shortest round trip is unknown.
    void reset() { *this = Budget(); }

    /// Processor time of this thread until now.
    static Clock::duration ownTime();

    /// The cost of a batch of so many reads and SCAN calls. `time`: since it was sent or, if it `waited`,
    /// since the server began it, without a round trip. `own`: time of this thread within it.
    Clock::duration measure(Clock::duration time, Clock::duration own, bool waited, int reads, int pages);
    /// The cost of the last batch as measured from outside, for costs that change from call to call.
    Clock::duration lastWorked() const { return m_lastWorked; }
    /// The part of a batch's cost for SCAN calls, by the usual cost of reads.
    Clock::duration ofPages(Clock::duration cost, int reads) const;

    /// The usual cost of other small commands that take the server as long as so many reads.
    Clock::duration costLike(int reads) const { return usually(reads, 0); }

    /// Charge a cost. `share`: of one server core, for everything that is charged.
    void chargePush(Clock::duration cost, TimePoint at);
    void chargeScan(Clock::duration cost, int reads, int pages, double share, TimePoint startedAt);
    void chargeChanges(Clock::duration cost, double share, TimePoint startedAt);

    /// Reads INFO commandstats, and charges the cost of scans beyond what was charged since the last
    /// statistics.
    void learn(QByteArrayView commandStats, double share, TimePoint now);

    /// The earliest time for the next SCAN call, or the next reread of a known lock.
    TimePoint nextScan() const { return m_nextScan; }
    /// The earliest time for reads of changed locks that are not visible; bursts may run ahead a little.
    TimePoint nextChanges() const;

    /// Forgets all charges, for a scan at full speed.
    void clearCharges();

private:
    /// The share of a core in recent use.
    struct Use
    {
        double share = 0; ///< over about a second before `at`
        TimePoint at;

        double by(TimePoint now) const;
        void add(Clock::duration cost, TimePoint now);
    };

    Clock::duration costOfRead() const;
    Clock::duration usually(int reads, int pages) const;
    double leftForScans(double share, TimePoint at) const;

    Clock::duration m_lastWorked{};
    Clock::duration m_idleRoundTrip = Clock::duration::max();
    CommandCosts m_byServer;
    TypicalCost m_read;
    TypicalCost m_page;
    struct Charged
    {
        int reads = 0;
        int pages = 0;
        Clock::duration cost{};
    };
    Charged m_charged; ///< for scans, since the last statistics
    Pacer m_scans;
    TimePoint m_nextScan;
    Clock::duration m_atAStretch{}; ///< cost of scans since the last pause
    Pacer m_changes;
    Use m_byTelling;
    Use m_byChanges;
};

} // namespace lockscope

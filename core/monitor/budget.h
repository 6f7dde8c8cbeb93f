// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/commandcosts.h"
#include "core/monitor/pacer.h"
#include "core/monitor/typicalcost.h"

namespace lockscope {

/// How much of the server's time the monitor has used, and when it may use more.
///
/// A server keeps no account for one client, but one for each command: what ours have cost of late is what they cost.
/// Until that is known, or where it may not be asked for, the cost is measured from outside: what a round trip takes
/// beyond the shortest one of the connection is what the server worked for us, or less, since a reply may also have
/// waited for others, or for us to wake; our own work on replies is none of the server's. So it counts up to what such
/// commands usually cost, as learned from the cheaper ones.
///
/// One share for everything. Being told of changes comes off first, since nobody can refuse it; then reading what has
/// changed, at once while that is affordable; sweeping gets what is left. Neither gets less than a fifth.
class Budget
{
public:
    /// Another connection, whose shortest round trip is not known yet.
    void reset() { *this = Budget(); }

    /// Processor time of this thread until now.
    static Clock::duration ownTime();

    /// What a batch of so many reads and pages of a SCAN has cost. `time` is from when it was sent, or from when the
    /// server came to it; then it has `waited`, and there is no round trip in it. `own` of it were ours.
    Clock::duration measure(Clock::duration time, Clock::duration own, bool waited, int reads, int pages);
    /// The same batch as it was measured from outside, whatever the statistics say: for what changes from call to call.
    Clock::duration lastWorked() const { return m_lastWorked; }
    /// Of that, what the pages have cost, by what reads usually do.
    Clock::duration ofPages(Clock::duration cost, int reads) const;

    /// What other small commands have cost that take the server as long as so many reads: where there are too few to learn
    /// from.
    Clock::duration costLike(int reads) const { return usually(reads, 0); }

    /// `share` is of one core of the server, for everything that is charged.
    void chargePush(Clock::duration cost, TimePoint at);
    void chargeScan(Clock::duration cost, int reads, int pages, double share, TimePoint startedAt);
    void chargeChanges(Clock::duration cost, double share, TimePoint startedAt);

    /// The server's own statistics of commands have come: what sweeping has cost more since the last ones than was charged
    /// by those is charged now.
    void learn(QByteArrayView commandStats, double share, TimePoint now);

    /// When the next page, or the next known lock in its turn, may be read.
    TimePoint nextScan() const { return m_nextScan; }
    /// When changes may be read that nobody looks at. They may run ahead a little: bursts are small work.
    TimePoint nextChanges() const;

    /// Forgets what was charged: the user asked for full speed.
    void clearCharges();

private:
    /// The share of a core that something has used of late.
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
    Charged m_charged; ///< for sweeping, since the last statistics
    Pacer m_scans;
    TimePoint m_nextScan;
    Clock::duration m_atAStretch{}; ///< what sweeping has cost since it last rested
    Pacer m_changes;
    Use m_byTelling;
    Use m_byChanges;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/pacer.h"

namespace lockscope {

/// How much of the server's time the monitor has used, and when it may use more.
///
/// A server keeps no account for one client, so the cost is measured from outside: what a round trip takes beyond the
/// shortest one of the connection is what the server worked for us, or less, since a reply may also have waited for
/// others, or for us to wake. So it counts up to what the commands can cost at all.
///
/// One share for everything. Reading what is said to have changed comes first, at once while that is affordable;
/// sweeping gets what this leaves, and never less than a fifth.
class Budget
{
public:
    /// Another connection, whose shortest round trip is not known yet.
    void reset() { *this = Budget(); }

    /// What a batch of so many reads and pages of a SCAN has cost. `waited`: it was on its way already when the time
    /// began to count, so that there is no round trip in it.
    Clock::duration measure(Clock::duration time, bool waited, int reads, int pages);
    /// Of that, what the pages have cost, by what reads usually do.
    static Clock::duration ofPages(Clock::duration cost, int reads);

    /// `share` is of one core of the server, for everything that is charged.
    void chargeSweep(Clock::duration cost, double share, TimePoint startedAt);
    void chargeChanges(Clock::duration cost, double share, TimePoint startedAt);

    /// When the next page, or the next known lock in its turn, may be read.
    TimePoint nextSweep() const { return m_sweeps.next(); }
    /// When changes may be read that nobody looks at. They may run ahead a little: bursts are small work.
    TimePoint nextChanges() const;

    /// Forgets what was charged: the user asked for full speed.
    void forgive() { m_sweeps.forgive(); }

private:
    double usedByChanges(TimePoint now) const;

    Clock::duration m_idleRoundTrip = Clock::duration::max();
    Pacer m_sweeps;
    Pacer m_changes;
    double m_useByChanges = 0; ///< share of a core, over about a second before m_useAt
    TimePoint m_useAt;
};

} // namespace lockscope

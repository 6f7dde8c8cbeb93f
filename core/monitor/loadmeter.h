// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/budget.h"
#include "core/monitor/readplanner.h"
#include "core/monitor/scancounttuner.h"

namespace lockscope {

/// Measures the server cost of batches, charges it to the load budget, and tunes COUNT of SCAN.
class LoadMeter
{
public:
    struct Batch
    {
        ReadReason reason;
        int reads = 0;
        bool hasPage = false;
        TimePoint sentAt;
        Clock::duration ownTime{}; ///< processor time of this thread at sentAt
    };

    void connectionBegan();

    /// Charges an answered batch, and returns its server cost. `share`: allowed share of one core; at full
    /// speed only changes are charged.
    Clock::duration charge(const Batch &batch, ScanPace pace, double share, TimePoint receivedAt);
    /// Charges an answered batch of companion keys, which costs as much as `weight` reads.
    void chargeWaiters(int weight, double share, TimePoint sentAt, TimePoint receivedAt);

    int scanCount() const { return m_scanCount.value(); }

    Budget &budget() { return m_budget; }
    const Budget &budget() const { return m_budget; }

private:
    Budget m_budget;
    ScanCountTuner m_scanCount;
    TimePoint m_lastReceivedAt;
    Clock::duration m_lastOwnTime{};
    Clock::duration m_workedSincePage{};
    int m_readsSincePage = 0;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/budget.h"
#include "core/monitor/readplanner.h"
#include "core/monitor/scancounttuner.h"

namespace lockscope {

/// Measures what batches cost the server, charges them to the load budget, and learns how many keys a SCAN may walk over.
class LoadMeter
{
public:
    /// A batch as it was sent.
    struct Batch
    {
        ReadReason reason;
        int reads = 0; ///< commands that read a key
        bool hasPage = false;
        TimePoint sentAt;
        Clock::duration ownTime{}; ///< processor time of this thread when it was sent
    };

    void connectionBegan();

    /// The batch was answered: what it has cost the server. `share`: of one core, that may be used; at full speed only changes
    /// are charged.
    Clock::duration charge(const Batch &batch, ScanPace pace, double share, TimePoint receivedAt);
    /// A batch about companion keys was answered, which costs as much as so many reads.
    void chargeWaiters(int weight, double share, TimePoint sentAt, TimePoint receivedAt);

    /// COUNT of the next SCAN.
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

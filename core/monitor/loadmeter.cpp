// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/loadmeter.h"

#include <algorithm>
#include <utility>

namespace lockscope {

void LoadMeter::connectionBegan()
{
    m_lastReceivedAt = {};
    m_budget.reset();
}

Clock::duration LoadMeter::charge(const Batch &batch, ScanPace pace, double share, TimePoint receivedAt)
{
    const int pages = batch.hasPage ? 1 : 0;
    // What was sent before the last reply came has waited for that first.
    const bool waited = batch.sentAt < m_lastReceivedAt;
    const auto ownTime = Budget::ownTime();
    const auto cost =
        m_budget.measure(receivedAt - std::max(batch.sentAt, m_lastReceivedAt),
                         ownTime - std::max(batch.ownTime, m_lastOwnTime), waited, batch.reads, pages);
    m_lastReceivedAt = receivedAt;
    m_lastOwnTime = ownTime;
    m_workedSincePage += m_budget.lastWorked();
    m_readsSincePage += batch.reads;
    if (batch.hasPage)
        m_scanCount.took(
            m_budget.ofPages(std::exchange(m_workedSincePage, {}), std::exchange(m_readsSincePage, 0)));
    if (batch.reason == ReadReason::Change)
        m_budget.chargeChanges(cost, share, batch.sentAt);
    else if (pace == ScanPace::Budgeted)
        m_budget.chargeScan(cost, batch.reads, pages, share, batch.sentAt);
    return cost;
}

void LoadMeter::chargeWaiters(int weight, double share, TimePoint sentAt, TimePoint receivedAt)
{
    m_budget.chargeScan(m_budget.costLike(weight), weight, 0, share, sentAt);
    m_lastReceivedAt = receivedAt;
    m_lastOwnTime = Budget::ownTime();
}

} // namespace lockscope

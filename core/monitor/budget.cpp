// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/budget.h"

#include <cmath>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto cheapestRead = 1us;
constexpr auto costliestRead = 10us; // a bounded read of one key; ten times what was measured
constexpr auto costliestPage = 2000us;
constexpr auto readAhead = 50ms;
constexpr double leastForSweeps = 0.2; // of the share
constexpr auto memory = 1s;

} // namespace

Clock::duration Budget::measure(Clock::duration time, bool waited, int reads, int pages)
{
    if (!waited)
        m_idleRoundTrip = std::min(m_idleRoundTrip, time);
    return std::clamp<Clock::duration>(waited ? time : time - m_idleRoundTrip, (reads + pages) * cheapestRead,
                                       reads * costliestRead + pages * costliestPage);
}

Clock::duration Budget::ofPages(Clock::duration cost, int reads)
{
    return std::max<Clock::duration>(cost - reads * cheapestRead, 0us);
}

double Budget::usedByChanges(TimePoint now) const
{
    const double age = std::chrono::duration<double>(now - m_useAt) / memory;
    return m_useByChanges * std::exp(-std::max(age, 0.0));
}

void Budget::chargeChanges(Clock::duration cost, double share, TimePoint startedAt)
{
    m_useByChanges = usedByChanges(startedAt) + std::chrono::duration<double>(cost) / memory;
    m_useAt = startedAt;
    m_changes.charge(cost, share, startedAt);
}

void Budget::chargeSweep(Clock::duration cost, double share, TimePoint startedAt)
{
    m_sweeps.charge(cost, std::max(share - usedByChanges(startedAt), share * leastForSweeps), startedAt);
}

TimePoint Budget::nextChanges() const
{
    return m_changes.next() - readAhead;
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/typicalcost.h"

namespace lockscope {

/// Tunes COUNT of SCAN to about half a millisecond of server time, so that other clients do not wait longer
/// and few round trips are wasted. Learns from the measured calls.
class ScanCountTuner
{
public:
    static constexpr int first = 500;
    /// Half a millisecond on a slow machine; with cold caches fewer keys hardly take less time.
    static constexpr int least = 200;
    static constexpr int most = 1000;
    static constexpr std::chrono::microseconds wanted{500};

    int value() const { return m_count; }
    /// Takes the server time of one call with this count.
    void took(Clock::duration cost)
    {
        if (!m_cost.add(cost))
            return;
        const auto usual = std::max<Clock::duration>(m_cost.value(), std::chrono::microseconds(1));
        const double change = std::clamp(std::chrono::duration<double>(wanted) / usual, 0.5, 1.25);
        m_count = std::clamp(static_cast<int>(m_count * change), least, most);
    }

private:
    int m_count = first;
    TypicalCost m_cost;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

#include <algorithm>
#include <array>

namespace lockscope {

/// How many keys one SCAN is asked to walk over: as many as the server needs about half a millisecond for, so that
/// none of its other clients waits longer, and few round trips are wasted. Learns from what the calls take.
class ScanCount
{
public:
    static constexpr int first = 500;
    static constexpr int least = 50;
    static constexpr int most = 1000;
    static constexpr std::chrono::microseconds wanted{500};

    int value() const { return m_count; }
    /// One call with this count has taken the server so long.
    void took(Clock::duration cost)
    {
        m_costs[m_known++] = cost;
        if (m_known < m_costs.size())
            return;
        m_known = 0;
        // The lower quartile: what disturbs a measurement from outside only adds to it.
        const auto quartile = m_costs.begin() + m_costs.size() / 4;
        std::nth_element(m_costs.begin(), quartile, m_costs.end());
        const auto usual = std::max<Clock::duration>(*quartile, std::chrono::microseconds(1));
        const double change = std::clamp(std::chrono::duration<double>(wanted) / usual, 0.5, 1.25);
        m_count = std::clamp(static_cast<int>(m_count * change), least, most);
    }

private:
    int m_count = first;
    size_t m_known = 0;
    std::array<Clock::duration, 16> m_costs{};
};

} // namespace lockscope

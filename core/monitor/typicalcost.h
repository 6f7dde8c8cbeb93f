// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <array>

namespace lockscope {

/// The usual server cost, as the lower quartile of sixteen measurements, which can only be too large.
class TypicalCost
{
public:
    /// True every sixteenth time, with a new value().
    bool add(Clock::duration cost)
    {
        m_costs[m_count++] = cost;
        if (m_count < m_costs.size())
            return false;
        m_count = 0;
        const auto quartile = m_costs.begin() + m_costs.size() / 4;
        std::nth_element(m_costs.begin(), quartile, m_costs.end());
        m_usual = *quartile;
        return true;
    }

    /// Clock::duration::max() before the first sixteen.
    Clock::duration value() const { return m_usual; }

private:
    std::array<Clock::duration, 16> m_costs{};
    size_t m_count = 0;
    Clock::duration m_usual = Clock::duration::max();
};

} // namespace lockscope

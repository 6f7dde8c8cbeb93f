// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <deque>

namespace lockscope {

/// Counts recent losses of the feed's connection.
class FeedLosses
{
public:
    static constexpr std::chrono::seconds within{60};
    static constexpr qsizetype most = 3;

    /// Counts a loss. True if there were too many: the feed does more harm than good; the count restarts.
    bool add(TimePoint now)
    {
        m_times.push_back(now);
        while (now - m_times.front() > within)
            m_times.pop_front();
        if (std::ssize(m_times) < most)
            return false;
        m_times.clear();
        return true;
    }

private:
    std::deque<TimePoint> m_times;
};

} // namespace lockscope

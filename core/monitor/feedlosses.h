// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <deque>

namespace lockscope {

/// Counts how often the feed's connection was lost of late.
class FeedLosses
{
public:
    static constexpr std::chrono::seconds within{60};
    static constexpr qsizetype most = 3;

    /// True where these are too many, after which the count begins anew: the feed does more harm than good.
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

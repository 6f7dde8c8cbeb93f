// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>

namespace lockscope {

/// How long scans rest after one that could not be finished: twice as long after each, a minute at most. Known locks and
/// changes are read meanwhile.
class ScanBackoff
{
public:
    static constexpr std::chrono::seconds first{2};
    static constexpr std::chrono::seconds longest{60};

    void failed(TimePoint now)
    {
        m_rest = std::clamp<Clock::duration>(m_rest * 2, first, longest);
        m_until = now + m_rest;
    }
    /// A scan was finished, the user asked for one, or it is another connection.
    void clear() { *this = {}; }

    /// No scan before.
    TimePoint until() const { return m_until; }

private:
    TimePoint m_until;
    Clock::duration m_rest{};
};

} // namespace lockscope

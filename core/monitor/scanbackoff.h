// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>

namespace lockscope {

/// The pause of scans after one that failed: doubled each time, at most a minute. Known locks and changes are
/// still read.
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
    /// Resets after a finished scan, a request of the user, or a new connection.
    void clear() { *this = {}; }

    /// No scan starts before this time.
    TimePoint until() const { return m_until; }

private:
    TimePoint m_until;
    Clock::duration m_rest{};
};

} // namespace lockscope

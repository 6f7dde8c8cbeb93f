// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>

namespace lockscope {

/// Spreads work so that it takes at most a share of the server's time: after work that cost c, the next may
/// start when c / share has passed. What can't wait is charged all the same, and what can waits for it.
class Pacer
{
public:
    void charge(Clock::duration cost, double share, TimePoint startedAt)
    {
        const auto from = std::max(m_next, startedAt);
        m_next = from + std::chrono::duration_cast<Clock::duration>(cost / std::clamp(share, 0.001, 1.0));
    }

    /// No longer than this, whatever was charged.
    void limit(TimePoint latest) { m_next = std::min(m_next, latest); }

    /// When paced work may start.
    TimePoint next() const { return m_next; }

    /// Forgets what was charged: the user asked for full speed.
    void clearCharges() { m_next = {}; }

private:
    TimePoint m_next;
};

} // namespace lockscope

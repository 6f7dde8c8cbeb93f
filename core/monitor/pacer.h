// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>

namespace lockscope {

/// Limits work to a share of the server's time: after work of cost c, the next may start after c / share.
/// Urgent work is charged too, and delays the other work.
class Pacer
{
public:
    void charge(Clock::duration cost, double share, TimePoint startedAt)
    {
        const auto from = std::max(m_next, startedAt);
        m_next = from + std::chrono::duration_cast<Clock::duration>(cost / std::clamp(share, 0.001, 1.0));
    }

    /// Limits the wait, whatever was charged.
    void limit(TimePoint latest) { m_next = std::min(m_next, latest); }

    /// The earliest start of paced work.
    TimePoint next() const { return m_next; }

    /// Forgets all charges, for full speed.
    void clearCharges() { m_next = {}; }

private:
    TimePoint m_next;
};

} // namespace lockscope

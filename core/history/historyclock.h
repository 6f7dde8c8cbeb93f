// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <vector>

namespace lockscope {

/// The time axis of a history: this machine's epoch ms, but continued without a step if the clock is set
/// back, to never go back. Set forward, the axis jumps as the clock did.
class HistoryClock
{
public:
    /// Tolerance: threads may differ a little about the same moment.
    static constexpr qint64 maxBackMs = 1000;
    /// Only the last steps are kept; the oldest one kept covers all earlier times.
    static constexpr size_t maxSteps = 64;

    /// The axis time of a clock reading, taken in order: much less than the last one means a step back.
    qint64 take(qint64 wallMs);
    /// The axis time of a clock reading that comes out of order; does not take it.
    qint64 at(qint64 wallMs) const { return wallMs + m_steps.back().shiftMs; }
    /// The axis time of the present: never before what was taken.
    qint64 now(qint64 wallMs) const;
    /// The clock reading at an axis time.
    qint64 wallAt(qint64 axisMs) const;

private:
    struct Step
    {
        qint64 fromMs;
        qint64 shiftMs;
    };

    qint64 m_latest = 0;
    std::vector<Step> m_steps{{0, 0}};
};

} // namespace lockscope

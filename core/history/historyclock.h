// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <vector>

namespace lockscope {

/// The axis of a history: this machine's epoch ms, but where the clock was set back it goes on from where it was, so that
/// nothing lies above what came before it. Set forward, it jumps as the clock did.
class HistoryClock
{
public:
    /// Threads that tell of one moment may differ by a little.
    static constexpr qint64 mostBackMs = 1000;
    /// Of more settings the oldest are forgotten: what came before is told by the oldest that is known.
    static constexpr size_t mostSteps = 64;

    /// Takes what the clock said at moments that are told in their order: much less than before means that it was set back.
    qint64 take(qint64 wallMs);
    /// A moment that is told out of order, without taking it.
    qint64 at(qint64 wallMs) const { return wallMs + m_steps.back().shiftMs; }
    /// The same of the present: never before what was taken.
    qint64 now(qint64 wallMs) const;
    /// What the clock said then.
    qint64 wallAt(qint64 axisMs) const;

private:
    struct Step
    {
        qint64 fromMs; ///< on the axis
        qint64 shiftMs;
    };

    qint64 m_latest = 0;
    std::vector<Step> m_steps{{0, 0}};
};

} // namespace lockscope

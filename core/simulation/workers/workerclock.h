// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/workercontrol.h"

namespace lockscope {

/// A worker's own clock, which stops while the worker is paused, like that of a stopped program. On the
/// worker's thread; every wait ends within 10 ms of a stop.
class WorkerClock
{
public:
    WorkerClock(WorkerControl &control, TimePoint start) : m_control(control), m_start(start) {}

    void beginLife(std::stop_token life);
    TimePoint now() const { return Clock::now() - m_missed; }
    /// Converts a moment of the steady clock to this one.
    TimePoint own(TimePoint moment) const { return moment - m_missed; }
    /// By the steady clock.
    microseconds sinceStart(TimePoint moment) const;

    // False: the worker's life has ended.
    bool sleepUntil(TimePoint moment);
    bool pauseFor(milliseconds pause); ///< pauses the worker and its clock
    bool waitWhilePaused();            ///< while paused by the user

private:
    template <typename Condition>
    void miss(Condition goesOn);

    WorkerControl &m_control;
    const TimePoint m_start;
    std::stop_token m_life;
    std::chrono::nanoseconds m_missed{0};
};

} // namespace lockscope

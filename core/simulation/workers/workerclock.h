// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/workercontrol.h"

namespace lockscope {

/// A worker's own clock: stands still whenever the worker does, as that of a program that is not run. On the
/// worker's thread; every wait ends within 10 ms of a stop.
class WorkerClock
{
public:
    WorkerClock(WorkerControl &control, TimePoint start) : m_control(control), m_start(start) {}

    void beginLife(std::stop_token life);
    TimePoint now() const { return Clock::now() - m_missed; }
    /// What a moment of everybody's clock is on this one.
    TimePoint own(TimePoint moment) const { return moment - m_missed; }
    /// By everybody's clock.
    microseconds sinceStart(TimePoint moment) const;

    // False: the life has ended.
    bool sleepUntil(TimePoint moment); ///< by this clock
    bool pauseFor(milliseconds pause); ///< the worker does, and so this clock
    bool waitWhilePaused();            ///< as long as the user has it so

private:
    template <typename Condition>
    void miss(Condition goesOn);

    WorkerControl &m_control;
    const TimePoint m_start;
    std::stop_token m_life;
    std::chrono::nanoseconds m_missed{0};
};

} // namespace lockscope

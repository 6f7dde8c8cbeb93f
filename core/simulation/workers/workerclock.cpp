// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workerclock.h"

#include <algorithm>
#include <thread>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto sleepStep = 10ms; // how often a sleeper looks whether it is to stop or to stand still

} // namespace

void WorkerClock::beginLife(std::stop_token life)
{
    m_life = std::move(life);
    m_missed = 0ns;
}

microseconds WorkerClock::sinceStart(TimePoint moment) const
{
    return std::chrono::duration_cast<microseconds>(moment - m_start);
}

bool WorkerClock::sleepUntil(TimePoint moment)
{
    while (waitWhilePaused()) {
        const auto left = moment - now();
        if (left <= 0ns)
            return true;
        std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(sleepStep, left));
    }
    return false;
}

template <typename Condition>
void WorkerClock::miss(Condition goesOn)
{
    const WorkerView before = m_control.view();
    const TimePoint began = Clock::now();
    m_control.show(WorkerState::Paused, sinceStart(began), before.lock, before.holds);
    if (m_control.isTraced())
        m_control.trace({.kind = TraceEntry::Kind::PauseBegan, .at = sinceStart(began)});
    while (goesOn() && !m_life.stop_requested())
        std::this_thread::sleep_for(sleepStep);
    m_missed += Clock::now() - began;
    m_control.show(before.state, sinceStart(Clock::now()), before.lock, before.holds);
    if (m_control.isTraced())
        m_control.trace({.kind = TraceEntry::Kind::PauseEnded, .at = sinceStart(Clock::now())});
}

bool WorkerClock::pauseFor(milliseconds pause)
{
    miss([end = Clock::now() + pause] { return Clock::now() < end; });
    return !m_life.stop_requested();
}

bool WorkerClock::waitWhilePaused()
{
    if (m_control.isPaused())
        miss([this] { return m_control.isPaused(); });
    return !m_life.stop_requested();
}

} // namespace lockscope

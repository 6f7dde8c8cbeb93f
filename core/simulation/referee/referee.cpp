// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/referee.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

using Kind = RefereeEvent::Kind;
using Traced = TraceEntry::Kind;

/// Events for a run's trace; workers report the others themselves.
constexpr std::pair<Kind, Traced> pictured[] = {
    {Kind::Enter, Traced::Entered},
    {Kind::Leave, Traced::Left},
    {Kind::Crash, Traced::DiedInside},
    {Kind::ServerLosing, Traced::ServerStopping},
    {Kind::ServerLost, Traced::ServerBack},
    {Kind::ProcessStalled, Traced::ProcessStalled},
    {Kind::ProcessResumed, Traced::ProcessResumed},
};

} // namespace

void LocalReferee::take(RefereeEvent event)
{
    const std::lock_guard guard(m_mutex);
    event.at = onClock(Clock::now());
    judge(event);
}

void LocalReferee::record(const RefereeEvent &event)
{
    const std::lock_guard guard(m_mutex);
    judge(event);
}

void LocalReferee::judge(const RefereeEvent &event)
{
    m_detector.take(event);
    const auto traced = std::ranges::find(pictured, event.kind, &std::pair<Kind, Traced>::first);
    if (!m_isTraced || traced == std::end(pictured))
        return;
    TraceEntry entry{.kind = traced->second, .at = event.at, .fence = event.fence};
    if (entry.kind < Traced::ServerPaused) {
        entry.worker = qint16(event.worker);
        entry.lock = qint16(event.lock);
    }
    m_trace.add(entry);
}

RunTrace LocalReferee::takeTrace()
{
    const std::lock_guard guard(m_mutex);
    return std::exchange(m_trace, RunTrace());
}

void LocalReferee::add(const Violation &violation)
{
    const std::lock_guard guard(m_mutex);
    m_detector.add(violation);
}

Findings LocalReferee::findings() const
{
    const std::lock_guard guard(m_mutex);
    return m_detector.findings();
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/referee.h"

#include <utility>

namespace lockscope {

namespace {

/// What belongs into a picture of the run; a worker tells the rest itself.
std::optional<TraceEntry> traceOf(const RefereeEvent &event)
{
    using Kind = RefereeEvent::Kind;
    using Traced = TraceEntry::Kind;
    TraceEntry entry{.worker = qint16(event.worker), .lock = qint16(event.lock), .at = event.at};
    const auto ofServer = [&](Traced kind) {
        entry.kind = kind;
        entry.worker = entry.lock = -1;
        return entry;
    };
    switch (event.kind) {
    case Kind::Enter:
        entry.kind = Traced::Entered;
        return entry;
    case Kind::Leave:
        entry.kind = Traced::Left;
        return entry;
    case Kind::Crash:
        entry.kind = Traced::DiedInside;
        return entry;
    case Kind::ServerLosing:
        return ofServer(Traced::ServerStopping);
    case Kind::ServerLost:
        return ofServer(Traced::ServerBack);
    case Kind::ProcessStalled:
        return ofServer(Traced::ProcessStalled);
    case Kind::ProcessResumed:
        return ofServer(Traced::ProcessResumed);
    case Kind::Deleting:
    case Kind::Deleted:
    case Kind::Renewed:
    case Kind::Leaked:
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

LocalReferee::LocalReferee(TimePoint start, int locks) : Referee(start), m_inside(static_cast<size_t>(locks))
{
}

void LocalReferee::take(RefereeEvent event)
{
    const std::lock_guard guard(m_mutex);
    event.at = onClock(Clock::now());
    judge(event);
}

void LocalReferee::record(RefereeEvent event)
{
    const std::lock_guard guard(m_mutex);
    judge(event);
}

void LocalReferee::judge(RefereeEvent event)
{
    using Kind = RefereeEvent::Kind;
    int &inside = m_inside[static_cast<size_t>(event.lock)];
    if (event.kind == Kind::Enter)
        event.insideBefore = inside++;
    else if (event.kind == Kind::Leave || event.kind == Kind::Crash)
        --inside;
    m_detector.take(event);
    if (!m_isTraced)
        return;
    if (const std::optional<TraceEntry> entry = traceOf(event))
        m_trace.add(*entry);
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

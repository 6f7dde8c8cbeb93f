// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker tells for the run's trace.
#include "core/simulation/model/strategyspec.h"
#include "core/simulation/workers/worker.h"

namespace lockscope {

void Worker::trace(TraceEntry::Kind kind, int lock, TimePoint since, TimePoint until)
{
    if (!m_context.isTraced)
        return;
    const auto onClock = [this](TimePoint moment) {
        return moment == TimePoint() ? microseconds(0) : m_clock.sinceStart(moment);
    };
    m_control.trace(
        {kind, -1, qint16(lock), -1, m_clock.sinceStart(Clock::now()), onClock(since), onClock(until)});
}

void Worker::traceWake(int lock, const WakeMessage &message)
{
    if (m_context.isTraced)
        m_control.trace({TraceEntry::Kind::Woken, -1, qint16(lock), qint16(message.worker),
                         m_clock.sinceStart(message.readAt), m_clock.sinceStart(message.sentAfter)});
}

/// A client that counts its levels by itself sends nothing then.
bool Worker::renewsByLevel(const Iteration &visit) const
{
    return !specOf(visit.algorithm.value_or(m_context.algorithm).strategy).isToken;
}

void Worker::traceLevel(const Iteration &visit, int lock)
{
    trace(TraceEntry::Kind::Reentered, lock, m_asked,
          renewsByLevel(visit) ? m_asked + visit.lease : TimePoint());
}

void Worker::traceRelease(const Iteration &visit, int lock, TimePoint sent, const ReleaseResult &release,
                          bool isLast)
{
    if (!m_context.isTraced)
        return;
    using Kind = TraceEntry::Kind;
    TraceEntry entry{.kind = Kind::NotHeld, .lock = qint16(lock)};
    // What counts is what it believes: the server may have more levels.
    if (release.verdict != ReleaseResult::Verdict::NotHeld)
        entry.kind = !isLast ? Kind::Unwound : release.isPublished ? Kind::Published : Kind::Released;
    entry.at = m_clock.sinceStart(Clock::now());
    entry.since = m_clock.sinceStart(sent);
    if (entry.kind == Kind::Unwound && renewsByLevel(visit))
        entry.until = entry.since + visit.lease;
    else if (release.handedFor)
        entry.until = entry.since + *release.handedFor;
    m_control.trace(entry);
}

} // namespace lockscope

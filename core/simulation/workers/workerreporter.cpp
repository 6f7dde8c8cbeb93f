// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workerreporter.h"

#include "core/simulation/model/strategyspec.h"

#include <QDateTime>

namespace lockscope {

namespace {

/// False for a client that counts levels itself, and sends nothing for them.
bool renewsByLevel(const Algorithm &algorithm)
{
    return !specOf(algorithm.strategy).isToken;
}

} // namespace

WorkerReporter::WorkerReporter(WorkerControl &control, const WorkerClock &clock, Referee &referee, int worker,
                               bool keepsLog)
    : m_control(control), m_clock(clock), m_referee(referee), m_worker(worker), m_keepsLog(keepsLog)
{
}

void WorkerReporter::show(WorkerState state, int lock, int holds)
{
    m_control.show(state, m_clock.sinceStart(Clock::now()), lock, holds);
}

void WorkerReporter::log(LogLine::What what, int lock)
{
    if (m_keepsLog)
        m_control.log(
            {what, m_worker, lock, m_clock.sinceStart(Clock::now()), QDateTime::currentMSecsSinceEpoch()});
}

void WorkerReporter::tellReferee(RefereeEvent event)
{
    event.worker = m_worker;
    m_referee.take(event);
}

void WorkerReporter::trace(TraceEntry::Kind kind, int lock, TimePoint since, TimePoint until)
{
    if (!m_control.isTraced())
        return;
    const auto onClock = [this](TimePoint moment) {
        return moment == TimePoint() ? microseconds(0) : m_clock.sinceStart(moment);
    };
    m_control.trace(
        {kind, -1, qint16(lock), -1, m_clock.sinceStart(Clock::now()), onClock(since), onClock(until)});
}

void WorkerReporter::traceWake(int lock, const WakeMessage &message)
{
    if (m_control.isTraced())
        m_control.trace({TraceEntry::Kind::Woken, -1, qint16(lock), qint16(message.worker),
                         m_clock.sinceStart(message.readAt), m_clock.sinceStart(message.sentAfter)});
}

void WorkerReporter::traceLevel(const Algorithm &algorithm, int lock, TimePoint asked, milliseconds lease)
{
    trace(TraceEntry::Kind::Reentered, lock, asked, renewsByLevel(algorithm) ? asked + lease : TimePoint());
}

void WorkerReporter::traceRelease(const Algorithm &algorithm, int lock, TimePoint sent, milliseconds lease,
                                  const ReleaseResult &release, bool isLast)
{
    if (!m_control.isTraced())
        return;
    using Kind = TraceEntry::Kind;
    TraceEntry entry{.kind = Kind::NotHeld, .lock = qint16(lock)};
    if (release.verdict != ReleaseResult::Verdict::NotHeld)
        entry.kind = !isLast ? Kind::Unwound : release.isPublished ? Kind::Published : Kind::Released;
    entry.at = m_clock.sinceStart(Clock::now());
    entry.since = m_clock.sinceStart(sent);
    if (entry.kind == Kind::Unwound && renewsByLevel(algorithm))
        entry.until = entry.since + lease;
    else if (release.handedFor)
        entry.until = entry.since + *release.handedFor;
    m_control.trace(entry);
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"
#include "core/simulation/referee/referee.h"
#include "core/simulation/strategy/strategy.h"
#include "core/simulation/workers/workerclock.h"
#include "core/simulation/workers/workercontrol.h"

#include <memory>

namespace lockscope {

/// A worker's reports to the referee and, by its control, to observers. On the worker's thread.
class WorkerReporter
{
public:
    WorkerReporter(WorkerControl &control, const WorkerClock &clock, Referee &referee, int worker,
                   bool keepsLog);

    void show(WorkerState state, int lock = -1, int holds = 0);
    void log(LogLine::What what, int lock);
    /// Sets the event's worker.
    void tellReferee(RefereeEvent event);
    void trace(TraceEntry::Kind kind, int lock = -1, TimePoint since = {}, TimePoint until = {});
    void traceWake(int lock, const WakeMessage &message);
    void traceLevel(const Algorithm &algorithm, int lock, TimePoint asked, milliseconds lease);
    /// `isLast`: of the levels that the worker believes to hold; the server may have more.
    void traceRelease(const Algorithm &algorithm, int lock, TimePoint sent, milliseconds lease,
                      const ReleaseResult &release, bool isLast);

private:
    WorkerControl &m_control;
    const WorkerClock &m_clock;
    Referee &m_referee;
    const int m_worker;
    const bool m_keepsLog;
};

} // namespace lockscope

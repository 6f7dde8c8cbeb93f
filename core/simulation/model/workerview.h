// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/simulation/model/report.h"

#include <QMetaType>

#include <optional>

namespace lockscope {

enum class WorkerState : quint8 { Starting, Resting, Waiting, Holding, Paused, Dead, Disconnected, Finished };

struct WorkerView
{
    WorkerState state = WorkerState::Starting;
    int lock = -1; ///< that it waits for or holds; -1: none
    int holds = 0;
    microseconds since{0}; ///< begin of the state, from the run's start
    qint64 acquired = 0;
};

/// The state of some workers of a run, and their news.
struct WorkersStatus
{
    QList<WorkerView> views;
    WorkerStats total;          ///< all these workers and their shared parts
    QList<LogLine> log;         ///< since the last status; by worker
    RunTrace trace;             ///< since the last status; empty if not traced
    std::optional<Error> error; ///< from the first worker that cannot continue
    bool hasEnded = false;
};

/// The present state of a running simulation; emitted ten times per second.
struct SimulationSnapshot
{
    microseconds elapsed{0};
    QList<WorkerView> workers;
    WorkerStats total;
    Findings findings; ///< so far; orphans and leaks only in the report
    int round = 0;
    QList<TraceEntry> news;  ///< trace since the last snapshot; empty if not traced
    qint64 traceLeftOut = 0; ///< see RunTrace, so far
    std::optional<microseconds> traceFullAt;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SimulationSnapshot)
Q_DECLARE_METATYPE(lockscope::Report)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/report.h"

#include <QMetaType>

#include <optional>

namespace lockscope {

enum class WorkerState : quint8 { Starting, Resting, Waiting, Holding, Paused, Dead, Disconnected, Finished };

/// One worker as it is now.
struct WorkerView
{
    WorkerState state = WorkerState::Starting;
    int lock = -1; ///< that it waits for or holds; -1: none
    int holds = 0;
    microseconds since{0}; ///< in this state since, from the run's start
    qint64 acquired = 0;
};

/// A running simulation as it is now; goes out ten times a second.
struct SimulationSnapshot
{
    microseconds elapsed{0};
    QList<WorkerView> workers;
    WorkerStats total;
    Findings findings; ///< so far; orphans and leaks come with the report
    int round = 0;
    QList<TraceEntry> news;  ///< of the trace since the last snapshot; of a run that is not traced: none
    qint64 traceLeftOut = 0; ///< as RunTrace has it, so far
    std::optional<microseconds> traceFullAt;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::SimulationSnapshot)
Q_DECLARE_METATYPE(lockscope::Report)

// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and reports of runs that never ran.
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

/// Of `workers`: the first holds, the second is dead, the third paused, the others wait.
inline SimulationSnapshot samplePicture(int workers, microseconds elapsed, qint64 acquired)
{
    SimulationSnapshot picture;
    picture.elapsed = elapsed;
    picture.total.acquired = acquired;
    picture.total.attempts = acquired + workers - 1;
    picture.total.commands = 3 * acquired;
    for (qint64 i = 0; i < acquired; ++i)
        picture.total.wait.record(microseconds(100 * (i % 40 + 1)));
    for (int i = 0; i < workers; ++i) {
        const WorkerState state = i == 0   ? WorkerState::Holding
                                  : i == 1 ? WorkerState::Dead
                                  : i == 2 ? WorkerState::Paused
                                           : WorkerState::Waiting;
        picture.workers.append({state, 0, i == 0 ? 2 : 0, elapsed / 2, acquired / workers});
    }
    return picture;
}

inline Report sampleReport(StrategyKind strategy, qint64 acquired, microseconds wait)
{
    Report report;
    report.plan.algorithm.strategy = strategy;
    report.keys = {"sim:sample-1234:1"};
    report.duration = std::chrono::seconds(2);
    report.total.attempts = acquired;
    report.total.acquired = acquired;
    report.total.commands = acquired * 4;
    report.acquiredByWorker = {acquired / 2, acquired - acquired / 2};
    for (qint64 i = 0; i < acquired; ++i)
        report.total.wait.record(wait);
    return report;
}

inline Violation sampleViolation()
{
    Violation violation;
    violation.kind = ViolationKind::Overlap;
    violation.holder = 2;
    violation.intruder = 6;
    violation.holderEntered = milliseconds(1204);
    violation.at = milliseconds(1352);
    return violation;
}

} // namespace lockscope

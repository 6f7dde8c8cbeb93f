// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/simulation/model/workerview.h"
#include "core/simulation/referee/violationdetector.h"

#include <chrono>
#include <memory>

namespace lockscope {

/// All workers of a run with their referee, on threads or in processes. Used on the runner's thread.
class WorkerBackend
{
public:
    struct Run
    {
        ServerAddress server;
        Plan plan;
        QList<QByteArray> keys;
        TimePoint start; ///< begin of the workers' first iterations; they connect before
        bool isTraced = false;
    };

    virtual ~WorkerBackend() = default;

    virtual Result<void> begin() = 0;
    /// Waits for at most `time`, and processes what came.
    virtual void attend(milliseconds time) = 0;
    virtual void requestStop() = 0;
    virtual void kill(int worker) = 0;
    virtual void setPaused(int worker, bool paused) = 0;
    /// Kills a worker as soon as one holds a lock: call again until it returns which, or until forgoKill()
    /// returns true.
    virtual std::optional<int> killHolder() = 0;
    virtual bool forgoKill() = 0; ///< false: a kill is in progress, and killHolder() will return the worker
    /// Reports an event of the server, not of a worker, to the referee, at its present time.
    virtual void note(RefereeEvent::Kind kind) = 0;
    virtual void add(const Violation &violation) = 0;

    virtual bool hasEnded() const = 0;
    virtual QList<WorkerView> views() const = 0;
    virtual WorkerStats total() const = 0; ///< all workers and their shared parts
    virtual QList<LogLine> takeLog() = 0;
    /// Observations since the last call; empty if not traced.
    virtual RunTrace takeTrace() = 0;
    virtual Findings findings() const = 0;
    virtual QList<Round> rounds() const = 0;
    virtual std::optional<Error> error() const = 0;
};

/// Workers on threads of this process.
std::unique_ptr<WorkerBackend> threadBackend(WorkerBackend::Run run);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/simulation/model/workerview.h"
#include "core/simulation/referee/violationdetector.h"

#include <chrono>
#include <memory>

namespace lockscope {

/// All workers of a run with their referee, wherever they are. On one thread, that of the run's director.
class WorkerBackend
{
public:
    /// One run, ready to begin.
    struct Run
    {
        ServerAddress server;
        Plan plan;
        QList<QByteArray> keys;
        TimePoint start; ///< when the workers begin; before it they connect
        bool isTraced = false;
    };

    virtual ~WorkerBackend() = default;

    virtual Result<void> begin() = 0;
    /// Lets time pass, at most so long, and takes in what came.
    virtual void attend(milliseconds time) = 0;
    virtual void requestStop() = 0;
    virtual void kill(int worker) = 0;
    virtual void setPaused(int worker, bool paused) = 0;
    /// Kills one that holds a lock at that moment, as soon as there is one: to be called again until it answers whom, or
    /// until forgoKill() says that nobody was.
    virtual std::optional<int> killHolder() = 0;
    virtual bool forgoKill() = 0; ///< false: somebody is being killed, and killHolder() will say whom
    /// For the referee, at its present moment: what is known of the server, not of a worker.
    virtual void note(RefereeEvent::Kind kind) = 0;
    virtual void add(const Violation &violation) = 0;

    virtual bool hasEnded() const = 0;
    virtual QList<WorkerView> views() const = 0;
    virtual WorkerStats total() const = 0; ///< of all workers, with what they share
    virtual QList<LogLine> takeLog() = 0;
    /// What was observed since the last time; empty where the run is not traced.
    virtual RunTrace takeTrace() = 0;
    virtual Findings findings() const = 0;
    virtual QList<Round> rounds() const = 0;
    virtual std::optional<Error> error() const = 0;
};

/// Workers that are threads of this process.
std::unique_ptr<WorkerBackend> threadBackend(WorkerBackend::Run run);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"
#include "core/simulation/model/workerview.h"
#include "core/simulation/referee/referee.h"
#include "core/simulation/referee/roundtracker.h"

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

    explicit WorkerBackend(const Run &run) : m_rounds(run.plan), m_referee(run.start)
    {
        m_referee.setTraced(run.isTraced);
    }
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
    void add(const Violation &violation) { m_referee.add(violation); }

    virtual bool hasEnded() const = 0;
    virtual WorkersStatus takeStatus() = 0; ///< with the referee's trace
    Findings findings() const { return m_referee.findings(); }
    QList<Round> rounds() const { return m_rounds.rounds(); }

protected:
    RoundTracker m_rounds;
    LocalReferee m_referee;
};

/// Workers on threads of this process.
std::unique_ptr<WorkerBackend> threadBackend(const WorkerBackend::Run &run);

} // namespace lockscope

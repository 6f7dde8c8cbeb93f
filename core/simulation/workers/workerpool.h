// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/subscriptionhub.h"
#include "core/simulation/workers/worker.h"
#include "core/simulation/workers/workerbackend.h"

#include <memory>
#include <thread>

namespace lockscope {

/// The workers of one process, a thread each, and what they share.
class WorkerPool
{
public:
    /// Workers `first` to `first + count - 1` of the run. The referee outlives this; `arrived` as of gate().
    WorkerPool(const WorkerBackend::Run &run, Referee &referee, const RoutineFactory &routines, int first,
               int count, std::function<void(const Round &past)> arrived = {});
    /// Stops and joins.
    ~WorkerPool();
    WorkerPool(const WorkerPool &) = delete;
    WorkerPool &operator=(const WorkerPool &) = delete;

    void start();
    void requestStop(); ///< returns at once; the workers end within 100 ms
    void join();
    void kill(int worker); ///< by its number in the run
    /// One that holds a lock at this moment; nothing: nobody does.
    std::optional<int> killHolder();
    void setPaused(int worker, bool paused);
    RoundBarrier &gate() { return m_gate; } ///< of a run in rounds

    bool hasEnded() const; ///< every worker has
    QList<WorkerView> views() const;
    WorkerStats total() const; ///< with what they share
    QList<LogLine> takeLog();
    RunTrace takeTrace();               ///< since the last time; empty where the run is not traced
    std::optional<Error> error() const; ///< of the first worker that can't go on

private:
    struct Post;
    Post *find(int worker) const;

    SubscriptionHub m_hub;
    RoundBarrier m_gate;
    const WorkerContext m_context;
    const int m_first;
    std::vector<std::unique_ptr<Post>> m_posts; ///< last: their threads use all of the others
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/subscriptionhub.h"
#include "core/simulation/workers/worker.h"
#include "core/simulation/workers/workerbackend.h"

#include <memory>
#include <thread>

namespace lockscope {

/// The workers of one process, a thread each, and their shared parts.
class WorkerPool
{
public:
    /// Workers `first` to `first + count - 1` of the run. `referee` must outlive this; `arrived`: see gate().
    WorkerPool(const WorkerBackend::Run &run, Referee &referee, const RoutineFactory &routines, int first,
               int count, std::function<void(const Round &past)> arrived = {});
    ~WorkerPool();
    WorkerPool(const WorkerPool &) = delete;
    WorkerPool &operator=(const WorkerPool &) = delete;

    void start();
    void requestStop(); ///< returns at once; the workers end within 100 ms
    void join();
    void kill(int worker); ///< by its number in the run
    /// Kills a worker that holds a lock now; absent: none.
    std::optional<int> killHolder();
    void setPaused(int worker, bool paused);
    RoundBarrier &gate() { return m_gate; }

    bool hasEnded() const; ///< true once every worker has
    WorkersStatus takeStatus();

private:
    struct Post;
    Post *find(int worker) const;

    SubscriptionHub m_hub;
    RoundBarrier m_gate;
    const WorkerContext m_context;
    const int m_first;
    std::vector<std::unique_ptr<Post>> m_posts; ///< last member: their threads use all others
};

} // namespace lockscope

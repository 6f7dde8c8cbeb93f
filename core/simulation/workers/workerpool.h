// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/workers/worker.h"

#include <memory>
#include <thread>

namespace lockscope {

/// The workers of one process, a thread each.
class WorkerPool
{
public:
    /// Workers `first` to `first + count - 1` of the run. `stage` and what it refers to outlive this.
    WorkerPool(const WorkerContext &context, const RoutineFactory &routines, int first, int count);
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

    bool hasEnded() const; ///< every worker has
    QList<WorkerView> views() const;
    WorkerStats total() const;
    QList<qint64> attempts() const; ///< by worker
    QList<LogLine> takeLog();
    RunTrace takeTrace();               ///< since the last time; empty where the run is not traced
    std::optional<Error> error() const; ///< of the first worker that can't go on

private:
    struct Post;
    Post *find(int worker) const;

    const WorkerContext m_context;
    const int m_first;
    std::vector<std::unique_ptr<Post>> m_posts;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/simulation/model/runtrace.h"
#include "core/simulation/model/workerview.h"

#include <atomic>
#include <mutex>
#include <stop_token>

namespace lockscope {

/// State shared by a worker's thread and its observers. Thread-safe.
class WorkerControl
{
public:
    // For the worker.
    void show(WorkerState state, microseconds since, int lock = -1, int holds = 0);
    template <typename Change>
    void count(Change change)
    {
        const std::lock_guard guard(m_mutex);
        change(m_stats);
    }
    void log(const LogLine &line);
    /// True if trace() is used.
    bool isTraced() const { return m_isTraced; }
    void trace(const TraceEntry &entry);
    void fail(const Error &why); ///< only the first counts
    bool isPaused() const { return m_paused.load(std::memory_order_relaxed); }
    /// A token for one life of the worker, from start or replacement to its end.
    std::stop_token beginLife();
    bool isKilled() const { return m_killed.load(std::memory_order_relaxed); }
    /// Notes that the worker holds a lock.
    void comeIn();
    /// Before it releases its last lock. False: it was killed, and sends nothing more.
    bool setOut();

    // For observers.
    void setTraced(bool traced) { m_isTraced = traced; }
    void kill() { kill(false); } ///< like kill -9: it sends nothing more in this life
    /// Kills the worker only while it holds a lock; false: no effect.
    bool killHolder() { return kill(true); }
    void endLife();
    void setPaused(bool paused) { m_paused.store(paused, std::memory_order_relaxed); }
    WorkerView view() const;
    /// Adds the state of this worker, and its news since the last call.
    void addTo(WorkersStatus &status, int worker);

private:
    bool kill(bool onlyHolder);

    static constexpr qsizetype maxUntaken = 20'000; ///< entries: seconds of a worker that does nothing else

    std::atomic<bool> m_paused = false;
    std::atomic<bool> m_killed = false;
    bool m_isTraced = false;
    mutable std::mutex m_mutex;
    bool m_isHolder = false;
    WorkerView m_view;
    WorkerStats m_stats;
    QList<LogLine> m_log;
    RunTrace m_trace{maxUntaken};
    std::optional<Error> m_error;
    std::stop_source m_life;
};

} // namespace lockscope

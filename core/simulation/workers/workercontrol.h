// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/simulation/model/runtrace.h"
#include "core/simulation/model/workerview.h"

#include <atomic>
#include <mutex>
#include <stop_token>

namespace lockscope {

/// What a worker's thread and those who watch and steer it share. Thread-safe.
class WorkerControl
{
public:
    // The worker's side.
    void show(WorkerState state, microseconds since, int lock = -1, int holds = 0);
    template <typename Change>
    void count(Change change)
    {
        const std::lock_guard guard(m_mutex);
        change(m_stats);
    }
    void log(const LogLine &line);
    /// Whether trace() is of use to anybody.
    bool isTraced() const { return m_isTraced; }
    void trace(const TraceEntry &entry);
    void fail(const Error &why); ///< only the first counts
    bool isPaused() const { return m_paused.load(std::memory_order_relaxed); }
    /// A token for one life of the worker, from its start or its return to its end.
    std::stop_token beginLife();
    bool isKilled() const { return m_killed.load(std::memory_order_relaxed); }
    /// It holds a lock from now on.
    void comeIn();
    /// It is about to release its last one. False: it was killed before that, and sends nothing more.
    bool setOut();

    // The others'.
    void setTraced(bool traced) { m_isTraced = traced; } ///< before the worker begins
    void kill() { kill(false); }                         ///< as kill -9: it sends nothing more in this life
    /// Only while it holds a lock, which it then dies with: false, and nothing happens, where it does not.
    bool killHolder() { return kill(true); }
    void endLife();
    void setPaused(bool paused) { m_paused.store(paused, std::memory_order_relaxed); }
    WorkerView view() const;
    WorkerStats stats() const;
    QList<LogLine> takeLog();
    RunTrace takeTrace(); ///< since the last time
    std::optional<Error> error() const;

private:
    bool kill(bool onlyHolder);

    static constexpr qsizetype mostUntaken = 20'000; ///< entries: seconds of a worker that does nothing else

    std::atomic<bool> m_paused = false;
    std::atomic<bool> m_killed = false;
    bool m_isTraced = false;
    mutable std::mutex m_mutex; ///< the rest
    bool m_isHolder = false;
    WorkerView m_view;
    WorkerStats m_stats;
    QList<LogLine> m_log;
    RunTrace m_trace{mostUntaken};
    std::optional<Error> m_error;
    std::stop_source m_life;
};

} // namespace lockscope

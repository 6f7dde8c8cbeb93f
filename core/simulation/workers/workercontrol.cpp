// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workercontrol.h"

#include <utility>

namespace lockscope {

void WorkerControl::show(WorkerState state, microseconds since, int lock, int holds)
{
    const std::lock_guard guard(m_mutex);
    m_view.state = state;
    m_view.since = since;
    m_view.lock = lock;
    m_view.holds = holds;
}

void WorkerControl::log(const LogLine &line)
{
    const std::lock_guard guard(m_mutex);
    m_log.append(line);
}

void WorkerControl::trace(const TraceEntry &entry)
{
    const std::lock_guard guard(m_mutex);
    m_trace.add(entry);
}

void WorkerControl::fail(const Error &why)
{
    const std::lock_guard guard(m_mutex);
    if (!m_error)
        m_error = why;
}

std::stop_token WorkerControl::beginLife()
{
    const std::lock_guard guard(m_mutex);
    m_killed = false;
    m_isHolder = false;
    m_life = std::stop_source();
    return m_life.get_token();
}

void WorkerControl::comeIn()
{
    const std::lock_guard guard(m_mutex);
    m_isHolder = true;
}

bool WorkerControl::setOut()
{
    const std::lock_guard guard(m_mutex);
    m_isHolder = false;
    return !m_killed;
}

bool WorkerControl::kill(bool onlyHolder)
{
    std::stop_source life;
    {
        // With the life that it ends: one that begins meanwhile is not to be ended without having been killed.
        const std::lock_guard guard(m_mutex);
        if (onlyHolder && (!m_isHolder || m_killed))
            return false;
        m_killed = true;
        life = m_life;
    }
    life.request_stop();
    return true;
}

void WorkerControl::endLife()
{
    std::stop_source life;
    {
        const std::lock_guard guard(m_mutex);
        life = m_life;
    }
    life.request_stop(); // not under the mutex: what waits for it is called from here
}

WorkerView WorkerControl::view() const
{
    const std::lock_guard guard(m_mutex);
    return m_view;
}

void WorkerControl::addTo(WorkersStatus &status, int worker)
{
    const std::lock_guard guard(m_mutex);
    status.views.append(m_view);
    status.views.last().acquired = m_stats.acquired;
    status.total.merge(m_stats);
    status.log += std::exchange(m_log, {});
    status.trace.addAs(worker, std::exchange(m_trace, RunTrace(maxUntaken)));
    if (!status.error)
        status.error = m_error;
}

} // namespace lockscope

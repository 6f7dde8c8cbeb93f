// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/endcausetracker.h"

#include "core/monitor/infowatch.h"

#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

EndCauseTracker::EndCauseTracker(InfoWatch &info, QObject *parent, std::function<void()> again)
    : m_info(info), m_asking(250ms, parent, std::move(again))
{
}

void EndCauseTracker::connected(bool isSameProcess, bool isReplica, TimePoint now)
{
    m_judge.connected(isSameProcess, now);
    m_judge.setCounts(!isReplica);
}

EndCauseTracker::Changes EndCauseTracker::take(const ServerCounters &counters)
{
    const ServerCounters *latest = m_judge.latest();
    const Changes changes =
        latest ? Changes{latest->at, counters.flushes > latest->flushes, counters.swaps > latest->swaps}
               : Changes();
    m_judge.take(counters);
    m_asking.happened(counters.at); // by whatever occasion they came
    return changes;
}

QList<LockEvent> EndCauseTracker::settle(const QList<LockEvent> &events, bool isConnected)
{
    QList<LockEvent> settled = m_judge.settle(events);
    if (!m_judge.isWaiting())
        return settled;
    if (!isConnected || !m_info.isAsking()) // there is nobody to ask
        return settled + m_judge.settleAll();
    if (m_asking.admits(Clock::now()))
        m_info.ask();
    return settled;
}

std::optional<Eviction> EndCauseTracker::eviction() const
{
    const ServerCounters *latest = m_judge.latest();
    if (!latest || latest->evicts == ServerCounters::Evicts::Nothing)
        return std::nullopt;
    return Eviction{latest->policy, latest->evicted};
}

} // namespace lockscope

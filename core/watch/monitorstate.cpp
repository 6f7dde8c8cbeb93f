// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/monitorstate.h"

#include "core/base/match.h"

#include <algorithm>
#include <utility>

namespace lockscope {

QList<SourceEvent> MonitorState::take(const MonitorReport &event, TimePoint now, qint64 wallMs)
{
    std::visit(Match{[this](const LockDiff &diff) { m_holdTimes.add(diff.events); },
                     [this](const DataConfirmed &confirmed) {
                         m_confirmedAt = confirmed.at;
                         if (isReady())
                             m_staleSince.reset();
                     },
                     [this](const PermissionStatus &status) { m_permissions = status; },
                     [this](const ServerReset &reset) {
                         m_resets.add(reset);
                         m_happened.append({momentKind(reset), reset});
                     },
                     [this](const Error &why) { m_trouble = why; },
                     [this, now](const ConnectionStatus &status) { take(status, now); },
                     [](const SourceEvent &) {}, [this](const auto &told) { take(told); }},
               event);
    for (SourceEvent &moment : m_happened)
        moment.wallMs = wallMs;
    return std::exchange(m_happened, {});
}

void MonitorState::forget()
{
    skipGap();
    m_wasLost = false;
    m_incidentAt.reset();
    m_missing.clear();
    m_deadlocks.clear();
    m_holdTimes.clear();
}

void MonitorState::skipGap()
{
    m_status = {};
    m_feed = {};
}

void MonitorState::take(const ConnectionStatus &status, TimePoint now)
{
    const bool wasReady = isReady();
    m_status = status;
    m_read.takeConnection(isReady());
    if (wasReady && !isReady()) {
        m_trouble.reset();
        m_staleSince = m_confirmedAt.value_or(now);
        m_wasLost = true;
        m_happened.append({MonitorEventKind::Disconnected, status.error});
    } else if (isReady() && std::exchange(m_wasLost, false)) {
        m_happened.append({MonitorEventKind::Reconnected});
    }
}

void MonitorState::take(const ScanStats &stats)
{
    m_scan = stats;
    m_read.takeScan(stats.complete);
    if (stats.complete)
        m_trouble.reset();
}

void MonitorState::take(const FeedStatus &status)
{
    const FeedStatus before = std::exchange(m_feed, status);
    m_read.takeFeed(status);
    // One of a node that was lost meanwhile is told again with the node, and is none again.
    if (status.incident && (!m_incidentAt || *m_incidentAt < status.incident->at)) {
        m_incidentAt = status.incident->at;
        m_happened.append({MonitorEventKind::FeedGap, status.incident->what});
    }
    if (!before.routes.isEmpty() && status.routes != before.routes)
        m_happened.append({MonitorEventKind::FeedChanged, status.worst()});
}

void MonitorState::take(const QList<Deadlock> &deadlocks)
{
    const QList<Deadlock> before = std::exchange(m_deadlocks, deadlocks);
    for (const Deadlock &deadlock : notIn(before, deadlocks))
        m_happened.append({MonitorEventKind::DeadlockEnded, deadlock});
    for (const Deadlock &deadlock : notIn(deadlocks, before))
        m_happened.append({MonitorEventKind::Deadlock, deadlock});
}

/// A lost node has no reports until it is ready again.
void MonitorState::take(const ClusterStatus &cluster)
{
    m_cluster = cluster;
    if (cluster.nodes.isEmpty()) // nothing is known of them: none has left
        return;
    QSet<QString> missing;
    for (const NodeStatus &node : cluster.hasSeveral() ? cluster.missing() : QList<NodeStatus>()) {
        missing.insert(node.name);
        if (node.state == Link::State::Connecting || m_missing.contains(node.name))
            continue;
        m_missing.insert(node.name);
        m_happened.append({MonitorEventKind::NodeLost, node});
    }
    for (const QString &name : QSet(m_missing) - missing) {
        m_missing.remove(name);
        const auto node = std::ranges::find_if(
            cluster.nodes, [&](const NodeStatus &each) { return each.name == name && each.isReady(); });
        if (node != cluster.nodes.end()) {
            m_happened.append({MonitorEventKind::NodeReady, *node});
        } else {
            NodeStatus left;
            left.name = name;
            m_happened.append({MonitorEventKind::NodeLeft, left});
        }
    }
}

} // namespace lockscope

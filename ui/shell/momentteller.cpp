// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/momentteller.h"

#include "core/words/messages.h"
#include "core/words/servermessages.h"
#include "ui/shell/feedtext.h"
#include "ui/shell/resettext.h"

#include <algorithm>
#include <utility>

namespace lockscope {

MomentTeller::MomentTeller(const WatchSource &source, QString serverName, Describe describeDeadlock,
                           QObject *parent)
    : QObject(parent),
      m_source(source),
      m_serverName(std::move(serverName)),
      m_describeDeadlock(std::move(describeDeadlock))
{
    connect(&source, &WatchSource::statusChanged, this, &MomentTeller::takeStatus);
    connect(&source, &WatchSource::feedChanged, this, &MomentTeller::takeFeed);
    connect(&source, &WatchSource::serverReset, this, &MomentTeller::takeReset);
    connect(&source, &WatchSource::deadlocksChanged, this, &MomentTeller::takeDeadlocks);
    connect(&source, &WatchSource::clusterChanged, this, &MomentTeller::takeCluster);
}

void MomentTeller::forget()
{
    skipGap();
    m_wasLost = false;
    m_incidentAt.reset();
    m_deadlocks.clear();
    m_missing.clear();
}

void MomentTeller::skipGap()
{
    m_status = {};
    m_feed = {};
}

void MomentTeller::takeStatus(const ConnectionStatus &status)
{
    const bool wasReady = m_status.state == Connection::State::Ready;
    const bool isReady = status.state == Connection::State::Ready;
    m_status = status;
    if (wasReady && !isReady) {
        m_wasLost = true;
        tell(MomentKind::Disconnected, describe(status.error, m_serverName));
    } else if (isReady && std::exchange(m_wasLost, false)) {
        tell(MomentKind::Reconnected, tr("All locks are read again."));
    }
}

void MomentTeller::takeFeed(const FeedStatus &status)
{
    const FeedStatus before = std::exchange(m_feed, status);
    // One of a node that was lost meanwhile is told again with the node, and is none again.
    if (status.incident && (!m_incidentAt || *m_incidentAt < status.incident->at)) {
        m_incidentAt = status.incident->at;
        tell(MomentKind::FeedGap, gapText(status.incident->what));
    }
    if (!before.routes.isEmpty() && status.routes != before.routes)
        tell(MomentKind::FeedChanged, feedText(status.worst()));
}

void MomentTeller::takeReset(const ServerReset &reset)
{
    tell(momentKind(reset), resetText(reset, m_status.server));
}

void MomentTeller::takeDeadlocks(const QList<Deadlock> &deadlocks)
{
    const QList<Deadlock> before = std::exchange(m_deadlocks, deadlocks);
    const QList<Deadlock> ended = notIn(before, deadlocks);
    for (const Deadlock &deadlock : ended)
        tell(MomentKind::DeadlockEnded, m_describeDeadlock(deadlock), deadlock.cycle.first().lock);
    const QList<Deadlock> fresh = notIn(deadlocks, before);
    for (const Deadlock &deadlock : fresh)
        tell(MomentKind::Deadlock, m_describeDeadlock(deadlock), deadlock.cycle.first().lock);
}

/// Of a node that is lost nothing is heard until it is ready again.
void MomentTeller::takeCluster(const ClusterStatus &cluster)
{
    if (cluster.nodes.isEmpty()) // nothing is known of them: none has left
        return;
    QSet<QString> missing;
    const QList<NodeStatus> nodes = cluster.hasSeveral() ? cluster.missing() : QList<NodeStatus>();
    for (const NodeStatus &node : nodes) {
        missing.insert(node.name);
        if (node.state == Link::State::Connecting || m_missing.contains(node.name))
            continue;
        m_missing.insert(node.name);
        tell(MomentKind::NodeLost, whyMissing(node, m_serverName));
    }
    const QSet<QString> told = m_missing;
    for (const QString &name : told - missing) {
        m_missing.remove(name);
        const bool isReady = std::ranges::any_of(
            cluster.nodes, [&](const NodeStatus &node) { return node.name == name && node.isReady(); });
        if (isReady)
            tell(MomentKind::NodeReady, tr("%1 is ready. Its locks are read again.").arg(name));
        else
            tell(MomentKind::NodeLeft, tr("%1 keeps no locks any more.").arg(name));
    }
}

void MomentTeller::tell(MomentKind kind, const QString &text, const LockKey &key)
{
    // A line of a list.
    emit happened({kind, QString(text).replace(u'\n', u' '), m_source.wallNow(), key});
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
// Of a monitor's page: the servers behind it, and what the user is told of them.
#include "ui/shell/monitorpage.h"

#include "core/redis/deployment/reachableaddress.h"
#include "core/words/messages.h"
#include "core/words/servermessages.h"
#include "ui/actions/mainactions.h"
#include "ui/audit/auditpanel.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/statusbar.h"
#include "ui/widgets/banner.h"

#include <algorithm>

namespace lockscope {

void MonitorPage::takeCluster(const ClusterStatus &cluster)
{
    m_cluster = cluster;
    m_history.setUnknownSlots(cluster.unknownSlots, m_source->wallNow());
    if (!m_pausedAt) // what is held still is of the nodes as they were
        m_locks->setCluster(cluster);
    m_statusLine->showCluster(cluster);
    QStringList names;
    for (const NodeStatus &node : cluster.nodes)
        names.append(node.name);
    if (m_audit)
        m_audit->addServers(names);
    showConnection();
    if (cluster.hasSeveral())
        showChosen();
    else
        updateCommands();
}

/// False where none is missing.
bool MonitorPage::tellMissingNodes()
{
    const QList<NodeStatus> missing = m_cluster.hasSeveral() ? m_cluster.missing() : QList<NodeStatus>();
    if (missing.isEmpty())
        return false;
    const NodeStatus &first = missing.first();
    QStringList detail;
    for (const NodeStatus &node : missing.first(std::min<qsizetype>(missing.size(), 3))) {
        if (node.error != Error())
            detail.append(whyMissing(node, m_serverName));
    }
    if (m_trouble)
        detail.append(describe(*m_trouble, m_serverName));
    detail.removeDuplicates();
    if (m_cluster.isGroup) {
        tellMissingServers(static_cast<int>(missing.size()), detail.join(u' '));
        return true;
    }
    const auto count = static_cast<int>(missing.size());
    const bool wereRead =
        std::ranges::any_of(missing, [](const NodeStatus &node) { return node.confirmedAt.has_value(); });
    const QString title = count > 1 ? tr("%n node(s) of the cluster are not available", nullptr, count)
                                    : tr("%1 is not available").arg(first.name);
    m_banner->setMessage(StatusColor::Danger,
                         tr("%1: %2").arg(title, wereRead
                                                     ? tr("what is shown in gray is as last read")
                                                     : tr("its locks are unknown and not shown", "of nodes")),
                         detail.join(u' '), tr("Retry now"));
    return true;
}

/// What is not known of a lock without them, and what is.
void MonitorPage::tellMissingServers(int missing, const QString &why)
{
    const auto all = static_cast<int>(m_cluster.nodes.size());
    const int majority = Quorum::majorityOf(all);
    const QString title = tr("%n server(s) of the Redlock group are not available", nullptr, missing);
    const QString effect = all - missing >= majority
                               ? tr("locks are known as far as the others tell")
                               : tr("no lock's quorum can be known, and none can be acquired");
    m_banner->setMessage(all - missing >= majority ? StatusColor::Warning : StatusColor::Danger,
                         tr("%1: %2").arg(title, effect), why, tr("Retry now"));
}

/// False where what the server has is what its primary has, as far as that can be known.
bool MonitorPage::tellReplication()
{
    if (m_cluster.hasSeveral() || m_cluster.nodes.isEmpty())
        return false;
    const NodeStatus &node = m_cluster.nodes.first();
    if (node.replicaOf && (!node.replicaOf->isUp || node.replicaOf->isSyncing)) {
        m_banner->setMessage(StatusColor::Warning, replicaWarning(*node.replicaOf),
                             m_trouble ? describe(*m_trouble, m_serverName) : QString());
        return true;
    }
    if (m_cluster.sentinels && m_cluster.sentinels->known > 0 && m_cluster.sentinels->answering == 0) {
        m_banner->setMessage(
            StatusColor::Warning, tr("No Sentinel answers"),
            tr("%1 is still connected. A failover would be noticed only when that connection "
               "ends.")
                .arg(node.name));
        return true;
    }
    return false;
}

/// By another program, which knows no Sentinels.
/// For redis-cli, which knows neither Sentinels nor tunnels: the node that keeps the key, or one of a Redlock group that has it.
ServerAddress MonitorPage::serverToAsk(const LockKey &key) const
{
    ServerAddress server = m_session->address();
    if (server.isGroup()) {
        const WatchedLock *lock = m_locks->model().find(key);
        return server.member(
            server.members.value(lock && lock->lock.quorum ? lock->lock.quorum->shownMember : 0));
    }
    const NodeStatus *node = m_cluster.nodeOf(key);
    const bool followsByItself = m_cluster.isCluster() && server.sshHost.isEmpty(); // redis-cli -c
    if (!node || followsByItself || (!m_cluster.isCluster() && !server.isBySentinels()))
        return server;
    return reachableAddress(node->address, server, server);
}

} // namespace lockscope

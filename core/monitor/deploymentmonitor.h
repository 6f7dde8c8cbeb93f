// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/deadlockdetector.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/quorumtable.h"
#include "core/redis/deployment/deployment.h"

#include <QTimer>

#include <memory>
#include <vector>

namespace lockscope {

/// Monitors all locks of a deployment with one LockMonitor per server, each with its own scan, change feed
/// and load budget. The monitor of the node with a lock's slot watches the lock; if slots move, so do their
/// locks. In a Redlock group every monitor watches every lock, and each lock is reported once, with its
/// Quorum. Lives on the deployment's thread.
class DeploymentMonitor : public QObject
{
    Q_OBJECT

public:
    DeploymentMonitor(Deployment &deployment, MonitorOptions options, QObject *parent = nullptr);
    ~DeploymentMonitor() override;

    const ClusterStatus &cluster() const { return m_cluster; }

public slots:
    // Same as in LockMonitor.
    void start();
    void scanNow();
    void setPatterns(const QList<QByteArray> &patterns, const lockscope::FamilySet &undiscovered = {});
    void setRules(const QList<lockscope::FamilyRule> &rules);
    void requestRead(const QList<lockscope::LockKey> &keys);
    // `server`: index in a Redlock group of the server with the lock.
    void beginAction(const lockscope::LockKey &key, int server = -1);
    void actionEnded(const lockscope::LockKey &key, int server = -1);
    void recordForceExpire(const lockscope::LockKey &key, const QList<lockscope::LockOwner> &ended,
                           int server = -1);
    void setVisible(const QList<lockscope::LockKey> &keys);

signals:
    /// Events of all LockMonitors: Confirmed counts the nodes that are ready; a scan is complete once each of
    /// them has been scanned.
    void reported(const lockscope::MonitorReport &event);

private:
    struct Part;

    Part *partOf(Shard *shard) const;
    Part *partOf(const LockKey &key) const;
    void addPart(Shard &shard);
    void take(Part &part, const MonitorReport &event);
    void takeShards();
    void takeNodes();
    void handOver();
    void updateCluster();
    bool counts(const Part &part) const;
    void setKnown(Part &part, bool isKnown);
    void tellMembers(const LockDiff &diff);
    void tellMembersDeadlocks();
    void settleDoubts();
    std::optional<TimePoint> confirmedAt() const;
    void tellConfirmed();
    void tellScan(bool finished);
    void tellFeed();
    void findDeadlocks();
    void tellPermissions();
    template <typename Do>
    void byPart(const QList<LockKey> &keys, Do act);
    template <typename Tell>
    void atServer(const LockKey &key, int server, const Tell &tell);

    Deployment &m_deployment;
    MonitorOptions m_options;
    std::vector<std::unique_ptr<Part>> m_parts; ///< at least one
    QHash<Shard *, Part *> m_byShard;
    QTimer m_nodesChange; ///< delay for changes of many nodes
    ClusterStatus m_cluster;
    std::shared_ptr<const ClusterStatus::Keepers> m_keepers;
    bool m_haveMoved = false; ///< slots moved since these were reported
    std::unique_ptr<QuorumTable> m_quorums;
    QTimer m_doubtCheck;
    DeadlockDetector m_deadlocks; ///< across all nodes
    QList<Deadlock> m_toldDeadlocks;
    QList<LockKey> m_visible;
    bool m_isStarted = false;
};

} // namespace lockscope

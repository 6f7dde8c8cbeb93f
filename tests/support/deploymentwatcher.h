// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"
#include "core/family/registry.h"
#include "core/monitor/deploymentmonitor.h"
#include "tests/support/picture.h"
#include "tests/support/told.h"

#include <QSignalSpy>
#include <QtTest>

namespace lockscope {

/// Monitors all servers of a deployment and builds a picture from the diffs.
class DeploymentWatcher : public QObject, public DisplayedState
{
public:
    explicit DeploymentWatcher(const ServerAddress &address, const MonitorOptions &options = {},
                               const Connection::Options &connection = {})
        : deployment(address, connection), monitor(deployment, options), operations(deployment.link(), audit)
    {
        onTold<LockDiff>(monitor, this, [this](const LockDiff &diff) { take(diff); });
        onTold<DataConfirmed>(monitor, this, [this](TimePoint at) { confirmedAt = at; });
        onTold<ClusterStatus>(monitor, this, [this](const ClusterStatus &status) { cluster = status; });
        onTold<ServerReset>(monitor, this, [this](const ServerReset &reset) { resets << reset; });
        connect(&operations, &LockOperations::touched, &monitor,
                [this](const LockKey &key) { monitor.requestRead({key}); });
        monitor.start();
        deployment.open();
    }

    bool isConfirmedNow() const { return confirmedAt > askedAt; }
    /// Waits until the picture includes everything up to now.
    bool waitUntilConfirmed(int timeoutMs = 20'000)
    {
        askedAt = Clock::now();
        return QTest::qWaitFor([this] { return isConfirmedNow(); }, timeoutMs);
    }
    /// Waits for two scans of every node.
    bool waitForSweeps()
    {
        const qsizetype enough = scanFinished.size() + 2 * cluster.nodes.size();
        return QTest::qWaitFor([&] { return scanFinished.size() > enough; }, 30'000);
    }
    QByteArray nodeOf(const QByteArray &key) const
    {
        const NodeStatus *node = cluster.nodeOf(LockKey(key));
        return node ? node->name.toUtf8() : QByteArray();
    }

    QTemporaryDir directory;
    AuditLog audit{directory.filePath(QStringLiteral("audit.jsonl"))};
    Deployment deployment;
    DeploymentMonitor monitor;
    LockOperations operations;
    ClusterStatus cluster;
    TimePoint confirmedAt;
    TimePoint askedAt;
    QList<ServerReset> resets;
    ToldSpy<ScanStats> scanFinished{monitor};
};

inline ActionRequest acquireToken(const QByteArray &key, const QByteArray &owner)
{
    ActionRequest request;
    request.action = Action::Acquire;
    request.family = plainToken();
    request.key = LockKey(key);
    request.owner = OwnerId(owner);
    request.lease = Lease::fromSeconds("60");
    return request;
}

} // namespace lockscope

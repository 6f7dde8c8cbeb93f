// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters and Sentinels through an SSH host: a tunnel for each node, in one login.
#include "tests/support/deploymentwatcher.h"
#include "tests/support/rediscluster.h"
#include "tests/support/sentinelgroup.h"
#include "tests/support/sshserver.h"

#include <QtTest>

using namespace lockscope;

class TestSshDeployments : public QObject
{
    Q_OBJECT

private slots:
    void aClusterHasATunnelForEachNode()
    {
        RedisCluster cluster(3, false);
        SshServer ssh;
        ServerAddress address = cluster.node(0).tcpAddress();
        address.sshHost = ssh.host();
        QByteArrayList keys;
        for (int i = 0; i < 3; ++i) {
            keys.append(cluster.keyOn(cluster.node(i), "lock:%1"));
            cluster.node(i).cli({"SET", keys.last(), "owner", "PX", "600000"});
        }
        {
            DeploymentWatcher watcher(address);
            QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 3, 30'000);
            QCOMPARE(watcher.cluster.nodes.size(), 3);
            QCOMPARE(ssh.logins(), 1);
            const QString directory = ssh.file("t") + u'/' + ssh.tunnels().value(0);
            QCOMPARE(QDir(directory).entryList({QStringLiteral("*-*")}, QDir::System).size(), 3);
            // A node that is gone takes its own locks only.
            cluster.node(2).kill();
            QTRY_VERIFY_WITH_TIMEOUT(
                std::ranges::any_of(watcher.cluster.nodes,
                                    [](const NodeStatus &node) {
                                        return node.error.kind == ErrorKind::NotReachedFromSsh ||
                                               node.error.kind == ErrorKind::NodeNotReached;
                                    }),
                30'000);
            cluster.node(0).cli({"DEL", keys[0]});
            QTRY_VERIFY_WITH_TIMEOUT(!watcher.locks.contains(keys[0]), 30'000);
            QVERIFY(watcher.locks.contains(keys[2]));
        }
        QTRY_COMPARE_WITH_TIMEOUT(ssh.tunnels().size(), 0, 30'000);
    }

    void sentinelsAndTheirServers()
    {
        SentinelGroup group;
        SshServer ssh;
        ServerAddress address = group.address();
        address.sshHost = ssh.host();
        group.server(0).cli({"SET", "lock:a", "owner", "PX", "600000"});
        DeploymentWatcher watcher(address);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.locks.contains("lock:a"), 30'000);
        QCOMPARE(ssh.logins(), 1);
    }
};

QTEST_GUILESS_MAIN(TestSshDeployments)
#include "tst_sshdeployments.moc"

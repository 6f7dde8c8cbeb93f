// SPDX-License-Identifier: GPL-3.0-or-later
// A primary, its replica and three real Sentinels under watch: who is followed, who is not believed, and what is said.
#include "tests/support/deploymentwatcher.h"
#include "tests/support/futures.h"
#include "tests/support/sentinelgroup.h"
#include "tests/support/told.h"

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

bool isLive(DeploymentWatcher &watcher)
{
    return watcher.deployment.link().state() == Link::State::Ready;
}

QString nameOf(const RedisServer &server)
{
    return server.tcpAddress().toDisplayString();
}

void put(RedisServer &server, const QByteArray &key, const QByteArray &owner)
{
    QCOMPARE(server.cli({"SET", key, owner, "PX", "600000"}), QByteArray("OK"));
}

} // namespace

class TestSentinels : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aFailoverIsFollowed();
    void aReturningPrimaryIsNotBelieved();
    void anOutdatedSentinelIsNotBelieved();
    void withoutSentinelsTheServerStays();
    void sentinelsMayHaveAPasswordOfTheirOwn();
    void aReplicaIsRead();
    void whatIsWrongIsSaid();
};

void TestSentinels::aFailoverIsFollowed()
{
    SentinelGroup group;
    put(group.server(0), "lock:a", "one");
    ServerAddress address = group.address();
    address.sentinels.resize(1); // the others are learned
    DeploymentWatcher watcher(address);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    QCOMPARE(watcher.cluster.nodes.first().name, nameOf(group.server(0)));
    QTRY_COMPARE(watcher.deployment.sentinels()->known, 3);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.deployment.sentinels()->answering, 3, 10'000);

    QVERIFY(group.failOver());
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.nodes.first().name, nameOf(group.server(1)),
                              SentinelGroup::patience);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.resets.isEmpty(), 10'000);
    const ServerReset failover = watcher.resets.first();
    QCOMPARE(failover.cause, ServerReset::Cause::Failover);
    QCOMPARE(failover.from, nameOf(group.server(0)));
    QCOMPARE(failover.to, nameOf(group.server(1)));
    QCOMPARE(failover.locks, 0);
    QCOMPARE(watcher.locks.size(), 1);

    // Acted on where it is now.
    const auto acquired = waitFor(watcher.operations.run(acquireToken("lock:b", "two")));
    QVERIFY(acquired.has_value());
    QCOMPARE(acquired->outcome, Outcome::Acquired);
    QCOMPARE(group.server(1).cli({"GET", "lock:b"}), QByteArray("two"));
    QTRY_VERIFY(watcher.locks.contains("lock:b"));
    QVERIFY(!watcher.events.contains("vanished lock:a"));
}

void TestSentinels::aReturningPrimaryIsNotBelieved()
{
    SentinelGroup group;
    put(group.server(0), "lock:kept", "one");
    QCOMPARE(group.server(0).cli({"WAIT", "1", "5000"}), QByteArray("1"));
    DeploymentWatcher watcher(group.address());
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    // What the replica never hears of.
    group.server(1).pause();
    group.server(0).cli({"CLIENT", "KILL", "TYPE", "replica"});
    put(group.server(0), "lock:lost", "two");
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 2, 5'000);
    group.server(0).kill();
    group.server(1).resume();
    QTRY_VERIFY(!isLive(watcher));
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.nodes.first().name, nameOf(group.server(1)),
                              SentinelGroup::patience);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.resets.isEmpty(), 10'000);
    QCOMPARE(watcher.resets.first().locks, 1);
    QCOMPARE(watcher.locks.keys(), QByteArrayList{"lock:kept"});

    // It says that it is a primary until a Sentinel tells it otherwise, and takes locks.
    bool wasShown = false;
    onTold<LockDiff>(watcher.monitor, this, [&](const LockDiff &diff) {
        for (const WatchedLock &lock : diff.changed)
            wasShown = wasShown || lock.key().bytes == "lock:stray";
    });
    group.server(0).start();
    put(group.server(0), "lock:stray", "three");
    watcher.deployment.retryNow();
    for (int i = 0; i < 5; ++i) { // it stays one for ten seconds at least
        QVERIFY(watcher.waitUntilConfirmed());
        QTest::qWait(500);
    }
    QVERIFY(group.server(0).cli({"EXISTS", "lock:stray"}) == "1" ||
            group.server(0).cli({"ROLE"}).startsWith("slave"));
    // Sentinels that were starved may have made it the primary again by themselves: then it is none that only returns.
    const int named = group.primary();
    QVERIFY(named >= 0);
    QTRY_COMPARE(watcher.cluster.nodes.first().name, nameOf(group.server(named)));
    QVERIFY(!wasShown || named == 0);
}

void TestSentinels::anOutdatedSentinelIsNotBelieved()
{
    SentinelGroup group;
    DeploymentWatcher watcher(group.address());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    group.sentinel(2).kill(); // it will know what was before
    group.server(0).kill();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.nodes.first().name, nameOf(group.server(1)),
                              SentinelGroup::patience);
    QTRY_VERIFY(isLive(watcher));
    // It alone is left, and names the server that comes back.
    group.sentinel(0).kill();
    group.sentinel(1).kill();
    group.server(1).stop();
    QTRY_VERIFY(!isLive(watcher));
    group.server(0).start();
    put(group.server(0), "lock:stray", "three");
    group.sentinel(2).start();
    QVERIFY(group.sentinel(2)
                .cli({"SENTINEL", "MASTER", "orders"})
                .contains(QByteArray::number(group.server(0).port())));
    QTRY_COMPARE_WITH_TIMEOUT(watcher.deployment.sentinels()->answering, 1, 10'000);
    QTRY_VERIFY(watcher.deployment.link().lastError().text().contains("do not know of the last failover"));
    QTest::qWait(3'000);
    QVERIFY(!isLive(watcher));
    QVERIFY(watcher.locks.isEmpty());
}

void TestSentinels::withoutSentinelsTheServerStays()
{
    SentinelGroup group;
    DeploymentWatcher watcher(group.address());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    for (int i = 0; i < 3; ++i)
        group.sentinel(i).kill();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.deployment.sentinels()->answering, 0, 10'000);
    QVERIFY(isLive(watcher));
    put(group.server(0), "lock:new", "one");
    QTRY_VERIFY_WITH_TIMEOUT(watcher.locks.contains("lock:new"), 5'000);
    // Nobody can tell whether it is still the one when it comes back.
    group.server(0).kill();
    QTRY_VERIFY(!isLive(watcher));
    group.server(0).start();
    QTest::qWait(1'500);
    QVERIFY(!isLive(watcher));
    QCOMPARE(watcher.deployment.link().lastError().kind, ErrorKind::SentinelNotReached);
    group.sentinel(1).start();
    QTRY_VERIFY_WITH_TIMEOUT(isLive(watcher), 15'000);
}

void TestSentinels::sentinelsMayHaveAPasswordOfTheirOwn()
{
    SentinelGroup group({.sentinels = {"requirepass of-sentinels", "sentinel sentinel-pass of-sentinels"}});
    ServerAddress address = group.address();
    DeploymentWatcher refused(address);
    QTRY_COMPARE_WITH_TIMEOUT(refused.deployment.link().state(), Link::State::Refused, 10'000);
    QCOMPARE(refused.deployment.link().lastError().kind, ErrorKind::SentinelRefused);
    QVERIFY(refused.deployment.link().lastError().text().contains("LOCKSCOPE_SENTINEL_AUTH"));
    address.sentinelPassword = "wrong";
    DeploymentWatcher wrong(address);
    QTRY_COMPARE_WITH_TIMEOUT(wrong.deployment.link().state(), Link::State::Refused, 10'000);
    QVERIFY(!wrong.deployment.link().lastError().text().contains("wrong "));
    address.sentinelPassword = "of-sentinels";
    DeploymentWatcher watcher(address);
    QTRY_VERIFY_WITH_TIMEOUT(isLive(watcher), 10'000);
}

void TestSentinels::aReplicaIsRead()
{
    SentinelGroup group({.replicas = 2});
    put(group.server(0), "lock:a", "one");
    ServerAddress address = group.address();
    address.readsReplica = true;
    DeploymentWatcher watcher(address);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, SentinelGroup::patience);
    const NodeStatus node = watcher.cluster.nodes.first();
    QVERIFY(node.name != nameOf(group.server(0)));
    QVERIFY(node.isReplica);
    QCOMPARE(node.replicaOf->primary.port, group.server(0).port());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.cluster.nodes.first().replicaOf->isUp, 5'000);
    put(group.server(0), "lock:b", "two");
    QTRY_VERIFY_WITH_TIMEOUT(watcher.locks.contains("lock:b"), 5'000);

    const auto acquired = waitFor(watcher.operations.run(acquireToken("lock:c", "three")));
    QVERIFY(!acquired.has_value());
    QCOMPARE(acquired.error().kind, ErrorKind::ReadOnlyReplica);
    QCOMPARE(group.server(0).cli({"EXISTS", "lock:c"}), QByteArray("0"));

    // One that is gone is left for another.
    const int used = nameOf(group.server(1)) == node.name ? 1 : 2;
    group.server(used).kill();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.nodes.first().name, nameOf(group.server(3 - used)),
                              SentinelGroup::patience);
    QTRY_VERIFY_WITH_TIMEOUT(isLive(watcher), SentinelGroup::patience);
}

void TestSentinels::whatIsWrongIsSaid()
{
    SentinelGroup group;
    ServerAddress address = group.address();
    address.primaryName = QStringLiteral("payments");
    DeploymentWatcher unknown(address);
    QTRY_COMPARE_WITH_TIMEOUT(unknown.deployment.link().state(), Link::State::Refused, 10'000);
    QVERIFY(unknown.deployment.link().lastError().text().contains("It knows: orders."));

    address = group.address();
    address.sentinels = {NodeAddress{QStringLiteral("127.0.0.1"), group.server(0).port()}};
    DeploymentWatcher noSentinel(address);
    QTRY_COMPARE_WITH_TIMEOUT(noSentinel.deployment.link().state(), Link::State::Refused, 10'000);
    QVERIFY(noSentinel.deployment.link().lastError().text().contains("is a data server, not a Sentinel"));

    // Named under an address that leads nowhere from here, and by the map to where it is.
    address = group.address();
    address.nodeAddresses.insert(nameOf(group.server(0)), QStringLiteral("127.0.0.1:1"));
    DeploymentWatcher nowhere(address);
    QTRY_COMPARE_WITH_TIMEOUT(nowhere.deployment.link().lastError().kind, ErrorKind::PrimaryNotReached,
                              10'000);
    QVERIFY(nowhere.deployment.link().lastError().text().startsWith("127.0.0.1:1: "));
}

QTEST_GUILESS_MAIN(TestSentinels)
#include "tst_sentinels.moc"

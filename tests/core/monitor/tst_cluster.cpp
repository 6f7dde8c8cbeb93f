// SPDX-License-Identifier: GPL-3.0-or-later
// A real cluster under watch: what is shown of it, and what becomes of it as slots move, nodes come, leave, and die.
#include "core/family/registry.h"
#include "core/monitor/contentsearch.h"
#include "tests/support/deploymentwatcher.h"
#include "tests/support/futures.h"
#include "tests/support/rediscluster.h"
#include "tests/support/told.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

QByteArray port(const RedisServer &node)
{
    return "127.0.0.1:" + QByteArray::number(node.port());
}

} // namespace

class TestCluster : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyNodeIsSeenAndActedOn();
    void slotsMoveWithTheirLocks();
    void nodesJoinAndLeave();
    void aDeadPrimaryGreysItsOwnLocks();
    void aReplicaTakesOver();
    void listenersAreCountedOnEveryNode();
    void aDeadlockOverTwoNodesIsFound();
};

void TestCluster::everyNodeIsSeenAndActedOn()
{
    RedisCluster cluster(3, false);
    QHash<QByteArray, QByteArray> where;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 5; ++j) {
            const QByteArray key =
                cluster.keyOn(cluster.node(i), "lock:n" + QByteArray::number(10 * i + j) + ":%1");
            cluster.node(i).cli({"SET", key, "owner", "PX", "600000"});
            where.insert(key, port(cluster.node(i)));
        }
    }
    DeploymentWatcher watcher(
        cluster.node(1).socketAddress()); // by its socket: the rest by what they announce
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    QCOMPARE(watcher.scanFinished.last().locks, 15);
    QCOMPARE(watcher.locks.size(), 15);
    QVERIFY(watcher.cluster.isCluster());
    QCOMPARE(watcher.cluster.nodes.size(), 3);
    for (auto at = where.begin(); at != where.end(); ++at)
        QCOMPARE(watcher.nodeOf(at.key()), at.value());

    // Whoever is asked, what is done is done where the key is; and heard of at once.
    for (int i = 0; i < 3; ++i) {
        const QByteArray key = cluster.keyOn(cluster.node(i), "lock:a%1");
        const auto done = waitFor(watcher.operations.run(acquireToken(key, "me")));
        QVERIFY(done.has_value());
        QVERIFY(done->outcome == Outcome::Acquired);
        QCOMPARE(cluster.node(i).cli({"GET", key}), "me");
        QTRY_VERIFY(watcher.locks.contains(key));
        cluster.node(i).cli({"DEL", key});
        QTRY_VERIFY(!watcher.locks.contains(key));
    }

    ContentSearch search(cluster.node(0).socketAddress(), 1);
    QSet<QByteArray> found;
    std::optional<SearchResult> end;
    connect(&search, &ContentSearch::found, this, [&](const QList<Lock> &locks) {
        for (const Lock &lock : locks)
            found.insert(lock.key().bytes);
    });
    connect(&search, &ContentSearch::ended, this, [&](const SearchResult &result) { end = result; });
    QSet<QByteArray> wanted;
    for (int i = 0; i < 3; ++i) {
        const QByteArray key = cluster.keyOn(cluster.node(i), "orders{%1}");
        cluster.node(i).cli({"HSET", key, "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7", "1"});
        cluster.node(i).cli({"PEXPIRE", key, "60000"});
        wanted.insert(key);
    }
    search.start();
    QTRY_VERIFY_WITH_TIMEOUT(end.has_value(), 20'000);
    QVERIFY(end->isComplete);
    QVERIFY2(found.contains(wanted), qPrintable(QString::number(found.size())));
}

void TestCluster::slotsMoveWithTheirLocks()
{
    RedisCluster cluster(3, false);
    RedisServer &from = cluster.node(0);
    RedisServer &to = cluster.node(1);
    const QByteArray tag = cluster.keyOn(from, "%1");
    const int slot = slotOf(tag);
    QByteArrayList keys;
    for (int i = 0; i < 20; ++i) {
        keys << "lock:" + QByteArray::number(i) + ":{" + tag + '}';
        from.cli({"SET", keys.last(), "owner", "PX", "600000"});
    }
    DeploymentWatcher watcher(cluster.node(2).socketAddress());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    QCOMPARE(watcher.locks.size(), 20);
    const QByteArray hash = '{' + tag + "}lockf1";
    const QByteArray index = '{' + tag + "}locked7";
    from.cli({"HSET", hash, "7_0F", "R"});
    from.cli({"SADD", index, hash, "other"});

    RedisCluster::openSlot(slot, from, to);
    // A script that asked for a key that it has just deleted would be sent to the other node.
    ActionRequest end;
    end.action = Action::ForceExpire;
    end.key = LockKey(hash);
    end.family = "juicefs"_family;
    end.expected = {{OwnerId("7_0F"), "R", {}, HoldMode::Read}};
    const auto ended = waitFor(watcher.operations.run(end));
    QVERIFY2(ended && ended->outcome == Outcome::Expired, ended ? ended->message : ended.error().text());
    QCOMPARE(from.cli({"SMEMBERS", index}), "other");
    QTRY_VERIFY(!watcher.locks.contains(hash));
    watcher.events.clear();

    for (int i = 0; i < 10; ++i)
        RedisCluster::moveKey(keys[i], from, to);
    QVERIFY(watcher.waitUntilConfirmed());
    QVERIFY(watcher.waitForSweeps());
    QCOMPARE(watcher.locks.size(), 20);
    // Half of the slot is there, half here: each is found where it is, and at most once.
    for (const QByteArray &key : {keys[3], keys[15]}) {
        ActionRequest request = acquireToken(key, "owner");
        request.action = Action::Release;
        const auto done = waitFor(watcher.operations.run(request));
        QVERIFY(done.has_value());
        QVERIFY2(done->outcome == Outcome::Released, key + " " + done->message + " " +
                                                         QByteArray::number(int(done->outcome)) +
                                                         done->cause.text());
        QTRY_VERIFY(!watcher.locks.contains(key));
    }
    // A new one in a slot that is open is made where it will be.
    QVERIFY(waitFor(watcher.operations.run(acquireToken("lock:new:{" + tag + '}', "me")))->outcome ==
            Outcome::Acquired);
    QTRY_VERIFY(watcher.locks.contains("lock:new:{" + tag + '}'));
    QCOMPARE(to.cli({"CLUSTER", "COUNTKEYSINSLOT", QByteArray::number(slot)}), "10");

    cluster.moveSlot(slot, from, to);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.nodeOf(keys[5]), port(to), 20'000);
    QVERIFY(watcher.waitUntilConfirmed());
    QVERIFY(watcher.waitForSweeps());
    QCOMPARE(watcher.locks.size(), 19);
    QByteArrayList told = watcher.events;
    // What was released while keys were moved may have been moved, as far as the server's counters tell.
    told.removeAll("vanished " + keys[3]);
    told.removeAll("vanished " + keys[15]);
    told.removeIf(
        [](const QByteArray &event) { return event.startsWith("released") || event.startsWith("acquired"); });
    QVERIFY2(told.isEmpty(), told.join(", "));
    QCOMPARE(watcher.events.count("acquired lock:new:{" + tag + '}'), 1);
    to.cli({"DEL", keys[5]}); // heard of by the new node's feed
    QTRY_VERIFY(!watcher.locks.contains(keys[5]));
}

void TestCluster::nodesJoinAndLeave()
{
    RedisCluster cluster(2, false);
    const QByteArray tag = cluster.keyOn(cluster.node(0), "%1");
    const int slot = slotOf(tag);
    const QByteArray key = "lock:{" + tag + '}';
    cluster.node(0).cli({"SET", key, "owner", "PX", "600000"});
    DeploymentWatcher watcher(cluster.node(1).socketAddress());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    RedisServer &joined = cluster.join();
    cluster.moveSlot(slot, cluster.node(0), joined);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.nodes.size(), 3, 20'000);
    QTRY_COMPARE(watcher.nodeOf(key), port(joined));
    QVERIFY(watcher.waitUntilConfirmed());
    QVERIFY(watcher.locks.contains(key));
    joined.cli({"SET", key, "other", "PX", "600000"});
    QTRY_COMPARE(watcher.locks.value(key).lock.owners.value(0).owner.bytes, "other");
    cluster.moveSlot(slot, joined, cluster.node(1));
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.nodes.size(), 2, 20'000);
    QVERIFY(watcher.waitUntilConfirmed());
    QVERIFY(watcher.locks.contains(key));
    QCOMPARE(watcher.nodeOf(key), port(cluster.node(1)));
}

void TestCluster::aDeadPrimaryGreysItsOwnLocks()
{
    RedisCluster cluster(3, false, RedisCluster::Coverage::Partial);
    QByteArrayList keys;
    for (int i = 0; i < 3; ++i) {
        keys << cluster.keyOn(cluster.node(i), "lock:%1");
        cluster.node(i).cli({"SET", keys.last(), "owner", "PX", "600000"});
    }
    DeploymentWatcher watcher(cluster.node(0).socketAddress());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    cluster.node(1).kill();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.missing().size(), 1, 20'000);
    QCOMPARE(watcher.cluster.missing().first().name.toUtf8(), port(cluster.node(1)));
    QVERIFY(watcher.deployment.link().state() == Link::State::Ready);
    // The rest goes on, and is as fresh as ever.
    QVERIFY(watcher.waitUntilConfirmed());
    cluster.node(2).cli({"SET", keys[2], "another", "PX", "600000"});
    QTRY_COMPARE(watcher.locks.value(keys[2]).lock.owners.value(0).owner.bytes, "another");
    QVERIFY(watcher.locks.contains(keys[1])); // as last read: nobody has said that it is gone
    QVERIFY(!watcher.cluster.nodeOf(LockKey(keys[1]))->isCurrent);
    QVERIFY(watcher.cluster.nodeOf(LockKey(keys[0]))->isCurrent);
    // Changes may be missed of what is there, and of nothing else.
    QVERIFY(watcher.cluster.unknownSlots);
    QCOMPARE(int(watcher.cluster.unknownSlots->count()), watcher.cluster.missing().first().slotTotal);
    QVERIFY(watcher.cluster.unknownSlots->test(size_t(slotOf(keys[1]))));
    QVERIFY(!watcher.cluster.unknownSlots->test(size_t(slotOf(keys[0]))));
    const auto refused = waitFor(watcher.operations.run(acquireToken(keys[1], "me")));
    QVERIFY(!refused);
    QVERIFY(refused.error().kind == ErrorKind::NotConnected);
    cluster.node(1).start();
    QTRY_VERIFY_WITH_TIMEOUT(watcher.cluster.missing().isEmpty(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.locks.contains(keys[1]), 20'000); // it came back empty
    QVERIFY(watcher.locks.contains(keys[0]));
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.cluster.unknownSlots, 20'000);
}

void TestCluster::aReplicaTakesOver()
{
    RedisCluster cluster(3);
    const QByteArray key = cluster.keyOn(cluster.node(0), "lock:%1");
    const QByteArray other = cluster.keyOn(cluster.node(1), "lock:%1");
    QCOMPARE(cluster.node(0).cli({"SET", key, "owner", "PX", "600000"}), "OK");
    QCOMPARE(cluster.node(1).cli({"SET", other, "owner", "PX", "600000"}), "OK");
    QTRY_VERIFY_WITH_TIMEOUT(cluster.node(3).cli({"DBSIZE"}) == "1", 20'000); // its replica has it
    DeploymentWatcher watcher(cluster.node(0).socketAddress());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    QCOMPARE(watcher.locks.size(), 2);
    watcher.events.clear();
    cluster.node(0).kill();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.nodeOf(key), port(cluster.node(3)), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.cluster.nodeOf(LockKey(key))->isCurrent, 20'000);
    QVERIFY(!watcher.cluster.unknownSlots);
    QVERIFY2(watcher.locks.contains(key), watcher.events.join(", ") + cluster.node(3).cli({"GET", key}));
    QVERIFY(watcher.locks.contains(other));
    QCOMPARE(watcher.events, QByteArrayList());
    QTRY_VERIFY_WITH_TIMEOUT(watcher.isConfirmedNow(), 20'000);
    const auto done =
        waitFor(watcher.operations.run(acquireToken(cluster.keyOn(cluster.node(3), "lock:b%1", 1), "me")));
    QVERIFY(done.has_value());
    QVERIFY(done->outcome == Outcome::Acquired);
    // The old primary comes back as a replica: nothing of it is believed.
    cluster.node(0).start();
    QVERIFY(cluster.waitUntilWhole());
    QVERIFY(watcher.waitUntilConfirmed());
    QCOMPARE(watcher.nodeOf(key), port(cluster.node(3)));
    QVERIFY(watcher.cluster.missing().isEmpty());
    QCOMPARE(watcher.locks.size(), 3);
}

void TestCluster::listenersAreCountedOnEveryNode()
{
    RedisCluster cluster(2);
    const QByteArray key = cluster.keyOn(cluster.node(0), "{lock%1}");
    const QByteArray anna = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
    const QByteArray bert = "7c2f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:8";
    cluster.node(0).cli({"HSET", key, anna, "1"});
    cluster.node(0).cli({"PEXPIRE", key, "600000"});
    cluster.node(0).cli({"RPUSH", "redisson_lock_queue:" + key, bert});
    cluster.node(0).cli({"ZADD", "redisson_lock_timeout:" + key, "99999999999999", bert});
    DeploymentWatcher watcher(cluster.node(0).socketAddress(), {.patterns = {"{lock*"}});
    const auto listening = [&] {
        const auto found = watcher.locks.find(key);
        return found == watcher.locks.end() || found->lock.companions->waiters.queue.isEmpty()
                   ? SubscriptionState::Unknown
                   : found->lock.companions->waiters.queue.first().listening;
    };
    // Nobody on any of the four nodes: that proves it.
    QTRY_VERIFY_WITH_TIMEOUT(listening() == SubscriptionState::No, 20'000);
    // Subscribed on a replica of the other primary, it is no dead waiter.
    QProcess listener;
    listener.start(QStringLiteral("redis-cli"),
                   {QStringLiteral("-s"), cluster.node(3).socketPath(), QStringLiteral("subscribe"),
                    QString::fromUtf8("redisson_lock__channel:" + key + ':' + bert)});
    QVERIFY(listener.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(listening() == SubscriptionState::Yes, 20'000);
    listener.kill();
    listener.waitForFinished();
    QTRY_VERIFY_WITH_TIMEOUT(listening() == SubscriptionState::No, 20'000);
    // What is proven is enough to remove it.
    ActionRequest remove;
    remove.action = Action::RemoveWaiter;
    remove.family = watcher.locks.value(key).lock.family;
    remove.key = LockKey(key);
    remove.owner = OwnerId(bert);
    const auto removed = waitFor(watcher.operations.run(remove));
    QVERIFY(removed.has_value());
    QVERIFY2(removed->outcome == Outcome::Removed, removed->message);
    cluster.node(0).cli({"RPUSH", "redisson_lock_queue:" + key, bert});
    cluster.node(0).cli({"ZADD", "redisson_lock_timeout:" + key, "99999999999999", bert});
    // One that can't be asked may have it.
    cluster.node(3).kill();
    QTRY_VERIFY_WITH_TIMEOUT(listening() == SubscriptionState::NotHeard, 20'000);
    const auto kept = waitFor(watcher.operations.run(remove));
    QVERIFY(kept.has_value());
    QVERIFY2(kept->outcome == Outcome::NotHeard, kept->message);
}

void TestCluster::aDeadlockOverTwoNodesIsFound()
{
    RedisCluster cluster(2, false);
    const QByteArray anna = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
    const QByteArray bert = "7c2f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:8";
    QByteArrayList keys;
    for (int i = 0; i < 2; ++i) {
        keys << cluster.keyOn(cluster.node(i), "{lock%1}");
        cluster.node(i).cli({"HSET", keys[i], i == 0 ? anna : bert, "1"});
        cluster.node(i).cli({"PEXPIRE", keys[i], "600000"});
        cluster.node(i).cli({"RPUSH", "redisson_lock_queue:" + keys[i], i == 0 ? bert : anna});
        cluster.node(i).cli(
            {"ZADD", "redisson_lock_timeout:" + keys[i], "99999999999999", i == 0 ? bert : anna});
    }
    DeploymentWatcher watcher(cluster.node(0).socketAddress(), {.patterns = {"{lock*"}});
    QList<Deadlock> deadlocks;
    onTold<QList<Deadlock>>(watcher.monitor, this, [&](const QList<Deadlock> &found) { deadlocks = found; });
    QTRY_COMPARE_WITH_TIMEOUT(deadlocks.size(), 1, 20'000);
    QCOMPARE(deadlocks.first().cycle.size(), 2);
    for (const QByteArray &key : keys)
        QTRY_VERIFY(watcher.locks.value(key).problems().testFlag(Problem::Deadlock));
    cluster.node(1).cli({"DEL", keys[1]});
    QTRY_VERIFY_WITH_TIMEOUT(deadlocks.isEmpty(), 20'000);
    QTRY_VERIFY(!watcher.locks.value(keys[0]).problems().testFlag(Problem::Deadlock));
}

QTEST_GUILESS_MAIN(TestCluster)
#include "tst_cluster.moc"

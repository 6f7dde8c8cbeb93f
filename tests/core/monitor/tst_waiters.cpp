// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for what, as a monitor tells it while it changes.
#include "core/monitor/session.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QByteArray anna = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
const QByteArray bert = "7c2f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:8";
const QByteArray cleo = "8d3f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:9";

MonitorOptions often()
{
    MonitorOptions options;
    options.waitersInterval = 50ms;
    return options;
}

std::unique_ptr<Connection> ears(const RedisServer &server, const QByteArrayList &channels)
{
    auto connection = std::make_unique<Connection>(
        server.socketAddress(), Connection::Options{.clientName = "ears", .acceptsPush = true});
    QSignalSpy ready(connection.get(), &Connection::ready);
    connection->open();
    if (!ready.wait())
        return nullptr;
    for (const QByteArray &channel : channels) {
        if (!waitFor(connection->send({"SUBSCRIBE", channel})))
            return nullptr;
    }
    return connection;
}

} // namespace

class TestWaiters : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aQueueGrowsAndShrinks()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"PEXPIRE", "lock:a", "60000"});
        Watcher watcher(server.socketAddress(), often());
        const auto waiters = [&] { return watcher.locks["lock:a"].lock.companions->waiters; };
        QTRY_COMPARE(waiters().certainty, WaiterCertainty::AtLeast);
        QCOMPARE(watcher.locks["lock:a"].lock.family, "redisson"_family);

        server.cli({"RPUSH", "redisson_lock_queue:{lock:a}", bert, cleo});
        QTRY_COMPARE(waiters().count, 2);
        QCOMPARE(waiters().certainty, WaiterCertainty::Exact);
        QCOMPARE(watcher.locks["lock:a"].lock.family, "redisson-fair"_family);
        const auto heard = ears(server, {"redisson_lock__channel:{lock:a}:" + bert});
        QTRY_COMPARE(waiters().queue.first().listening, SubscriptionState::Yes);
        QCOMPARE(waiters().queue.last().listening, SubscriptionState::No);

        // Read again, and taken by the next one: the lock stays a fair one.
        server.cli({"PEXPIRE", "lock:a", "90000"});
        QTRY_VERIFY(watcher.events.contains("renewed lock:a"));
        server.cli({"DEL", "redisson_lock_queue:{lock:a}"});
        QTRY_COMPARE(waiters().count, 0);
        QCOMPARE(waiters().certainty, WaiterCertainty::Exact);
        server.cli({"EVAL", "redis.call('del', KEYS[1]) redis.call('hset', KEYS[1], ARGV[1], 1)", "1",
                    "lock:a", bert});
        QTRY_VERIFY(watcher.events.contains("owner-changed lock:a"));
        QCOMPARE(watcher.locks["lock:a"].lock.family, "redisson-fair"_family);
        QCOMPARE(watcher.events, (QByteArrayList{"found lock:a", "renewed lock:a", "owner-changed lock:a"}));

        // Between two owners there may be none for a moment.
        server.cli({"DEL", "lock:a"});
        QTRY_VERIFY(!watcher.locks.contains("lock:a"));
        server.cli({"HSET", "lock:a", cleo, "1"});
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        QCOMPARE(watcher.locks["lock:a"].lock.family, "redisson-fair"_family);
    }

    void listenersComeAndGo()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"HSET", "lock:b", anna, "1"});
        Watcher watcher(server.socketAddress(), often());
        const auto count = [&](const QByteArray &key) {
            return watcher.locks[key].lock.companions->waiters.count;
        };
        QVERIFY(watcher.scanFinished.wait(10'000));
        auto one = ears(server, {"redisson_lock__channel:{lock:a}"});
        auto two = ears(server, {"redisson_lock__channel:{lock:a}", "redisson_lock__channel:{lock:b}"});
        QTRY_COMPARE(count("lock:a"), 2);
        QTRY_COMPARE(count("lock:b"), 1);
        QCOMPARE(watcher.locks["lock:a"].lock.companions->waiters.certainty, WaiterCertainty::AtLeast);
        two.reset();
        QTRY_COMPARE(count("lock:a"), 1);
        QTRY_COMPARE(count("lock:b"), 0);
        QCOMPARE(watcher.locks["lock:b"].lock.family, "redisson"_family);
    }

    /// Read as often as a queue; the next holder has one of its own.
    void heartbeats()
    {
        const RedisServer server;
        const QByteArray soon = QByteArray::number(QDateTime::currentSecsSinceEpoch() + 3600);
        server.cli({"HSET", "lockf1", "7_00000000DEADBEEF", "W"});
        server.cli({"ZADD", "allSessions", soon, "7", soon, "8"});
        Watcher watcher(server.socketAddress(), often());
        const auto isDead = [&] { return watcher.locks["lockf1"].problems().testFlag(Problem::HolderDead); };
        QTRY_COMPARE(watcher.locks["lockf1"].lock.companions->heartbeat.state, Heartbeat::State::Alive);
        QVERIFY(!isDead());
        server.cli({"ZADD", "allSessions", "1700000000", "7"});
        QTRY_VERIFY(isDead());
        server.cli({"EVAL", "redis.call('del', KEYS[1]) redis.call('hset', KEYS[1], ARGV[1], 'W')", "1",
                    "lockf1", "8_00000000DEADBEEF"});
        QTRY_COMPARE(watcher.locks["lockf1"].lock.companions->heartbeat.state, Heartbeat::State::Alive);
        QVERIFY(!isDead());
        QTRY_VERIFY(watcher.events.contains("owner-changed lockf1"));
    }

    void whatIsForbiddenIsNotAskedAgain()
    {
        const RedisServer server;
        server.cli({"ACL", "SETUSER", "default", "-pubsub"});
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"HSET", "lock:b", bert, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:b}", cleo});
        MonitorOptions options = often();
        options.listens = false;
        Watcher watcher(server.socketAddress(), options);
        QTRY_COMPARE(watcher.locks["lock:b"].lock.companions->waiters.count, 1);
        server.cli({"RPUSH", "redisson_lock_queue:{lock:b}", anna});
        QTRY_COMPARE(watcher.locks["lock:b"].lock.companions->waiters.count, 2);
        QCOMPARE(watcher.locks["lock:b"].lock.companions->waiters.queue.first().listening,
                 SubscriptionState::Unknown);
        QCOMPARE(watcher.locks["lock:a"].lock.companions->waiters.certainty, WaiterCertainty::Unknown);
        const QByteArray refused = server.cli({"ACL", "LOG"});
        QCOMPARE(refused.count("reason"), 1);
        QVERIFY2(refused.startsWith("count\n1\n"), refused.constData());
        QVERIFY(watcher.errorOccurred.isEmpty());
    }

    void deadWaiter()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:a}", bert, cleo});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:b}", bert}); // of a lock that is gone
        const auto heard = ears(server, {"redisson_lock__channel:{lock:a}:" + cleo});
        MonitorOptions options = often();
        options.waitersInterval = 1s;
        Watcher watcher(server.socketAddress(), options);
        QTRY_COMPARE(watcher.locks["lock:a"].lock.companions->waiters.count, 2);
        const TimePoint seen = Clock::now();
        QVERIFY(!(watcher.locks["lock:a"].problems() & Problem::DeadWaiter));
        QTRY_VERIFY_WITH_TIMEOUT(watcher.locks["lock:a"].problems() & Problem::DeadWaiter, 15'000);
        QVERIFY(Clock::now() - seen > 6s);
        const QList<Waiter> queue = watcher.locks["lock:a"].lock.companions->waiters.queue;
        QVERIFY(queue.first().isDead && !queue.last().isDead);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.locks["lock:b"].problems() & Problem::Orphaned, 15'000);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.locks["lock:b"].lock.companions->waiters.queue.value(0).isDead,
                                 15'000);
        server.cli({"LPOP", "redisson_lock_queue:{lock:a}"});
        QTRY_VERIFY(!(watcher.locks["lock:a"].problems() & Problem::DeadWaiter));
    }

    void deadlock()
    {
        const RedisServer server;
        for (const auto &[key, owner, waiter] :
             {std::tuple("lock:a", anna, bert), std::tuple("lock:b", bert, anna)}) {
            server.cli({"HSET", key, owner, "1"});
            server.cli({"RPUSH", QByteArray("redisson_lock_queue:{") + key + '}', cleo, waiter});
        }
        Watcher watcher(server.socketAddress());
        ToldSpy<QList<Deadlock>> deadlocks(watcher.monitor);
        QTRY_COMPARE_WITH_TIMEOUT(deadlocks.size(), 1, 15'000);
        // By the second look at each queue, or the one after it.
        const QRegularExpression lists(QStringLiteral("cmdstat_lrange:calls=(\\d+)"));
        const QString looks = QString::fromLatin1(server.cli({"INFO", "commandstats"}));
        QVERIFY2(lists.match(looks).captured(1).toInt() <= 2 * 3, qPrintable(looks));
        const auto told = deadlocks.last();
        QCOMPARE(told.size(), 1);
        const QList<WaitEdge> cycle{{LockKey("lock:b"), anna, bert}, {LockKey("lock:a"), bert, anna}};
        QCOMPARE(told.first().cycle, cycle);
        for (const char *key : {"lock:a", "lock:b"})
            QTRY_VERIFY(watcher.locks[key].problems() & Problem::Deadlock);
        // Read anew, it still is one.
        server.cli({"PEXPIRE", "lock:a", "60000"});
        QTRY_VERIFY(watcher.locks["lock:a"].lock.ttl.has_value());
        QVERIFY(watcher.locks["lock:a"].problems() & Problem::Deadlock);

        server.cli({"LREM", "redisson_lock_queue:{lock:a}", "1", bert});
        QTRY_COMPARE(deadlocks.size(), 2);
        QVERIFY(deadlocks.last().isEmpty());
        for (const char *key : {"lock:a", "lock:b"})
            QTRY_VERIFY(!(watcher.locks[key].problems() & Problem::Deadlock));
    }

    /// Without MULTI two pictures, one after the other, have to do.
    void deadlockWithoutTransactions()
    {
        const RedisServer server;
        server.cli({"ACL", "SETUSER", "default", "-multi"});
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"HSET", "lock:b", bert, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:a}", bert});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:b}", anna});
        Watcher watcher(server.socketAddress(), often());
        QTRY_VERIFY(watcher.locks["lock:b"].problems() & Problem::Deadlock);
        QVERIFY(watcher.errorOccurred.isEmpty());
    }

    /// Who only listens may wait for anything: no cycle is made of that.
    void noDeadlockOfListeners()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"HSET", "lock:b", bert, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:a}", bert});
        const auto heard = ears(server, {"redisson_lock__channel:{lock:b}"});
        Watcher watcher(server.socketAddress(), often());
        ToldSpy<QList<Deadlock>> deadlocks(watcher.monitor);
        QTRY_COMPARE(watcher.locks["lock:b"].lock.companions->waiters.count, 1);
        QTest::qWait(300);
        QVERIFY(deadlocks.isEmpty());
    }

    void cameBack()
    {
        const RedisServer server;
        server.cli({"SET", "lock:a", "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b", "PX", "60000"});
        Watcher watcher(server.socketAddress(), often());
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        const QList<LockOwner> ended = watcher.locks["lock:a"].lock.owners;
        server.cli({"DEL", "lock:a"});
        watcher.monitor.recordForceExpire(LockKey("lock:a"), ended);
        QTRY_VERIFY(!watcher.locks.contains("lock:a"));
        server.cli({"SET", "lock:a", "another", "PX", "60000"});
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        QVERIFY(!(watcher.locks["lock:a"].problems() & Problem::RewrittenByOwner));
        server.cli({"SET", "lock:a", ended.first().owner.bytes, "PX", "60000"});
        QTRY_VERIFY(watcher.locks["lock:a"].problems() & Problem::RewrittenByOwner);
        server.cli({"SET", "lock:a", "another", "PX", "60000"});
        QTRY_VERIFY(!(watcher.locks["lock:a"].problems() & Problem::RewrittenByOwner));
    }

    /// Every holder writes the same: the next one is not the old one that has come back.
    void theSameWordIsNoReturn()
    {
        for (const QByteArrayList &write : {QByteArrayList{"SET", "lock:a", "1", "PX", "60000"},
                                            QByteArrayList{"SET", "lock:a", "4711", "PX", "60000"},
                                            QByteArrayList{"SET", "lock:a", "processing", "PX", "60000"},
                                            QByteArrayList{"HSET", "lock:a", "locked", "1"}}) {
            const RedisServer server;
            server.cli(write);
            Watcher watcher(server.socketAddress(), often());
            QTRY_VERIFY(watcher.locks.contains("lock:a"));
            const QList<LockOwner> ended = watcher.locks["lock:a"].lock.owners;
            QCOMPARE(ended.size(), 1);
            server.cli({"DEL", "lock:a"});
            watcher.monitor.recordForceExpire(LockKey("lock:a"), ended);
            QTRY_VERIFY(!watcher.locks.contains("lock:a"));
            server.cli(write);
            QTRY_VERIFY(watcher.locks.contains("lock:a"));
            QVERIFY(!(watcher.locks["lock:a"].problems() & Problem::RewrittenByOwner));
        }
    }

    /// By the window's way: the session tells its monitor what was ended by force.
    void cameBackAfterAnAction()
    {
        const RedisServer server;
        const QTemporaryDir directory;
        server.cli({"SET", "lock:a", "owner-1", "PX", "60000"});
        Session session(server.socketAddress(),
                        {.monitor = often(), .auditPath = directory.filePath(QStringLiteral("audit.jsonl"))});
        QHash<QByteArray, WatchedLock> locks;
        onTold<LockDiff>(session, this, [&](const LockDiff &diff) {
            for (const LockKey &key : diff.removed)
                locks.remove(key.bytes);
            for (const WatchedLock &lock : diff.changed)
                locks[lock.key().bytes] = lock;
        });
        session.open();
        QTRY_VERIFY(locks.contains("lock:a"));
        ActionRequest request;
        request.action = Action::ForceExpire;
        request.family = "token"_family;
        request.key = LockKey("lock:a");
        request.expected = locks["lock:a"].lock.owners;
        request.grace = 5s; // it has not ended yet
        QCOMPARE(waitFor(session.run(request))->outcome, Outcome::Expired);
        server.cli({"PEXPIRE", "lock:a", "60000"});
        QTRY_VERIFY(locks["lock:a"].lock.ttl.value_or(0ms) > 50s);
        QVERIFY(!(locks["lock:a"].problems() & Problem::RewrittenByOwner));
        request.grace.reset();
        QCOMPARE(waitFor(session.run(request))->outcome, Outcome::Expired);
        server.cli({"SET", "lock:a", "owner-1", "PX", "60000"});
        QTRY_VERIFY(locks["lock:a"].problems() & Problem::RewrittenByOwner);
    }

    /// A fair lock deleted by hand: nobody wakes those that wait for it.
    void orphanedQueue()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:a}", bert, cleo});
        Watcher watcher(server.socketAddress(), {.scanInterval = 100ms, .waitersInterval = 50ms});
        QTRY_COMPARE(watcher.locks["lock:a"].lock.companions->waiters.count, 2);
        server.cli({"DEL", "lock:a"});
        QTRY_VERIFY(!watcher.locks.contains("lock:a"));
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        const Lock orphan = watcher.locks["lock:a"].lock;
        QCOMPARE(orphan.problems, Problems(Problem::Orphaned));
        QCOMPARE(orphan.family, "redisson-fair"_family);
        QVERIFY(orphan.owners.isEmpty());
        QCOMPARE(orphan.companions->waiters.count, 2);

        watcher.scanFinished.clear(); // scans do not find it, and it stays
        QTRY_VERIFY(watcher.scanFinished.size() >= 3);
        QVERIFY(watcher.locks.contains("lock:a"));
        server.cli({"LPOP", "redisson_lock_queue:{lock:a}"});
        QTRY_COMPARE(watcher.locks["lock:a"].lock.companions->waiters.count, 1);
        server.cli({"HSET", "lock:a", bert, "1"});
        QTRY_VERIFY(watcher.events.contains("acquired lock:a"));
        QVERIFY(!(watcher.locks["lock:a"].problems() & Problem::Orphaned));

        server.cli({"DEL", "lock:a"});
        QTRY_VERIFY(!watcher.locks.contains("lock:a"));
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        server.cli({"DEL", "redisson_lock_queue:{lock:a}"});
        QTRY_VERIFY(!watcher.locks.contains("lock:a"));
        QCOMPARE(watcher.events,
                 (QByteArrayList{"found lock:a", "released lock:a", "acquired lock:a", "released lock:a"}));
    }

    /// One that lost its lock before anybody watched; and those that only look so.
    void orphanedBefore()
    {
        const RedisServer server;
        server.cli({"RPUSH", "redisson_lock_queue:{lock:a}", bert});
        server.cli({"HSET", "{lock:b}", anna, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:b}", cleo}); // as of "lock:b"
        server.cli({"HSET", "lock:c", anna, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:c}", cleo});
        server.cli({"RPUSH", "redisson_lock_queue:{elsewhere}", cleo});
        Watcher watcher(server.socketAddress(), {.scanInterval = 100ms, .waitersInterval = 50ms});
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        QCOMPARE(watcher.locks["lock:a"].lock.problems, Problems(Problem::Orphaned));
        QCOMPARE(watcher.locks["lock:a"].lock.companions->waiters.queue.value(0).id, OwnerId(bert));
        QTRY_COMPARE(watcher.locks["lock:c"].lock.companions->waiters.queue.value(0).id, OwnerId(cleo));
        watcher.scanFinished.clear();
        QTRY_VERIFY(watcher.scanFinished.size() >= 20); // 2 s
        QByteArrayList known = watcher.locks.keys();
        std::ranges::sort(known);
        QCOMPARE(known, (QByteArrayList{"lock:a", "lock:c", "{lock:b}"}));
        // The other way round: this one is gone while its twin, whose queue it is, stands there.
        server.cli({"HSET", "lock:d", anna, "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:d}", cleo});
        QTRY_COMPARE(watcher.locks["lock:d"].lock.companions->waiters.count, 1);
        server.cli({"HSET", "{lock:d}", anna, "1"});
        server.cli({"DEL", "lock:d"});
        QTRY_VERIFY(!watcher.locks.contains("lock:d"));
        QTest::qWait(3000); // longer than it takes to be told of one
        QVERIFY(!watcher.locks.contains("lock:d"));
        server.cli({"DEL", "{lock:b}"}); // now it may be of either, and both are gone
        QTRY_VERIFY(watcher.locks.contains("lock:b"));
        QCOMPARE(watcher.locks["lock:b"].lock.problems, Problems(Problem::Orphaned));
    }

    void permitsComeAndGo()
    {
        const RedisServer server;
        const QByteArray first = "0123456789abcdef";
        const QByteArray second = "fedcba9876543210";
        server.cli({"SET", "lock:s", "1"});
        server.cli({"ZADD", "{lock:s}:timeout", "99999999999999", first});
        Watcher watcher(server.socketAddress(), often());
        const auto owners = [&] {
            QByteArrayList ids;
            for (const LockOwner &holder : watcher.locks["lock:s"].lock.owners)
                ids << holder.owner.bytes;
            return ids;
        };
        QTRY_COMPARE(owners(), QByteArrayList{first});
        server.cli({"SET", "lock:s", "0"});
        server.cli({"ZADD", "{lock:s}:timeout", "99999999999999", second});
        QTRY_COMPARE(owners(), (QByteArrayList{first, second}));
        server.cli({"SET", "lock:s", "2"});
        server.cli({"DEL", "{lock:s}:timeout"});
        QTRY_COMPARE(owners(), QByteArrayList{"2"});
        QCOMPARE(watcher.events,
                 (QByteArrayList{"found lock:s", "acquired lock:s", "released lock:s", "released lock:s"}));
    }

    /// A reply that breaks the codec's limits: the connection goes, and what was beside that lock is not asked for again.
    void tooBigBesideALock()
    {
        const RedisServer server;
        for (const char *key : {"lock:a", "lock:b", "lock:c"})
            server.cli({"HSET", key, anna, "1"});
        server.cli(
            {"EVAL", "redis.call('rpush', 'redisson_lock_queue:{lock:b}', string.rep('x', 20000000))", "0"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:c}", bert});
        Watcher watcher(server.socketAddress(), often());
        QSignalSpy lost(&watcher.connection, &Connection::connectionLost);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks["lock:c"].lock.companions->waiters.count, 1, 15'000);
        QTRY_COMPARE_WITH_TIMEOUT(lost.size(), 2, 15'000); // among others, and alone
        server.cli({"RPUSH", "redisson_lock_queue:{lock:c}", cleo});
        QTRY_COMPARE(watcher.locks["lock:c"].lock.companions->waiters.count, 2);
        QTest::qWait(300);
        QCOMPARE(lost.size(), 2);
        // One that was small before: what was seen then is not shown for ever.
        server.cli(
            {"EVAL", "redis.call('rpush', 'redisson_lock_queue:{lock:c}', string.rep('x', 20000000))", "0"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks["lock:c"].lock.companions->waiters.count, 0, 15'000);
        QCOMPARE(watcher.locks["lock:c"].lock.family, "redisson-fair"_family);
    }
};

QTEST_GUILESS_MAIN(TestWaiters)
#include "tst_waiters.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitor.h"

#include "core/state/lockstate.h"
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestLockMonitor : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void findsTheLocksOfAServer()
    {
        RedisServer server;
        server.cli(
            {"EVAL",
             "for i=1,3000 do redis.call('set', 'noise:'..i, i) end "
             "for i=1,1200 do redis.call('hset', 'lock:'..i, 'u:'..i, 1) redis.call('pexpire', "
             "'lock:'..i, 60000) end "
             "redis.call('set', 'job:lock', 'tok', 'PX', 60000) redis.call('set', 'lock_x', 'token-1') "
             "redis.call('set', 'clock:1', 'no') redis.call('set', 'locker', 'no')",
             "0"});
        Watcher watcher(server.socketAddress());
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(watcher.locks.size(), 1202);
        QVERIFY(watcher.locks.contains("job:lock"));
        QVERIFY(noExpiryOf(watcher.locks["lock_x"].lock) == NoExpiry::Open);
        const auto stats = watcher.scanFinished.first();
        QVERIFY(stats.complete);
        QCOMPARE(stats.keysScanned, 4204);
        QCOMPARE(stats.locks, 1202);
        QVERIFY(stats.commands >= 2 * 1202);
        QVERIFY(stats.serverTime > 0us && stats.serverTime <= stats.wallTime);
        QCOMPARE(watcher.events.size(), 1202);
        QVERIFY(watcher.events.contains("found lock:77"));
    }

    /// What belongs to a lock is not listed and, but for what tells about the lock, not read; also where a hint names
    /// it.
    void companionsAreNoLocks()
    {
        RedisServer server;
        server.cli({"HSET", "lock:a", "u:1", "1"});
        server.cli({"RPUSH", "lock:a:handoff:queue", "u:2"});
        server.cli({"HSET", "lock:a:handoff:waiters", "u:2", "1 1"});
        server.cli({"SET", "lock:a:handoff:fence", "7"});
        Watcher watcher(server.socketAddress(),
                        {.rereadInterval = 20ms, .scanInterval = 20ms, .waitersInterval = 1h});
        QVERIFY(watcher.scanFinished.wait(10'000));
        watcher.monitor.requestRead({LockKey("lock:a:handoff:waiters")});
        QTRY_VERIFY(watcher.scanFinished.size() >= 3);
        QTRY_COMPARE(watcher.locks["lock:a"].lock.companions->fencingToken, QByteArray("7"));
        QCOMPARE(watcher.locks.keys(), QByteArrayList{"lock:a"});
        QCOMPARE(watcher.events, QByteArrayList{"found lock:a"});
        QVERIFY(server.cli({"INFO", "commandstats"}).contains("cmdstat_getrange:calls=3,"));
    }

    /// Each event is brought about with redis-cli and told within the re-reading time.
    void tellsEveryEvent()
    {
        RedisServer server;
        server.cli({"SET", "lock:old", "tok", "PX", "60000"});
        Watcher watcher(server.socketAddress(), {.rereadInterval = 20ms, .scanInterval = 20ms});
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(watcher.events, QByteArrayList{"found lock:old"});

        const auto brings = [&](const QList<QByteArrayList> &commands, const QByteArrayList &expected) {
            watcher.events.clear();
            for (const QByteArrayList &command : commands)
                server.cli(command);
            const bool came = QTest::qWaitFor([&] { return watcher.events.size() >= expected.size(); });
            if (!came || watcher.events != expected)
                qInfo("told: %s", watcher.events.join(", ").constData());
            return came && watcher.events == expected;
        };
        // Both commands in one step, so that no reading falls between them.
        const auto atomically = [](const QByteArray &script) {
            return QList<QByteArrayList>{{"EVAL", script, "0"}};
        };
        QVERIFY(
            brings(atomically("redis.call('hset', 'lock:a', 'me', 1) redis.call('pexpire', 'lock:a', 5000)"),
                   {"acquired lock:a"}));
        QVERIFY(watcher.locks["lock:a"].hasSeenAcquisition);
        QVERIFY(brings({{"HINCRBY", "lock:a", "me", "1"}}, {"reentered lock:a"}));
        QVERIFY(brings({{"HINCRBY", "lock:a", "me", "-1"}}, {"unwound lock:a"}));
        QVERIFY(brings({{"PEXPIRE", "lock:a", "60000"}}, {"renewed lock:a"}));
        QCOMPARE(watcher.locks["lock:a"].renewals, 1);
        QVERIFY(brings({{"PEXPIRE", "lock:a", "30000"}}, {"shortened lock:a"}));
        QVERIFY(brings({{"PERSIST", "lock:a"}}, {"expiry-lost lock:a"}));
        QVERIFY(brings(atomically("redis.call('del', 'lock:a') redis.call('hset', 'lock:a', 'you', 1)"),
                       {"owner-changed lock:a"}));
        QVERIFY(brings(atomically("redis.call('del', 'lock:a') redis.call('set', 'lock:a', 'tok')"),
                       {"vanished lock:a", "acquired lock:a"})); // deleted, or overwritten
        QVERIFY(brings({{"DEL", "lock:a"}}, {"released lock:a"}));
        QVERIFY(!watcher.locks.contains("lock:a"));
        QVERIFY(brings({{"SET", "lock:b", "t", "PX", "1000"}}, {"acquired lock:b", "expired lock:b"}));
        QVERIFY(brings({{"FLUSHALL"}}, {"flushed lock:old"}));
    }

    /// The server deletes an expired key when it gets to it; the monitor asks at the deadline.
    void showsExpiryInTime()
    {
        RedisServer server({QStringLiteral("--hz"), QStringLiteral("1")});
        server.cli({"EVAL", "for i=1,100 do redis.call('set', 'lock:'..i, 't', 'PX', 200 + 3*i) end", "0"});
        // Neither scans nor re-reads come in time: only the touch at the deadline can tell.
        Watcher watcher(server.socketAddress(), {.rereadInterval = 60s, .scanInterval = 60s});
        QHash<QByteArray, TimePoint> due;
        QVector<milliseconds> late;
        onTold<LockDiff>(watcher.monitor, this, [&](const LockDiff &diff) {
            for (const WatchedLock &lock : diff.changed)
                due[lock.key().bytes] = lock.lock.deadline->latest;
            for (const LockEvent &event : diff.events) {
                if (event.kind == EventKind::Expired)
                    late.append(
                        std::chrono::duration_cast<milliseconds>(event.at - due[event.address.key.bytes]));
            }
        });
        QTRY_COMPARE(late.size(), 100);
        std::ranges::sort(late);
        QVERIFY2(late[50] < 1s, QByteArray::number(qint64(late[50].count())).constData());
    }

    void takesHints()
    {
        RedisServer server;
        server.cli({"SET", "lock:a", "one"});
        Watcher watcher(server.socketAddress(), {.rereadInterval = 60s, .scanInterval = 60s});
        QVERIFY(watcher.scanFinished.wait());
        server.cli({"SET", "lock:a", "two"});
        watcher.monitor.requestRead({LockKey("lock:a"), LockKey("lock:never")});
        QTRY_VERIFY(watcher.events.contains("owner-changed lock:a"));
        QCOMPARE(watcher.locks.size(), 1);
    }

    void changesPatterns()
    {
        RedisServer server;
        server.cli({"MSET", "lock:a", "1", "job:b", "1"});
        Watcher watcher(server.socketAddress());
        QVERIFY(watcher.scanFinished.wait());
        QCOMPARE(watcher.locks.keys(), QByteArrayList{"lock:a"});
        watcher.monitor.setPatterns({"job:*"});
        QTRY_VERIFY(watcher.locks.contains("job:b"));
        QTRY_VERIFY(!watcher.locks.contains("lock:a")); // no pattern asks for it any more
    }

    void knowsNotWhatHappenedInAGap()
    {
        RedisServer server;
        server.cli({"MSET", "lock:stays", "token-1", "lock:goes", "token-1", "lock:changes", "token-1"});
        Watcher watcher(server.socketAddress());
        QVERIFY(watcher.scanFinished.wait());
        watcher.events.clear();
        QSignalSpy lost(&watcher.connection, &Connection::connectionLost);
        server.kill();
        QVERIFY(lost.wait());
        QCOMPARE(watcher.locks.size(), 3); // the last picture stays
        server.start();
        server.cli({"MSET", "lock:stays", "token-1", "lock:changes", "token-2", "lock:new", "token-1"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), 3, 10'000);
        std::ranges::sort(watcher.events);
        QCOMPARE(watcher.events,
                 (QByteArrayList{"found lock:new", "owner-changed lock:changes", "vanished lock:goes"}));
    }

    void asksNotAgainWhatIsForbidden()
    {
        RedisServer server({QStringLiteral("--user"), QStringLiteral("mo"), QStringLiteral("on"),
                            QStringLiteral(">p"), QStringLiteral("resetchannels"), QStringLiteral("~lock:a*"),
                            QStringLiteral("-@all"), QStringLiteral("+scan"), QStringLiteral("+pttl"),
                            QStringLiteral("+hscan"), QStringLiteral("+getrange"), QStringLiteral("+type"),
                            QStringLiteral("+info"), QStringLiteral("+dbsize")});
        server.cli({"MSET", "lock:a", "1", "lock:b", "1"});
        ServerAddress address = server.socketAddress();
        address.user = "mo";
        address.password = "p";
        Watcher watcher(address, {.rereadInterval = 10ms, .scanInterval = 10ms});
        QTRY_VERIFY(watcher.scanFinished.size() >= 5);
        QCOMPARE(watcher.locks.keys(), QByteArrayList{"lock:a"});
        QVERIFY(watcher.errorOccurred.isEmpty()); // it is counted instead
        QCOMPARE(watcher.permissions.unreadable, 1);

        server.cli({"ACL", "SETUSER", "mo", "-scan"});
        QTRY_COMPARE(watcher.errorOccurred.size(), 1);
        QCOMPARE(watcher.errorOccurred.first().kind, ErrorKind::NoPermission);
    }

    void livesWithAKeyThatIsTooBigToRead()
    {
        RedisServer server;
        // A field name larger than the codec takes: every reading of it would cut the connection.
        server.cli(
            {"EVAL",
             "redis.call('hset', 'lock:big', string.rep('x', 20000000), 1) redis.call('set', 'lock:a', 't')",
             "0"});
        Watcher watcher(server.socketAddress(), {.rereadInterval = 20ms, .scanInterval = 20ms});
        QSignalSpy lost(&watcher.connection, &Connection::connectionLost);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() >= 3, 10'000);
        QVERIFY(watcher.locks.contains("lock:a"));
        QVERIFY(watcher.locks["lock:big"].lock.problems & Problem::TooBig);
        QVERIFY(lost.size() <= 2);
    }

    void waitsWhileTheServerLoads()
    {
        FakePeer peer;
        peer.once("SCAN", "-LOADING Redis is loading the dataset in memory\r\n");
        peer.on("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
        Watcher watcher(peer.address());
        QTRY_COMPARE(watcher.errorOccurred.size(), 1);
        QCOMPARE(watcher.errorOccurred.first().kind, ErrorKind::Loading);
        QVERIFY(watcher.scanFinished.wait(10'000));
    }

    /// An error in the middle of a batch leaves no lock unread for ever.
    void readsOnAfterARefusedBatch()
    {
        FakePeer peer;
        peer.once("SCAN", "*2\r\n$1\r\n0\r\n*2\r\n$6\r\nlock:a\r\n$6\r\nlock:b\r\n");
        peer.on("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
        peer.on("PTTL", ":-1\r\n");
        peer.on("HSCAN", "-WRONGTYPE x\r\n");
        peer.on("GETRANGE", "$1\r\nt\r\n");
        Watcher watcher(peer.address(), {.rereadInterval = 20ms, .scanInterval = 20ms});
        QTRY_COMPARE(watcher.locks.size(), 2);
        peer.once("PTTL", "-BUSY Redis is busy running a script\r\n");
        QTRY_COMPARE(watcher.errorOccurred.size(), 1);
        peer.on("PTTL", ":-2\r\n");
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 0, 10'000);
    }

    /// A quiet server sees few commands, and none that a monitor may not send.
    void sendsOnlyReads()
    {
        FakePeer peer;
        peer.on("SCAN", "*2\r\n$1\r\n0\r\n*1\r\n$6\r\nlock:a\r\n");
        peer.on("PTTL", ":5000\r\n");
        peer.on("HSCAN", "-WRONGTYPE x\r\n");
        peer.on("GETRANGE", "$1\r\nt\r\n");
        Watcher watcher(peer.address());
        QTRY_VERIFY(watcher.scanFinished.size() >= 2);
        for (const QByteArrayList &command : peer.commands()) {
            const std::vector<QByteArrayView> words(command.begin(), command.end());
            QVERIFY2(isReadCommand(words), command.join(' ').constData());
        }
        QCOMPARE(peer.commands("HSCAN").size(), 1); // known to be a string from then on
    }
};

QTEST_GUILESS_MAIN(TestLockMonitor)
#include "tst_lockmonitor.moc"

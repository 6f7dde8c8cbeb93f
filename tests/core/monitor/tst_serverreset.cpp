// SPDX-License-Identifier: GPL-3.0-or-later
// Flushes and restarts: what is claimed of them, and how soon what is gone is shown as gone.
#include "core/monitor/resetwatch.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;
using Cause = ServerReset::Cause;
using Finding = ResetWatch::Finding;

namespace {

const ServerAddress primary;

/// A watcher that listens also to what becomes of all locks at once.
struct ResetWatcher : Watcher
{
    using Watcher::Watcher;
    ToldSpy<ServerReset> resets{monitor};

    ServerReset last() const { return resets.last(); }
    qsizetype count(const char *event) const
    {
        return std::ranges::count_if(events, [event](const QByteArray &e) { return e.startsWith(event); });
    }
    bool isListening() const { return !feeds.isEmpty() && feeds.last().worst() != FeedMode::Polling; }
};

MonitorOptions toldOnly()
{
    return {.rereadInterval = 1h, .scanInterval = 1h};
}

void fill(const RedisServer &server, int locks)
{
    server.cli({"EVAL",
                "for i = 1, ARGV[1] do redis.call('set', 'lock:' .. i, "
                "string.format('%08x-58cc-4372-a567-0e02b2c3d479', i), 'PX', 3600000) end",
                "0", QByteArray::number(locks)});
}

qint64 callsOf(const RedisServer &server, const QByteArray &command)
{
    const QByteArray stats = server.cli({"INFO", "commandstats"});
    const QByteArray head = "cmdstat_" + command + ":calls=";
    const qsizetype at = stats.indexOf(head);
    return at < 0 ? 0 : stats.mid(at + head.size(), 20).split(',').first().toLongLong();
}

} // namespace

class TestServerReset : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// A thousand locks on a server; what was told; what DBSIZE says; what that proves.
    void whatACountProves_data()
    {
        QTest::addColumn<bool>("isPushed");
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<int>("locks");
        QTest::addColumn<Finding>("finding");
        QTest::newRow("flushed") << true << 5000 << 0 << 1000 << Finding::Empty;
        QTest::newRow("one lock, flushed") << true << 1 << 0 << 1 << Finding::Empty;
        QTest::newRow("one lock, released") << false << 1 << 0 << 1 << Finding::Nothing;
        QTest::newRow("found empty") << false << 5000 << 0 << 1000 << Finding::Empty;
        QTest::newRow("another database") << true << 5000 << 5000 << 1000 << Finding::Nothing;
        QTest::newRow("flushed and written anew") << true << 5000 << 20 << 1000 << Finding::Shrunk;
        QTest::newRow("few of many") << true << 50'000 << 2000 << 1000 << Finding::Shrunk;
        QTest::newRow("deleted by somebody") << false << 5000 << 20 << 1000 << Finding::Nothing;
        QTest::newRow("nothing of ours") << true << 5000 << 0 << 0 << Finding::Nothing;
    }
    void whatACountProves()
    {
        QFETCH(bool, isPushed);
        QFETCH(int, before);
        QFETCH(int, after);
        QFETCH(int, locks);
        QFETCH(Finding, finding);
        const TimePoint now = Clock::now();
        ResetWatch watch;
        watch.connected(primary, "a", {});
        QCOMPARE(watch.counted(before, {locks, 0}, now), Finding::Nothing);
        if (isPushed)
            watch.reported({locks, 0}, now);
        QCOMPARE(watch.counted(after, {locks, 0}, now), finding);
        QCOMPARE(watch.provesAbsence(), finding == Finding::Shrunk);
        if (finding == Finding::Empty)
            QCOMPARE(watch.claim({locks, 0}, now).cause, isPushed ? Cause::Flush : Cause::Unknown);
    }

    void claimsOnlyWhatIsGone()
    {
        const TimePoint now = Clock::now();
        ResetWatch watch;
        watch.connected(primary, "a", {});
        watch.counted(1000, {100, 7}, now);
        QVERIFY(!watch.scanFinished({100, 7}, now));
        watch.reported({100, 7}, now);
        QCOMPARE(watch.counted(40, {100, 7}, now), Finding::Shrunk);
        QCOMPARE(watch.counted(40, {100, 7}, now), Finding::Nothing); // of one flush once
        auto claim = watch.scanFinished({10, 97}, now);
        QVERIFY(claim);
        QCOMPARE(claim->cause, Cause::Flush);
        QCOMPARE(claim->locks, 90);
        QVERIFY(!watch.scanFinished({10, 97}, now));
        watch.reported({30, 97}, now);
        watch.counted(10, {30, 97}, now);
        QVERIFY(!watch.scanFinished({28, 99}, now)); // the others are there as before
        // The word of a server is forgotten.
        watch.reported({28, 99}, now);
        QCOMPARE(watch.counted(1, {28, 99}, now + 6s), Finding::Nothing);
    }

    /// A flush that took none of ours says nothing about what goes after it.
    void aFlushBeforeASwap()
    {
        const TimePoint now = Clock::now();
        ResetWatch watch;
        watch.connected(primary, "a", {});
        watch.reported({0, 9}, now);
        watch.counted(5, {5, 9}, now);
        watch.swapped({5, 9}, now + 1s);
        QCOMPARE(watch.counted(0, {5, 9}, now + 1s), Finding::Empty);
        QCOMPARE(watch.claim({5, 9}, now + 1s).cause, Cause::Swap);
        watch.reported({5, 14}, now + 2s);
        watch.counted(0, {0, 14}, now + 2s); // they went one by one
        QCOMPARE(watch.counted(9, {9, 14}, now + 3s), Finding::Nothing);
        QCOMPARE(watch.counted(0, {9, 14}, now + 3s), Finding::Nothing);
        watch.reported({9, 14}, now + 4s);
        watch.swapped({9, 14}, now + 4s); // which of both took them is not told
        QCOMPARE(watch.counted(0, {9, 14}, now + 4s), Finding::Empty);
        QCOMPARE(watch.claim({9, 14}, now + 4s).cause, Cause::Unknown);
    }

    void anotherProcess()
    {
        const TimePoint now = Clock::now();
        ResetWatch watch;
        watch.connected(primary, "a", {});
        watch.counted(10, {5, 0}, now);
        watch.connected(primary, "a", {5, 0}); // only the connection broke
        QVERIFY(!watch.scanFinished({5, 0}, now));
        watch.connected(primary, "b", {5, 0});
        QCOMPARE(watch.counted(10, {5, 0}, now), Finding::Nothing);
        const auto restarted = watch.scanFinished({3, 2}, now);
        QVERIFY(restarted);
        QCOMPARE(restarted->cause, Cause::Restart);
        QVERIFY(restarted->hasData == true);
        QCOMPARE(restarted->locks, 2);
        watch.connected(primary, "c", {3, 2});
        QCOMPARE(watch.counted(0, {3, 2}, now), Finding::Empty);
        const ServerReset empty = watch.claim({3, 2}, now);
        QCOMPARE(empty.cause, Cause::Restart);
        QVERIFY(empty.hasData == false);
        watch.connected(primary, {}, {3, 2}); // it may not be asked who answers
        QVERIFY(!watch.scanFinished({3, 2}, now));
    }

    /// Whose process it is does not tell that it has taken over.
    void anotherAddress()
    {
        const TimePoint now = Clock::now();
        ServerAddress replica;
        replica.port = 7001;
        ResetWatch watch;
        watch.connected(primary, "a", {});
        watch.connected(replica, "b", {5, 0});
        const auto failover = watch.scanFinished({3, 2}, now);
        QVERIFY(failover);
        QCOMPARE(failover->cause, Cause::Failover);
        QCOMPARE(failover->from, primary.toDisplayString());
        QCOMPARE(failover->to, replica.toDisplayString());
        watch.connected(primary, "b", {3, 2}); // the same process by another name
        QVERIFY(!watch.scanFinished({3, 2}, now));
    }

    /// Locks that are known are data; else only a count by the process that answers now says whether there are any.
    void whatARestartCameBackWith()
    {
        const TimePoint now = Clock::now();
        ResetWatch watch;
        watch.connected(primary, "a", {});
        QCOMPARE(watch.counted(100'000, {0, 0}, now), Finding::Nothing);
        watch.connected(primary, "b", {0, 0});
        QCOMPARE(watch.counted(0, {0, 0}, now), Finding::Nothing);
        auto restarted = watch.scanFinished({0, 0}, now);
        QVERIFY(restarted && restarted->hasData == false);
        watch.connected(primary, "c", {0, 0});
        QCOMPARE(watch.counted(7, {0, 0}, now), Finding::Nothing);
        restarted = watch.scanFinished({0, 0}, now);
        QVERIFY(restarted && restarted->hasData == true);
        watch.connected(primary, "d", {5, 0}); // it does not count for us any more
        restarted = watch.scanFinished({0, 5}, now);
        QVERIFY(restarted && restarted->hasData != true && restarted->hasData != false);
        watch.connected(primary, "e", {5, 0});
        restarted = watch.scanFinished({5, 0}, now);
        QVERIFY(restarted && restarted->hasData == true);
    }

    /// The count of keys proves that all are gone: no key is read for it.
    void flushTakesAllRowsAtOnce()
    {
        constexpr int many = 20'000;
        const RedisServer server;
        fill(server, many);
        MonitorOptions options = toldOnly();
        options.firstScanShare = 1;
        ResetWatcher watcher(server.socketAddress(), options);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), many, 60'000);
        QTRY_VERIFY(watcher.isListening());
        QTRY_COMPARE_WITH_TIMEOUT(watcher.scanFinished.size(), 1, 60'000);
        watcher.events.clear();
        const qint64 reads = callsOf(server, "pttl");
        server.cli({"FLUSHALL"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 0, 20'000);
        QCOMPARE(watcher.resets.size(), 1);
        QCOMPARE(watcher.last().cause, Cause::Flush);
        QCOMPARE(watcher.last().locks, many);
        QCOMPARE(watcher.count("flushed"), many);
        QCOMPARE(watcher.events.size(), many);
        QCOMPARE(callsOf(server, "pttl"), reads);
        server.cli({"SET", "lock:a", "f47ac10b-58cc-4372-a567-0e02b2c3d479"});
        QTRY_COMPARE(watcher.locks.size(), 1);
        QCOMPARE(watcher.events.last(), "acquired lock:a");
        server.cli({"FLUSHALL"});
        QTRY_COMPARE(watcher.resets.size(), 2);
        QCOMPARE(watcher.last().locks, 1);
    }

    /// Others go on: what is written after the flush stays, the rest goes without being read one by one.
    void flushWithNewKeysBehindIt()
    {
        constexpr int many = 5000;
        const RedisServer server;
        fill(server, many);
        MonitorOptions options = toldOnly();
        options.firstScanShare = 1;
        ResetWatcher watcher(server.socketAddress(), options);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), many, 60'000);
        QTRY_VERIFY(watcher.isListening());
        QTRY_COMPARE_WITH_TIMEOUT(watcher.scanFinished.size(), 1, 60'000);
        watcher.events.clear();
        const qint64 reads = callsOf(server, "pttl");
        server.cli({"EVAL",
                    "redis.call('flushdb') redis.call('set', 'lock:7', "
                    "'f47ac10b-58cc-4372-a567-0e02b2c3d479') redis.call('set', 'x', 1) "
                    "redis.call('set', 'lock:new', 'f47ac10b-58cc-4372-a567-0e02b2c3d479')",
                    "0"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.resets.size(), 1, 20'000);
        QCOMPARE(watcher.last().cause, Cause::Flush);
        QCOMPARE(watcher.last().locks, many - 1);
        QTRY_COMPARE(watcher.locks.size(), 2);
        QTRY_COMPARE(watcher.count("flushed") + watcher.count("vanished"), many - 1);
        QVERIFY(callsOf(server, "pttl") - reads < 100);
        QCOMPARE(watcher.locks["lock:7"].lock.owners.first().owner,
                 OwnerId("f47ac10b-58cc-4372-a567-0e02b2c3d479"));
    }

    /// The server says the same of every database.
    void anotherDatabaseIsFlushed()
    {
        const RedisServer server;
        fill(server, 200);
        server.cli({"-n", "3", "SET", "lock:a", "f47ac10b-58cc-4372-a567-0e02b2c3d479"});
        ResetWatcher watcher(server.socketAddress(), {.rereadInterval = 1h, .scanInterval = 100ms});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 200, 20'000);
        QTRY_VERIFY(watcher.isListening());
        watcher.events.clear();
        server.cli({"-n", "3", "FLUSHDB"});
        const TimePoint flushed = Clock::now();
        QTRY_VERIFY(watcher.feeds.last().incident);
        QTRY_VERIFY(watcher.sweptSince > flushed);
        QCOMPARE(watcher.resets.size(), 0);
        QVERIFY(watcher.events.isEmpty());
        QCOMPARE(watcher.locks.size(), 200);
        server.cli({"DEL", "lock:1"}); // and what is released is released
        // Whether it went with the other database is told by no counter that is as old as its last reading.
        QTRY_VERIFY(watcher.events == QByteArrayList{"released lock:1"} ||
                    watcher.events == QByteArrayList{"vanished lock:1"});
    }

    /// Where nothing is told, the server's counters tell.
    void foundEmptyByPolling()
    {
        const RedisServer server;
        fill(server, 300);
        MonitorOptions options{.rereadInterval = 50ms, .scanInterval = 100ms, .listens = false};
        ResetWatcher watcher(server.socketAddress(), options);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 300, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() >= 2, 20'000);
        watcher.events.clear();
        server.cli({"FLUSHALL"});
        QTRY_COMPARE(watcher.resets.size(), 1);
        QCOMPARE(watcher.last().cause, Cause::Flush);
        QTRY_COMPARE(watcher.locks.size(), 0);
        QTRY_COMPARE(watcher.count("flushed"), 300);
    }

    /// The only lock of a server is released, which empties the keyspace.
    void theLastKeyIsReleased()
    {
        const RedisServer server;
        server.cli({"SET", "lock:a", "f47ac10b-58cc-4372-a567-0e02b2c3d479"});
        MonitorOptions options{.rereadInterval = 50ms, .scanInterval = 100ms, .listens = false};
        ResetWatcher watcher(server.socketAddress(), options);
        QTRY_COMPARE(watcher.locks.size(), 1);
        QTRY_VERIFY(watcher.scanFinished.size() >= 2);
        server.cli({"DEL", "lock:a"});
        QTRY_COMPARE(watcher.locks.size(), 0);
        QCOMPARE(watcher.resets.size(), 0);
        QCOMPARE(watcher.events, (QByteArrayList{"found lock:a", "released lock:a"}));
    }

    void restartedEmpty()
    {
        RedisServer server;
        fill(server, 50);
        ResetWatcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE_WITH_TIMEOUT(watcher.scanFinished.size(), 1, 20'000);
        watcher.events.clear();
        server.kill();
        server.start();
        QTRY_COMPARE_WITH_TIMEOUT(watcher.resets.size(), 1, 30'000);
        QCOMPARE(watcher.last().cause, Cause::Restart);
        QVERIFY(watcher.last().hasData == false);
        QCOMPARE(watcher.last().locks, 50);
        QCOMPARE(watcher.locks.size(), 0);
        QCOMPARE(watcher.count("flushed"), 50);
    }

    void restartedEmptyWithoutLocks()
    {
        RedisServer server;
        server.cli({"EVAL", "for i = 1, 1000 do redis.call('set', 'x:' .. i, 1) end", "0"});
        ResetWatcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE_WITH_TIMEOUT(watcher.scanFinished.size(), 1, 20'000);
        server.kill();
        server.start();
        QTRY_COMPARE_WITH_TIMEOUT(watcher.resets.size(), 1, 30'000);
        QCOMPARE(watcher.last().cause, Cause::Restart);
        QVERIFY(watcher.last().hasData == false);
    }

    void restartedWithItsData()
    {
        RedisServer server({QStringLiteral("--appendonly"), QStringLiteral("yes"),
                            QStringLiteral("--appendfsync"), QStringLiteral("always")});
        fill(server, 50);
        ResetWatcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE_WITH_TIMEOUT(watcher.scanFinished.size(), 1, 20'000);
        watcher.events.clear();
        server.cli({"DEL", "lock:1", "lock:2"}); // told or not: these are gone for another cause
        QTRY_COMPARE(watcher.locks.size(), 48);
        server.kill();
        server.start();
        QTRY_COMPARE_WITH_TIMEOUT(watcher.resets.size(), 1, 30'000);
        QCOMPARE(watcher.last().cause, Cause::Restart);
        QVERIFY(watcher.last().hasData == true);
        QCOMPARE(watcher.last().locks, 0);
        QCOMPARE(watcher.locks.size(), 48);
    }
};

QTEST_GUILESS_MAIN(TestServerReset)
#include "tst_serverreset.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What a login may not do: counted, kept, told, and tried again, on real servers.
#include "core/monitor/lockmonitor.h"

#include "tests/support/fakepeer.h"
#include "tests/support/login.h"
#include "tests/support/redisserver.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;
using Use = PermissionStatus::Use;

namespace {

/// So seldom that only scanNow() tries again.
const MonitorOptions never{
    .rereadInterval = 10ms, .scanInterval = 10ms, .waitersInterval = 1h, .permissionInterval = 1h};
/// Often enough for a test; each retry is seen on its own.
const MonitorOptions often{
    .rereadInterval = 10ms, .scanInterval = 10ms, .waitersInterval = 20ms, .permissionInterval = 300ms};

QByteArrayList missingUses(const Watcher &watcher)
{
    QByteArrayList lines;
    for (const auto &each : watcher.permissions.missing) {
        const QByteArrayList about{"unknown", "command", "key", "channel"};
        lines << each.refusal.command + ' ' + about.at(int(each.refusal.about)) +
                     (each.wasRevoked ? " revoked" : "");
    }
    std::ranges::sort(lines);
    return lines;
}

/// Several retries have passed.
bool hasSweptOften(Watcher &watcher, int times = 5)
{
    const auto before = watcher.scanFinished.size();
    return QTest::qWaitFor([&] { return watcher.scanFinished.size() >= before + times; }, 20'000);
}

} // namespace

class TestPermissions : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Each way in which values may be out of reach; hashes, texts, a sorted set and a set, two of each.
    void countsWhatItMayNotRead_data()
    {
        QTest::addColumn<QByteArrayList>("rules");
        QTest::addColumn<int>("unreadable");
        QTest::addColumn<QByteArrayList>("missing");
        const auto row = [](const char *name, const QByteArrayList &rules, int unreadable,
                            const QByteArrayList &missing) {
            QTest::newRow(name) << rules << unreadable << missing;
        };
        row("all may be read", {"~*"}, 0, {});
        row("no key", {"~other:*"}, 8, {"pttl key"});
        row("some keys", {"~lock:?1"}, 4, {"pttl key"});
        row("no text", {"~*", "-getrange"}, 2, {"getrange command"});
        row("no hash", {"~*", "-hscan"}, 2, {"hscan command"});
        row("neither", {"~*", "-hscan", "-getrange"}, 4, {"getrange command", "hscan command"});
        row("no set", {"~*", "-sscan", "-zrange"}, 4, {"sscan command", "zrange command"});
        row("no type", {"~*", "-type"}, 4, {"type command"});
        row("no time to live", {"~*", "-pttl"}, 8, {"pttl command"});
        row("some keys, and no text", {"~lock:?1", "-getrange"}, 5, {"getrange command", "pttl key"});
        row("nothing but names", {"~other:*", "-pttl", "-hscan", "-getrange"}, 8,
            {"getrange command", "hscan command", "pttl command"});
    }
    void countsWhatItMayNotRead()
    {
        QFETCH(const QByteArrayList, rules);
        QFETCH(const int, unreadable);
        QFETCH(const QByteArrayList, missing);
        RedisServer server;
        for (const QByteArray number : {"1", "2"}) {
            server.cli({"HSET", "lock:h" + number, "u:1", "1"});
            server.cli({"SET", "lock:t" + number, "token"});
            server.cli({"ZADD", "lock:z" + number, "1", "m"});
            server.cli({"SADD", "lock:s" + number, "m"});
        }
        Login login(server, rules);
        Watcher watcher(login.address(), never);
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(watcher.scanFinished.first().unreadable, unreadable);
        QCOMPARE(watcher.permissions.unreadable, unreadable);
        QCOMPARE(watcher.locks.size(), 8 - unreadable);
        QByteArrayList told = missingUses(watcher);
        told.removeOne("client|tracking command");
        QCOMPARE(told, missing);
        QVERIFY(watcher.errorOccurred.isEmpty());
        const bool isByKey = missing.contains("pttl key");
        QCOMPARE(watcher.permissions.patterns, isByKey ? QByteArrayList{"lock:*"} : QByteArrayList());
        // What was refused is not sent again.
        QVERIFY(hasSweptOften(watcher));
        login.resetLog();
        QVERIFY(hasSweptOften(watcher));
        QCOMPARE(login.logLines(), 0);
    }

    void keepsTheCountUpToDate()
    {
        RedisServer server;
        server.cli({"MSET", "lock:a", "one", "lock:b", "one", "other:1", "one"});
        Login login(server, {"~lock:a"});
        Watcher watcher(login.address(), never);
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(watcher.permissions.unreadable, 1);
        server.cli({"MSET", "lock:c", "one", "lock:d", "one"});
        QTRY_COMPARE(watcher.permissions.unreadable, 3);
        server.cli({"DEL", "lock:b", "lock:c"});
        QTRY_COMPARE(watcher.permissions.unreadable, 1);
        server.cli({"DEL", "lock:d"});
        QTRY_COMPARE(watcher.permissions.unreadable, 0);
        QVERIFY(watcher.permissions.patterns.isEmpty());
        QCOMPARE(watcher.locks.keys(), QByteArrayList{"lock:a"});
    }

    /// The server announces names that were there for a moment, and refuses them whether they are there or not.
    void countsNoNamesThatAreGone()
    {
        RedisServer server;
        server.cli({"SET", "lock:a", "one"});
        Login login(server, {"~lock:a", "+client|tracking", "&*"});
        Watcher watcher(login.address(), {.scanInterval = 1h, .permissionInterval = 1h});
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(MonitorOptions().patterns.size(), 3);
        watcher.monitor.requestRead({LockKey("lock:never")});
        server.cli({"SET", "lock:a", "two"});
        QTRY_VERIFY(watcher.events.contains("owner-changed lock:a"));
        QCOMPARE(watcher.permissions.unreadable, 0);
    }

    /// A key that can't be read any more is not gone; and when it is back, nothing is said to have happened meanwhile that
    /// nobody saw.
    void keepsALockThatIsForbidden()
    {
        RedisServer server;
        server.cli({"HSET", "lock:a", "u:1", "2"});
        server.cli({"MSET", "lock:b", "one", "lock:c", "one", "lock:d", "one"});
        Login login(server);
        Watcher watcher(login.address(), never);
        QVERIFY(watcher.scanFinished.wait(10'000));
        watcher.events.clear();

        login.change({"resetkeys", "~lock:d"});
        QTRY_COMPARE(watcher.unreadable(), (QByteArrayList{"lock:a", "lock:b", "lock:c"}));
        QTRY_COMPARE(watcher.permissions.unreadable, 3);
        QCOMPARE(watcher.permissions.lost, 3);
        QVERIFY(missingUses(watcher).contains("pttl key revoked"));
        QCOMPARE(watcher.locks["lock:a"].lock.owners.first().holdCount, 2);
        server.cli({"DEL", "lock:b"});
        server.cli({"SET", "lock:c", "two"});
        QTRY_COMPARE(watcher.events, QByteArrayList{"released lock:b"}); // a whole pass has not met its name
        QVERIFY(hasSweptOften(watcher, 5));

        login.change({"~lock:*"});
        watcher.monitor.scanNow();
        QTRY_COMPARE(watcher.unreadable(), QByteArrayList());
        QTRY_COMPARE(watcher.permissions.unreadable, 0);
        QTRY_COMPARE(watcher.events, (QByteArrayList{"released lock:b", "owner-changed lock:c"}));
        QCOMPARE(watcher.locks.size(), 3);
    }

    /// What is kept of it is of the old type, and would be asked for again and again.
    void aForbiddenLockMayChangeItsType()
    {
        RedisServer server;
        server.cli({"SET", "lock:a", "one"});
        Login login(server);
        Watcher watcher(login.address(), {.permissionInterval = 1h});
        QVERIFY(watcher.scanFinished.wait(10'000));
        login.change({"-getrange", "-hscan", "-pttl"});
        watcher.monitor.requestRead({LockKey("lock:a")});
        QTRY_COMPARE(watcher.unreadable(), QByteArrayList{"lock:a"});
        server.cli({"DEL", "lock:a"});
        server.cli({"HSET", "lock:a", "web-1:7", "2"});
        login.change({"+getrange", "+hscan", "+pttl"});
        watcher.monitor.scanNow();
        QTRY_COMPARE(watcher.unreadable(), QByteArrayList());
        QTRY_COMPARE(watcher.locks["lock:a"].lock.owners.value(0).owner, OwnerId("web-1:7"));
        QCOMPARE(watcher.permissions.unreadable, 0);
    }

    void aForbiddenLockThatIsGoneWhenItIsBackHasEnded()
    {
        RedisServer server;
        server.cli({"MSET", "lock:a", "one", "lock:b", "one"});
        Login login(server);
        // No scan that could miss its name.
        Watcher watcher(login.address(),
                        {.rereadInterval = 10ms, .scanInterval = 1h, .permissionInterval = 100ms});
        QVERIFY(watcher.scanFinished.wait(10'000));
        watcher.events.clear();
        login.change({"resetkeys", "~lock:b"});
        QTRY_COMPARE(watcher.unreadable(), QByteArrayList{"lock:a"});
        server.cli({"DEL", "lock:a"});
        login.change({"~lock:*"});
        QTRY_VERIFY(!watcher.locks.contains("lock:a"));
        QTRY_COMPARE(watcher.events, QByteArrayList{"released lock:a"}); // after the server's counters
    }

    /// What becomes readable was there all the time: nobody has acquired it now.
    void whatIsPermittedLaterIsFound()
    {
        RedisServer server;
        server.cli({"MSET", "lock:a", "one", "lock:b", "one"});
        Login login(server, {"~lock:a"});
        Watcher watcher(login.address(), often);
        QVERIFY(watcher.scanFinished.wait(10'000));
        login.change({"~lock:b"});
        QTRY_VERIFY(watcher.locks.contains("lock:b"));
        QCOMPARE(watcher.events, (QByteArrayList{"found lock:a", "found lock:b"}));
        QTRY_VERIFY(!missingUses(watcher).contains("pttl key"));
    }

    /// Whatever is revoked is tried again, and told, by itself.
    void triesAgain_data()
    {
        QTest::addColumn<QByteArrayList>("revoked");
        QTest::addColumn<QByteArrayList>("granted");
        QTest::addColumn<QByteArray>("missing");
        QTest::addColumn<int>("unreadable");
        const auto row = [](const char *name, const QByteArrayList &revoked, const QByteArrayList &granted,
                            const QByteArray &missing, int unreadable) {
            QTest::newRow(name) << revoked << granted << missing << unreadable;
        };
        row("keys", {"resetkeys"}, {"~*"}, "pttl key revoked", 40);
        row("PTTL", {"-pttl"}, {"+pttl"}, "pttl command revoked", 40);
        row("HSCAN", {"-hscan"}, {"+hscan"}, "hscan command revoked", 20);
        row("GETRANGE", {"-getrange"}, {"+getrange"}, "getrange command revoked", 20);
        row("SCAN", {"-scan"}, {"+scan"}, "scan command revoked", 0);
        row("INFO", {"-info"}, {"+info"}, "info command revoked", 0);
    }
    void triesAgain()
    {
        QFETCH(const QByteArrayList, revoked);
        QFETCH(const QByteArrayList, granted);
        QFETCH(const QByteArray, missing);
        QFETCH(const int, unreadable);
        RedisServer server;
        server.cli({"EVAL",
                    "for i=1,20 do redis.call('set', 'lock:t'..i, 't') "
                    "redis.call('hset', 'lock:h'..i, 'u:1', 1) end",
                    "0"});
        Login login(server, {"~*", "+client|tracking", "&*"});
        Watcher watcher(login.address(), often);
        QVERIFY(watcher.scanFinished.wait(10'000));
        QTRY_COMPARE(missingUses(watcher), QByteArrayList());
        watcher.events.clear();

        login.change(revoked);
        QTRY_VERIFY(missingUses(watcher).contains(missing));
        QTRY_COMPARE(watcher.permissions.unreadable, unreadable);
        QTRY_COMPARE(watcher.unreadable().size(), unreadable);
        login.resetLog();
        QTRY_VERIFY(login.logLines() > 0); // tried again
        login.change(granted);
        QTRY_COMPARE(missingUses(watcher), QByteArrayList());
        QTRY_COMPARE(watcher.unreadable().size(), 0);
        QCOMPARE(watcher.permissions.unreadable, 0);
        QCOMPARE(watcher.events, QByteArrayList());
        // And all goes on as before.
        const auto scanFinished = watcher.scanFinished.size();
        server.cli({"SET", "lock:new", "one"});
        QTRY_VERIFY(watcher.events.contains("acquired lock:new"));
        QTRY_VERIFY(watcher.scanFinished.size() > scanFinished);
    }

    void sweepNowTriesAtOnce()
    {
        RedisServer server;
        server.cli({"MSET", "lock:a", "one", "lock:b", "one"});
        Login login(server, {"~*"});
        Watcher watcher(login.address(), never);
        QVERIFY(watcher.scanFinished.wait(10'000));
        login.change({"-scan", "-getrange"});
        QTRY_COMPARE(watcher.unreadable().size(), 2);
        QTRY_VERIFY(missingUses(watcher).contains("scan command revoked"));
        server.cli({"SET", "lock:c", "one"});
        login.change({"+scan", "+getrange"});
        watcher.monitor.scanNow();
        QTRY_COMPARE(watcher.locks.size(), 3);
        QTRY_COMPARE(watcher.unreadable().size(), 0);
    }

    /// Retries cost a few lines, however many keys are refused and however often.
    void retriesAreQuiet()
    {
        RedisServer server({QStringLiteral("--acllog-max-len"), QStringLiteral("10000")});
        server.cli({"EVAL", "for i=1,3000 do redis.call('set', 'lock:'..i, 't') end", "0"});
        Login login(server);
        Watcher watcher(login.address(),
                        {.rereadInterval = 10ms, .scanInterval = 10ms, .permissionInterval = 30ms});
        QVERIFY(watcher.scanFinished.wait(10'000));
        login.change({"resetkeys"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.unreadable().size(), 3000, 20'000);
        login.resetLog();
        const auto rejected = [&] {
            const QByteArray stats = server.cli({"INFO", "commandstats"});
            const qsizetype at = stats.indexOf("rejected_calls=", stats.indexOf("cmdstat_pttl:")) + 15;
            return stats.mid(at, stats.indexOf(',', at) - at).toInt();
        };
        const int before = rejected();
        QTRY_VERIFY_WITH_TIMEOUT(rejected() >= before + 100, 20'000); // a dozen retries at least
        // Eight keys each, seven of which are the same ones; what the second count sees is later than the first.
        const qsizetype lines = login.logLines();
        const int retries = (rejected() - before) / 8 + 2;
        QVERIFY2(lines <= 10 + retries, QByteArray::number(lines).constData());
        login.change({"~lock:1*"}); // some of the keys
        QTRY_COMPARE_WITH_TIMEOUT(watcher.unreadable().size(), 3000 - 1111, 20'000);
    }

    /// Known locks are read on where no new ones can be found.
    void watchesOnWithoutScan()
    {
        RedisServer server;
        server.cli({"SET", "lock:a", "one"});
        Login login(server);
        Watcher watcher(login.address(), never);
        QVERIFY(watcher.scanFinished.wait(10'000));
        login.change({"-scan"});
        QTRY_COMPARE(watcher.errorOccurred.size(), 1);
        QCOMPARE(watcher.errorOccurred.first().kind, ErrorKind::NoPermission);
        server.cli({"SET", "lock:a", "two"});
        QTRY_VERIFY(watcher.events.contains("owner-changed lock:a"));
        server.cli({"DEL", "lock:a"});
        QTRY_VERIFY(watcher.events.contains("released lock:a"));
        // It can't be said to be whole any more: new locks are not found.
        const TimePoint confirmed = watcher.confirmedAt;
        watcher.monitor.requestRead({LockKey("lock:a")});
        QTRY_VERIFY(Clock::now() - confirmed > 300ms);
        QVERIFY(Clock::now() - watcher.confirmedAt > 250ms);
    }

    void keepsForbiddenLocksOverAReconnection()
    {
        RedisServer server;
        server.cli({"MSET", "lock:a", "one", "lock:b", "one"});
        Login login(server);
        Watcher watcher(login.address(), never);
        QVERIFY(watcher.scanFinished.wait(10'000));
        login.change({"resetkeys", "~lock:b"});
        QTRY_COMPARE(watcher.unreadable(), QByteArrayList{"lock:a"});
        watcher.events.clear();
        server.cli({"CLIENT", "KILL", "USER", "mo"});
        QVERIFY(watcher.scanFinished.wait(10'000));
        QVERIFY(hasSweptOften(watcher, 5));
        QCOMPARE(watcher.unreadable(), QByteArrayList{"lock:a"});
        QCOMPARE(watcher.events, QByteArrayList());
        // Another connection is a reason to try.
        login.change({"~lock:*"});
        server.cli({"CLIENT", "KILL", "USER", "mo"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.unreadable(), QByteArrayList(), 10'000);
    }

    /// The feed, and who waits.
    void triesTheRestAgainToo()
    {
        RedisServer server;
        server.cli({"HSET", "lock:a", "b983c153-7421-469a-addb-44fb92259a1b:1", "1"});
        Login login(server, {"~*", "&*", "-exists", "-pubsub|numsub"});
        Watcher watcher(login.address(), {.rereadInterval = 10ms,
                                          .scanInterval = 10ms,
                                          .waitersInterval = 20ms,
                                          .permissionInterval = 100ms});
        QVERIFY(watcher.scanFinished.wait(10'000));
        const QByteArrayList expected{"client|tracking command", "exists command", "pubsub|numsub command"};
        QTRY_COMPARE(missingUses(watcher), expected);
        QCOMPARE(watcher.feeds.last().worst(), FeedMode::Polling);
        login.change({"+client|tracking", "+exists", "+pubsub|numsub"});
        QTRY_COMPARE(watcher.feeds.last().worst(), FeedMode::KeyedTracking);
        QTRY_COMPARE(missingUses(watcher), QByteArrayList());
    }

    /// Locks come and go; those that are refused the longest are gone when the permission comes.
    void triesCompanionsOfLocksThatAreThere_data()
    {
        QTest::addColumn<QByteArray>("by");
        QTest::newRow("in time") << QByteArray("time");
        QTest::newRow("sweep now") << QByteArray("sweep");
        QTest::newRow("a reconnection") << QByteArray("connection");
    }
    void triesCompanionsOfLocksThatAreThere()
    {
        QFETCH(const QByteArray, by);
        RedisServer server({QStringLiteral("--acllog-max-len"), QStringLiteral("10000")});
        server.cli({"EVAL",
                    "for i=1,200 do redis.call('hset', 'lock:order:'..i, ARGV[1], 1) end "
                    "redis.call('hset', 'lock:long', ARGV[1], 1) "
                    "redis.call('rpush', 'redisson_lock_queue:{lock:long}', ARGV[2])",
                    "0", "b983c153-7421-469a-addb-44fb92259a1b:1", "c983c153-7421-469a-addb-44fb92259a1b:2"});
        Login login(server, {"~lock:*"});
        MonitorOptions options = by == "time" ? often : never;
        options.waitersInterval = 20ms;
        Watcher watcher(login.address(), options);
        const auto refused = [&] {
            return std::ranges::any_of(missingUses(watcher),
                                       [](const auto &line) { return line.endsWith(" key"); });
        };
        QTRY_COMPARE(watcher.locks.size(), 201);
        QTRY_VERIFY(refused());
        QTRY_VERIFY(login.logLines() >= 201); // beside each of them
        server.cli({"EVAL", "for i=1,200 do redis.call('del', 'lock:order:'..i) end", "0"});
        QTRY_COMPARE(watcher.locks.size(), 1);
        login.change({"~redisson_lock_*"});
        if (by == "sweep")
            watcher.monitor.scanNow();
        else if (by == "connection")
            server.cli({"CLIENT", "KILL", "USER", "mo"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks["lock:long"].lock.companions->waiters.queue.size(), 1,
                                  10'000);
        // What was on its way before the permission may be refused after the sweep began.
        const auto isPermitted = [&] {
            if (by == "sweep" && refused())
                watcher.monitor.scanNow();
            return !refused();
        };
        QTRY_VERIFY(isPermitted());
    }

    /// No lock can be found then, but what is known is read anew, and is no older than that.
    void whatIsKnownIsCurrentWithoutScan_data()
    {
        QTest::addColumn<QByteArrayList>("rules");
        QTest::newRow("asked") << QByteArrayList{"~*"};
        QTest::newRow("told") << QByteArrayList{"~*", "+client|tracking", "&*"};
        QTest::newRow("told, and one can't be read") << QByteArrayList{"~lock:a", "+client|tracking", "&*"};
    }
    void whatIsKnownIsCurrentWithoutScan()
    {
        QFETCH(const QByteArrayList, rules);
        RedisServer server;
        server.cli({"MSET", "lock:a", "one", "lock:b", "one"});
        Login login(server, {"~*", "+client|tracking", "&*"});
        Watcher watcher(login.address(), never);
        QVERIFY(watcher.scanFinished.wait(10'000));
        QTRY_COMPARE(watcher.locks.size(), 2);
        login.change(QByteArrayList{"-scan", "-client|tracking", "resetkeys", "resetchannels"} + rules);
        QTRY_VERIFY(missingUses(watcher).contains("scan command revoked"));
        for (int i = 0; i < 2; ++i) { // and again
            const QByteArray owner = QByteArray::number(i);
            const auto scanFinished = watcher.scanFinished.size();
            QSignalSpy lost(&watcher.connection, &Connection::connectionLost); // it may be back at once
            server.cli({"CLIENT", "KILL", "USER", "mo"});
            QTRY_VERIFY(lost.size() > 0);
            server.cli({"SET", "lock:a", owner});
            const TimePoint changed = Clock::now();
            QTRY_VERIFY_WITH_TIMEOUT(watcher.confirmedAt > changed, 10'000);
            QCOMPARE(watcher.locks["lock:a"].lock.owners.value(0).owner, OwnerId(owner));
            QCOMPARE(watcher.scanFinished.size(), scanFinished);
            QTRY_VERIFY(watcher.confirmedAt > changed + 1s); // and stays so
        }
    }

    /// The grant covers none of those that stand for all at first.
    void findsAGrantForAFew_data()
    {
        QTest::addColumn<QByteArray>("granted");
        QTest::addColumn<int>("locks");
        QTest::newRow("a kind of locks") << QByteArray("~lock:billing:7*") << 11;
        QTest::newRow("a rare kind") << QByteArray("~lock:rare:*") << 1;
        QTest::newRow("one of many") << QByteArray("~lock:order:123") << 1;
    }
    void findsAGrantForAFew()
    {
        QFETCH(const QByteArray, granted);
        QFETCH(const int, locks);
        RedisServer server;
        server.cli({"EVAL",
                    "for i=1,250 do redis.call('set', 'lock:billing:'..i-1, 't') "
                    "redis.call('set', 'lock:order:'..i, 't') end "
                    "for i=1,12 do redis.call('set', 'lock:kind'..i..':x', 't') end "
                    "redis.call('set', 'lock:rare:1', 't')",
                    "0"});
        Login login(server, {"~other:*"});
        Watcher watcher(login.address(), {.scanInterval = 1h, .permissionInterval = 20ms});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.permissions.unreadable, 513, 20'000);
        login.change({granted});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), locks, 60'000);
    }

    /// A proxy that says no more than NOPERM.
    void livesWithARefusalThatSaysNothing()
    {
        FakePeer peer;
        peer.on("SCAN", "*2\r\n$1\r\n0\r\n*1\r\n$6\r\nlock:a\r\n");
        peer.on("PTTL", "-NOPERM\r\n");
        peer.on("HSCAN", "-NOPERM\r\n");
        peer.on("GETRANGE", "-NOPERM\r\n");
        Watcher watcher(peer.address(), never);
        QTRY_COMPARE(watcher.permissions.unreadable, 1);
        QVERIFY(missingUses(watcher).contains("pttl unknown"));
        QTRY_VERIFY(watcher.scanFinished.size() >= 3);
        QCOMPARE(peer.commands("PTTL").size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestPermissions)
#include "tst_permissions.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Locks under names that only families nominate: found without a pattern, heard of once they are, and no burden where there are none.
#include "core/family/certainty.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/readschedule.h"

#include "tests/support/familyliteral.h"
#include "tests/support/login.h"
#include "tests/support/redisserver.h"
#include "tests/support/watcher.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QByteArray token(32, 'a');
const QByteArray rq = "rq:scheduler-lock:default";
const QByteArray jobGlob = "uniquejobs:*:LOCKED";

/// No glob that covers the default patterns meets it.
QByteArray job(const QByteArray &name)
{
    return "uniquejobs:" + name.repeated(32) + ":LOCKED";
}

void holdJob(const RedisServer &server, const QByteArray &name)
{
    server.cli({"HSET", job(name), "b0ac1d2e3f4a5b6c7d8e9f01", "1700000000.5"});
}

/// Sweeps without a pause, and nothing is told.
MonitorOptions sweeping()
{
    return {.firstScanShare = 1, .share = 1, .rereadInterval = 1h, .scanInterval = 1ms, .listens = false};
}

/// Nothing is found by asking in turn or by sweeping.
MonitorOptions toldOnly()
{
    return {.rereadInterval = 1h, .scanInterval = 1h};
}

FeedMode routeOf(const Watcher &watcher, const QByteArray &glob)
{
    const FeedStatus status = watcher.feeds.isEmpty() ? FeedStatus() : watcher.feeds.last();
    const auto route = std::ranges::find(status.routes, glob, &FeedStatus::Route::pattern);
    return route == status.routes.end() ? FeedMode::Polling : route->feed;
}

int callsOf(const RedisServer &server, const QByteArray &command)
{
    static const QRegularExpression number(QStringLiteral(":calls=(\\d+)"));
    const QByteArray stats = server.cli({"INFO", "commandstats"});
    const qsizetype at = stats.indexOf("cmdstat_" + command + ':');
    return at < 0 ? 0 : number.match(QString::fromLatin1(stats.sliced(at))).captured(1).toInt();
}

} // namespace

class TestDiscovery : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void foundByDefault()
    {
        const RedisServer server;
        server.cli({"SET", rq, token, "PX", "60000"});
        holdJob(server, "a");
        server.cli({"SET", "laravel_cache:a", "yj7MiGl2Ucw7Y5cC"});
        Watcher watcher(server.socketAddress(), sweeping());
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(QSet<QByteArray>(watcher.locks.keyBegin(), watcher.locks.keyEnd()),
                 (QSet<QByteArray>{rq, job("a")}));
        QCOMPARE(watcher.scanFinished.first().outside, (UnlistedNames{1, {{"laravel_cache*", 1, true}}}));
    }

    /// A lock of a known family under a name that says nothing: its neighbours are looked at too, and the feed hears
    /// of them. A mere token among them is none.
    void foundByContent()
    {
        const RedisServer server;
        const QByteArray owner = "7c9e6679-7425-40de-944b-e07fc1f90ae7:1";
        const auto hold = [&](const QByteArray &key) {
            server.cli({"HSET", key, owner, "1"});
            server.cli({"PEXPIRE", key, "60000"});
        };
        hold("orders:1");
        hold("orders:2");
        hold("orders:3");
        server.cli({"SET", "orders:4", token, "PX", "60000"});
        server.cli({"SET", "orders:5", "ann"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE(routeOf(watcher, "orders:*"), FeedMode::Tracking);
        QTRY_COMPARE(watcher.locks.size(), 5);
        const auto stateOf = [&](const char *key) { return watcher.locks.value(key).lock; };
        QVERIFY(!isNoLock(stateOf("orders:3")) && isHidden(stateOf("orders:4")) &&
                isHidden(stateOf("orders:5")));
        hold("orders:6");
        QTRY_VERIFY(watcher.events.contains("acquired orders:6"));
        QCOMPARE(watcher.scanFinished.first().outside, UnlistedNames());
    }

    void foundByWord()
    {
        const RedisServer server;
        server.cli({"SET", "main:user:42-lock", token, "PX", "60000"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE(watcher.locks.keys(), QList<QByteArray>{"main:user:42-lock"});
    }

    /// Of names that look like locks a few are read, of whatever type: those that would show nothing are no hint.
    void hintsHold()
    {
        const RedisServer server;
        server.cli({"SET", "import:owner", token, "PX", "60000"});
        server.cli({"SET", "team:leader", "ann"});
        server.cli({"HSET", "quiz:master", "name", "ann", "age", "41"});
        server.cli({"RPUSH", "sprint:claims", "a"});
        server.cli({"SET", "sprint-lock-1", "free"});
        for (int i = 0; i < 50; ++i)
            server.cli({"SET", "code:claim:" + QByteArray::number(i), QByteArray::number(i)});
        Watcher watcher(server.socketAddress(), sweeping());
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(watcher.scanFinished.first().outside, (UnlistedNames{1, {{"*:owner", 1}}}));
        QCOMPARE(watcher.locks.keys(), QList<QByteArray>{"sprint-lock-1"}); // by its word
        QVERIFY(isNoLock(watcher.locks.value("sprint-lock-1").lock));
    }

    /// Each refusal is a line in the server's log: one is enough to learn that samples may not be read.
    void whatMayNotBeReadIsNoSample()
    {
        RedisServer server;
        server.cli({"SET", "lock:a", token, "PX", "60000"});
        for (const char *const word : {"owner", "holder", "master", "claim", "running", "leader", "primary"})
            server.cli({"SET", QByteArray("job:") + word, token, "PX", "60000"});
        const Login login(server, {"~lock:*"});
        Watcher watcher(login.address(), sweeping());
        QTRY_VERIFY(watcher.scanFinished.size() > 2 * ReadSchedule::scansBetweenAll);
        QCOMPARE(watcher.locks.keys(), QList<QByteArray>{"lock:a"});
        QCOMPARE(server.cli({"ACL", "LOG", "10000"}).count("job:"), 1);
        QCOMPARE(watcher.scanFinished.last().unreadable, 0);
    }

    void notOfFamiliesThatAreSwitchedOff()
    {
        const RedisServer server;
        server.cli({"SET", rq, token, "PX", "60000"});
        holdJob(server, "a");
        MonitorOptions options = sweeping();
        FamilySet undiscovered;
        undiscovered.insert("rq"_family);
        options.undiscovered = undiscovered;
        Watcher watcher(server.socketAddress(), options);
        QTRY_VERIFY(watcher.scanFinished.size() > ReadSchedule::scansBetweenAll + 1);
        QCOMPARE(watcher.locks.keys(), QList<QByteArray>{job("a")});
        watcher.monitor.setPatterns(options.patterns);
        QTRY_VERIFY(watcher.locks.contains(rq));
        watcher.monitor.setPatterns(options.patterns, undiscovered);
        QTRY_COMPARE(watcher.locks.keys(), QList<QByteArray>{job("a")});
    }

    void notBesidePatterns()
    {
        const RedisServer server;
        server.cli({"SET", rq, token, "PX", "60000"});
        server.cli({"SET", "x1", token, "PX", "60000"});
        MonitorOptions options = sweeping();
        options.patterns = {"x*"};
        Watcher watcher(server.socketAddress(), options);
        QTRY_VERIFY(watcher.scanFinished.size() > ReadSchedule::scansBetweenAll + 1);
        QCOMPARE(watcher.locks.keys(), QList<QByteArray>{"x1"});
    }

    void withinTenSweeps()
    {
        const RedisServer server;
        Watcher watcher(server.socketAddress(), sweeping());
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        const qsizetype before = watcher.scanFinished.size();
        holdJob(server, "a");
        QTRY_VERIFY(watcher.events.contains("acquired " + job("a")));
        const int last = ReadSchedule::scansBetweenAll + 1;
        QVERIFY2(watcher.scanFinished.size() - before <= 2 * last,
                 QByteArray::number(watcher.scanFinished.size() - before));
        // From now on by each of them.
        const qsizetype found = watcher.scanFinished.size();
        holdJob(server, "b");
        QTRY_VERIFY(watcher.locks.contains(job("b")));
        QVERIFY(watcher.scanFinished.size() - found < 2 * last);
    }

    /// A sweep that does not look under its name says nothing of it.
    void narrowSweepsEndNothing()
    {
        const RedisServer server;
        holdJob(server, "a");
        server.cli({"HSET", "semaphore:x", "user", "ann", "cart", "some books"});
        Watcher watcher(server.socketAddress(), sweeping());
        QTRY_VERIFY(watcher.scanFinished.size() > 25);
        QCOMPARE(watcher.events, QByteArrayList{"found " + job("a")});
        QCOMPARE(watcher.scanFinished.last().hidden, watcher.scanFinished.first().hidden);
    }

    void heardOnceFound()
    {
        const RedisServer server;
        holdJob(server, "a");
        Watcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE(routeOf(watcher, jobGlob), FeedMode::Tracking);
        QTRY_COMPARE(watcher.scanFinished.size(), 2); // what was missed meanwhile
        holdJob(server, "b");
        QTRY_VERIFY(watcher.events.contains("acquired " + job("b")));
        server.cli({"DEL", job("a")});
        QTRY_VERIFY(watcher.events.contains("released " + job("a")));
        server.cli({"SET", rq, token, "PX", "60000"}); // under whose name nothing was found
        server.cli({"SET", "lock:z", token, "PX", "60000"});
        QTRY_VERIFY(watcher.events.contains("acquired lock:z"));
        QVERIFY(!watcher.locks.contains(rq));
        QCOMPARE(watcher.scanFinished.size(), 2);
    }

    void heardByNotifications()
    {
        const RedisServer server({QStringLiteral("--notify-keyspace-events"), QStringLiteral("KEA")});
        const QByteArray owner = "web-1_4711_0123456789ab4def8123456789abcdef";
        server.cli({"SADD", "a.readers", owner});
        server.cli({"PEXPIRE", "a.readers", "60000"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE(routeOf(watcher, "*.readers"), FeedMode::Notifications);
        server.cli({"SADD", "b.readers", owner});
        QTRY_VERIFY(watcher.locks.contains("b.readers"));
    }

    /// There is no room for all, and these patterns hold nothing.
    void tracksWhatHoldsLocks()
    {
        const RedisServer server;
        holdJob(server, "a");
        MonitorOptions options = toldOnly();
        for (int i = 0; i < 8; ++i)
            options.patterns.append("p" + QByteArray::number(i) + ":*");
        Watcher watcher(server.socketAddress(), options);
        QTRY_COMPARE(routeOf(watcher, jobGlob), FeedMode::Tracking);
        QVERIFY(routeOf(watcher, "p7:*") != FeedMode::Tracking);
    }

    void noLockIsReadEachTenthSweep()
    {
        const RedisServer server;
        server.cli({"HSET", "sess_1", "user", "ann", "cart", "some books"});
        MonitorOptions options = sweeping();
        options.patterns = {"sess_*"};
        Watcher watcher(server.socketAddress(), options);
        QTRY_VERIFY(watcher.scanFinished.size() >= 40);
        const int reads = callsOf(server, "pttl");
        const qsizetype sweeps = watcher.scanFinished.size();
        QCOMPARE(watcher.scanFinished.last().hidden, 1);
        QVERIFY2(reads >= 4 && reads <= 2 + sweeps / (ReadSchedule::scansBetweenAll + 1),
                 QByteArray::number(reads) + " of " + QByteArray::number(sweeps));
        server.cli({"DEL", "sess_1"});
        QTRY_VERIFY(!watcher.locks.contains("sess_1"));
    }

    void aChangeOfItIsReadWhenItIsTold()
    {
        const RedisServer server;
        server.cli({"HSET", "sess_1", "user", "ann", "cart", "some books"});
        MonitorOptions options = toldOnly();
        options.patterns = {"sess_*"};
        Watcher watcher(server.socketAddress(), options);
        QTRY_COMPARE(routeOf(watcher, "sess_*"), FeedMode::Tracking);
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        server.cli({"DEL", "sess_1"});
        QTRY_VERIFY(!watcher.locks.contains("sess_1"));
        server.cli({"HSET", "sess_1", "7c9e6679-7425-40de-944b-e07fc1f90ae7:1", "1"});
        QTRY_VERIFY(watcher.events.contains("acquired sess_1"));
    }

    /// So many that are no locks fill no memory, and are told as a pattern.
    void tooManyOthersAreLeftOut()
    {
        const RedisServer server;
        const qint64 many = KeyNameFilter::maxOthers + 5000;
        server.cli(
            {"EVAL",
             "for i = 1, ARGV[1] do redis.call('HSET', 'uniquejobs:' .. i .. ':LOCKED', 'user', 'ann', "
             "'cart', 'some books') end",
             "0", QByteArray::number(many)});
        Watcher watcher(server.socketAddress(), sweeping());
        QVERIFY(watcher.scanFinished.wait(20'000));
        QVERIFY(watcher.locks.isEmpty());
        const auto outside = watcher.scanFinished.first().outside;
        QVERIFY(outside && outside->patterns.size() == 1 && outside->patterns.first().pattern == jobGlob);
        QVERIFY(outside->names >= KeyNameFilter::maxOthers &&
                outside->names <= many); // but for some on their way
        QCOMPARE(watcher.scanFinished.first().hidden, 0);
    }

    /// What this login may not read is counted, also by sweeps that do not meet it, and the glob that would cover it is told.
    void whatMayNotBeRead()
    {
        RedisServer server;
        const Login login(server, {"~lock:*"});
        holdJob(server, "a");
        Watcher watcher(login.address(), sweeping());
        QTRY_VERIFY(watcher.scanFinished.size() > 5);
        QCOMPARE(watcher.scanFinished.last().unreadable, 1);
        QCOMPARE(watcher.permissions.patterns, QList<QByteArray>{jobGlob});
        server.cli({"DEL", job("a")});
        QTRY_COMPARE(watcher.scanFinished.last().unreadable, 0);
    }
};

QTEST_GUILESS_MAIN(TestDiscovery)
#include "tst_discovery.moc"

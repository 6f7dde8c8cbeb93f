// SPDX-License-Identifier: GPL-3.0-or-later
// A monitor with its change feed: what is told, in what order, and what it says of its age.
#include "core/family/certainty.h"
#include "core/monitor/lockmonitor.h"

#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// Nothing is found by asking in turn or by sweeping.
MonitorOptions toldOnly()
{
    return {.rereadInterval = 1h, .scanInterval = 1h};
}

QByteArray bulk(const QByteArray &text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

QByteArray scanned(const QByteArrayList &keys)
{
    QByteArray reply = "*2\r\n$1\r\n0\r\n*" + QByteArray::number(keys.size()) + "\r\n";
    for (const QByteArray &key : keys)
        reply += bulk(key);
    return reply;
}

/// A peer with tokens without expiry under these names, which lets a feed listen.
void hold(FakePeer &peer, const QByteArrayList &keys)
{
    peer.on("SCAN", scanned(keys));
    peer.on("PTTL", ":-1\r\n");
    peer.on("HSCAN", "-WRONGTYPE x\r\n");
    peer.on("GETRANGE", "$5\r\ntoken\r\n");
    peer.on("CLIENT ID", ":7\r\n");
    peer.on("SUBSCRIBE", "*3\r\n$9\r\nsubscribe\r\n$20\r\n__redis__:invalidate\r\n:1\r\n");
}

void cutFeed(const RedisServer &server)
{
    for (const QByteArray &line : server.cli({"CLIENT", "LIST"}).split('\n')) {
        if (line.contains(" name=lockscope:feed "))
            server.cli({"CLIENT", "KILL", "ID", line.sliced(3, line.indexOf(' ') - 3)});
    }
}

bool isListening(const Watcher &watcher)
{
    return !watcher.feeds.isEmpty() && watcher.feeds.last().worst() != FeedMode::Polling;
}

} // namespace

class TestLive : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void tellsWithoutAsking()
    {
        const RedisServer server;
        server.cli({"SET", "job:lock", "one"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QVERIFY(watcher.scanFinished.wait(10'000));
        server.cli({"SET", "lock:a", "one"});
        QTRY_VERIFY(watcher.events.contains("acquired lock:a"));
        server.cli({"SET", "lock:a", "two"});
        QTRY_VERIFY(watcher.events.contains("owner-changed lock:a"));
        server.cli({"RENAME", "lock:a", "away"});
        QTRY_VERIFY(watcher.events.contains("renamed lock:a"));
        server.cli({"RENAME", "away", "lock:b"});
        QTRY_VERIFY(watcher.events.contains("acquired lock:b"));
        server.cli({"DEL", "job:lock"});
        // The counters may not tell it from the key that was renamed just before.
        QTRY_VERIFY(watcher.events.contains("released job:lock") ||
                    watcher.events.contains("vanished job:lock"));
        server.cli({"SET", "job:lock", "two"}); // its name is known
        QTRY_VERIFY(watcher.events.contains("acquired job:lock"));
        server.cli({"LPUSH", "lock:c", "no lock"});
        QTRY_VERIFY(watcher.locks.contains("lock:c"));
        QVERIFY(isPossible(watcher.locks["lock:c"].lock));
        QCOMPARE(watcher.scanFinished.size(), 1);
    }

    /// A heartbeat that comes right behind another occasion to tell it, as the look for waiters of each second is.
    void theAgeIsToldWhenItIsKnown()
    {
        const RedisServer server;
        server.cli(
            {"HSET", "lock:a", "7c9e6679-7425-40de-944b-e07fc1f90ae7:1", "1"}); // its waiters are looked for
        Watcher watcher(server.socketAddress(), toldOnly());
        QVERIFY(watcher.scanFinished.wait(10'000));
        QTRY_VERIFY(isListening(watcher));
        // Both begin their seconds anew, the beats a little later.
        QSignalSpy ready(&watcher.connection, &Connection::ready);
        server.cli({"CLIENT", "KILL", "TYPE", "normal"});
        QTRY_VERIFY(!ready.isEmpty());
        watcher.feeds.clear();
        cutFeed(server);
        QTRY_VERIFY(isListening(watcher));
        int told = 0;
        auto youngest = Clock::duration::max();
        onTold<DataConfirmed>(watcher.monitor, &watcher, [&](TimePoint at) {
            youngest = std::min(youngest, Clock::now() - at);
            ++told;
        });
        QTRY_VERIFY(told >= 2);
        // Of beats that are a second apart one at least is told by itself: in time, unless the machine is busy just then.
        QTRY_VERIFY2_WITH_TIMEOUT(
            youngest < 700ms, QByteArray::number(qint64(std::chrono::ceil<milliseconds>(youngest).count())),
            15'000);
    }

    void swapIsHealedByASweep()
    {
        const RedisServer server;
        server.cli({"MSET", "lock:a", "1", "lock:both", "1"});
        server.cli({"-n", "1", "MSET", "lock:b", "1", "lock:both", "2"});
        Watcher watcher(server.socketAddress(), {.rereadInterval = 1h, .scanInterval = 100ms});
        QVERIFY(watcher.scanFinished.wait(10'000));
        QCOMPARE(watcher.locks.size(), 2);
        server.cli({"SWAPDB", "0", "1"});
        const TimePoint swapped = Clock::now();
        QTRY_VERIFY(watcher.sweptSince >= swapped);
        QCOMPARE(watcher.locks.size(), 2);
        QVERIFY(watcher.locks.contains("lock:b"));
        QCOMPARE(watcher.locks["lock:both"].lock.owners.first().owner, OwnerId("2"));
    }

    /// A scan is not through before it is known what has taken the name of a lock of another type.
    void swapOfOtherTypes()
    {
        const RedisServer server;
        server.cli({"EVAL",
                    "for i = 1, 300 do redis.call('set', 'lock:' .. i, 1) end redis.call('select', 1) "
                    "for i = 1, 300 do redis.call('hset', 'lock:' .. i, 'u', 1) end",
                    "0"});
        MonitorOptions options{.rereadInterval = 1h, .scanInterval = 100ms};
        options.share = 0.002; // what does not belong to the scan comes later
        options.firstScanShare = 1;
        Watcher watcher(server.socketAddress(), options);
        QVERIFY(watcher.scanFinished.wait(10'000));
        server.cli({"SWAPDB", "0", "1"});
        const TimePoint swapped = Clock::now();
        qsizetype hashes = -1;
        onTold<ScanStats>(watcher.monitor, &watcher, [&] {
            if (watcher.sweptSince < swapped || hashes >= 0)
                return;
            hashes = std::ranges::count_if(
                watcher.locks, [](const WatchedLock &watched) { return watched.lock.type == KeyType::Hash; });
        });
        QTRY_VERIFY_WITH_TIMEOUT(hashes >= 0, 60'000);
        QCOMPARE(hashes, 300);
    }

    void flushEmptiesThePicture()
    {
        const RedisServer server;
        server.cli({"EVAL", "for i = 1, 3000 do redis.call('set', 'lock:' .. i, 1) end", "0"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 3000, 10'000);
        QTRY_VERIFY(isListening(watcher));
        QTRY_COMPARE(watcher.scanFinished.size(), 1);
        server.cli({"FLUSHDB"});
        QTRY_COMPARE(watcher.locks.size(), 0);
        QCOMPARE(watcher.feeds.last().incident->what, FeedGap::Flushed);
        server.cli({"SET", "lock:a", "1"});
        QTRY_COMPARE(watcher.locks.size(), 1);
    }

    void aFeedThatDiesIsShown()
    {
        const RedisServer server;
        server.cli({"MSET", "lock:a", "one", "lock:b", "one"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QVERIFY(watcher.scanFinished.wait(10'000));
        QTRY_VERIFY(isListening(watcher));
        watcher.feeds.clear();
        cutFeed(server);
        server.cli({"SET", "lock:a", "two"}); // perhaps before it listens again
        server.cli({"DEL", "lock:b"});
        server.cli({"SET", "lock:c", "one"});
        QTRY_VERIFY(watcher.events.contains("owner-changed lock:a"));
        QTRY_VERIFY(watcher.events.contains("released lock:b"));
        QTRY_VERIFY(watcher.locks.contains("lock:c"));
        QTRY_VERIFY(isListening(watcher));
        QCOMPARE(watcher.feeds.first().worst(), FeedMode::Polling);
        QVERIFY(!watcher.feeds.first().hasPush());
        QCOMPARE(watcher.feeds.first().incident->what, FeedGap::Lost);
    }

    void growsNoOlderWhileQuiet()
    {
        const RedisServer server;
        server.cli({"SET", "lock:a", "1"});
        MonitorOptions options = toldOnly();
        options.patterns = {"lock:*"};
        Watcher watcher(server.socketAddress(), options);
        QVERIFY(watcher.scanFinished.wait(10'000));
        for (int i = 0; i < 3; ++i) {
            const TimePoint now = Clock::now();
            QTRY_VERIFY(watcher.confirmedAt >= now);
            QVERIFY(watcher.confirmedAt <= Clock::now());
        }
        QCOMPARE(watcher.scanFinished.size(), 1);
    }

    void agesWhileTheFeedIsSilent()
    {
        FakePeer peer;
        hold(peer, {"lock:a"});
        Watcher watcher(peer.address(),
                        {.patterns = {"lock:*"}, .rereadInterval = 1h, .scanInterval = 200ms});
        QTRY_VERIFY(watcher.confirmedAt > TimePoint());
        QTRY_VERIFY(isListening(watcher));
        peer.once("PING", FakePeer::Answer().hold());
        const TimePoint silent = Clock::now();
        const auto hasIncident = [&] { return watcher.feeds.last().incident.has_value(); };
        bool claimedMore = false;
        onTold<DataConfirmed>(watcher.monitor, &watcher, [&](TimePoint at) {
            // A beat that was answered may have been asked just before.
            claimedMore = claimedMore || (!hasIncident() && at > silent + 1500ms);
        });
        QTRY_VERIFY_WITH_TIMEOUT(hasIncident(), 15'000);
        QCOMPARE(watcher.feeds.last().incident->what, FeedGap::HeartbeatTimeout);
        QVERIFY(!claimedMore);
        QTRY_VERIFY_WITH_TIMEOUT(watcher.confirmedAt > silent + 2s, 15'000);
    }

    /// A change that is told and being read counts only when the answer is there.
    void agesWhileAChangeIsBeingRead()
    {
        FakePeer peer;
        hold(peer, {"lock:a"});
        MonitorOptions options = toldOnly();
        options.patterns = {"lock:*"};
        Watcher watcher(peer.address(), options);
        QTRY_VERIFY(isListening(watcher));
        QTRY_VERIFY(watcher.confirmedAt > TimePoint());
        peer.once("PTTL", FakePeer::Answer().hold().send(":-1\r\n"));
        const TimePoint told = Clock::now();
        watcher.monitor.requestRead({LockKey("lock:a")});
        const qsizetype beats = peer.commands("PING").size();
        QTRY_VERIFY(peer.commands("PING").size() >= beats + 1);
        QTest::qWait(50);
        QVERIFY(watcher.confirmedAt <= told + 5ms);
        peer.goOn();
        QTRY_VERIFY(watcher.confirmedAt > told + 1s);
    }

    void agesWhileNewPatternsAreSought()
    {
        FakePeer peer;
        hold(peer, {"lock:a", "mutex:a"});
        MonitorOptions options = toldOnly();
        options.patterns = {"lock:*"};
        Watcher watcher(peer.address(), options);
        QTRY_VERIFY(watcher.confirmedAt > TimePoint());
        peer.once("SCAN", FakePeer::Answer().hold().send(scanned({"lock:a", "mutex:a"})));
        const TimePoint changed = Clock::now();
        watcher.monitor.setPatterns({"mutex:*", "lock:*"});
        const qsizetype beats = peer.commands("PING").size();
        QTRY_VERIFY(peer.commands("PING").size() >= beats + 1);
        QTest::qWait(50);
        QVERIFY(watcher.confirmedAt <= changed);
        peer.goOn();
        QTRY_VERIFY(watcher.locks.contains("mutex:a"));
        QTRY_VERIFY(watcher.confirmedAt > changed);
    }

    /// What comes back from what was asked for under the old patterns is shown no more.
    void changesPatternsWhileReading()
    {
        FakePeer peer;
        hold(peer, {"lock:a", "mutex:a"});
        peer.once("PTTL", FakePeer::Answer().hold().send(":-1\r\n"));
        Watcher watcher(peer.address(), {.patterns = {"lock:*"}});
        QTRY_VERIFY(!peer.commands("PTTL").isEmpty());
        watcher.monitor.setPatterns({"mutex:*"});
        peer.goOn();
        QTRY_VERIFY(watcher.locks.contains("mutex:a"));
        watcher.monitor.requestRead({LockKey("lock:a")});
        QTRY_VERIFY(watcher.scanFinished.size() >= 2);
        QCOMPARE(watcher.locks.keys(), QByteArrayList{"mutex:a"});
        QVERIFY(!watcher.events.contains("found lock:a"));
    }

    /// A lock that was being read when the connection broke, and that is gone afterwards, does not stay for ever.
    void brokenWhileReading()
    {
        FakePeer peer;
        hold(peer, {"lock:a"});
        Watcher watcher(peer.address(), {.rereadInterval = 20ms, .scanInterval = 50ms, .listens = false});
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        QSignalSpy lost(&watcher.connection, &Connection::connectionLost);
        peer.on("SCAN", scanned({}));
        peer.once("PTTL", FakePeer::Answer().reset());
        QVERIFY(lost.wait());
        peer.on("PTTL", ":-2\r\n");
        peer.on("GETRANGE", "$0\r\n\r\n");
        QTRY_VERIFY_WITH_TIMEOUT(watcher.locks.isEmpty(), 15'000);
    }

    /// A scan that is asked for begins anew: what is new behind the one under way would not be met.
    void sweepsFromTheBeginning()
    {
        FakePeer peer;
        hold(peer, {"lock:a"});
        peer.once("SCAN", FakePeer::Answer().hold().send("*2\r\n$1\r\n5\r\n*0\r\n"));
        Watcher watcher(peer.address());
        QTRY_COMPARE(peer.commands("SCAN").size(), 1);
        watcher.monitor.scanNow();
        peer.goOn();
        QTRY_COMPARE(watcher.scanFinished.size(), 1);
        for (const QByteArrayList &scan : peer.commands("SCAN"))
            QCOMPARE(scan[1], "0");
        QVERIFY(watcher.locks.contains("lock:a"));
    }

    /// The server tells once of what has changed, also while that very key is being read.
    void toldWhileBeingRead()
    {
        FakePeer peer;
        hold(peer, {"lock:a"});
        MonitorOptions options = toldOnly();
        options.patterns = {"lock:*"};
        Watcher watcher(peer.address(), options);
        QTRY_VERIFY(isListening(watcher));
        QVERIFY(watcher.scanFinished.size() == 1 || watcher.scanFinished.wait());
        peer.once("GETRANGE", FakePeer::Answer().hold().send("$9\r\ntoken-old\r\n"));
        watcher.monitor.requestRead({LockKey("lock:a")});
        QTRY_COMPARE(peer.commands("GETRANGE").size(), 2);
        peer.on("GETRANGE", "$9\r\ntoken-new\r\n");
        watcher.monitor.requestRead({LockKey("lock:a")});
        peer.goOn();
        QTRY_VERIFY(watcher.locks["lock:a"].lock.owners.first().owner == OwnerId("token-new"));
    }

    void looksAtWhatIsVisibleFirst()
    {
        constexpr int many = 8000;
        const RedisServer server;
        server.cli({"EVAL", "for i = 1, 8000 do redis.call('set', 'lock:' .. i, 'a') end", "0"});
        MonitorOptions options = toldOnly();
        options.patterns = {"lock:*"};
        options.share = 0.02; // far less than the storm needs
        options.firstScanShare = 1;
        Watcher watcher(server.socketAddress(), options);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), many, 20'000);
        QTRY_COMPARE(watcher.scanFinished.size(), 1);
        QTRY_VERIFY(isListening(watcher));
        watcher.monitor.setVisible({LockKey("lock:chosen"), LockKey("lock:7999"), LockKey("lock:8000")});
        watcher.events.clear();
        const TimePoint begun = Clock::now();
        server.cli({"EVAL",
                    "for i = 1, 8000 do redis.call('set', 'lock:' .. i, 'b') end "
                    "redis.call('set', 'lock:chosen', 'b')",
                    "0"});
        const auto isPushed = [&](const char *key) {
            return watcher.locks.contains(key) &&
                   watcher.locks[key].lock.owners.first().owner == OwnerId("b");
        };
        QTRY_VERIFY_WITH_TIMEOUT(isPushed("lock:chosen") && isPushed("lock:7999") && isPushed("lock:8000"),
                                 20'000);
        QVERIFY2(watcher.events.size() < many / 2, QByteArray::number(watcher.events.size()).constData());
        QVERIFY(watcher.confirmedAt < begun); // the rest is older, and that is said
        QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), many + 1, 60'000);
        QTRY_VERIFY(watcher.confirmedAt > begun);
    }

    /// A server that comes to few expired keys a second announces few: each is looked at when it should have ended.
    void thousandsEndAtOnce()
    {
        const RedisServer server({QStringLiteral("--hz"), QStringLiteral("1")});
        server.cli({"EVAL",
                    "for i = 1, 20000 do redis.call('set', 'volatile:' .. i, 1, 'PX', 3600000) end "
                    "for i = 1, 2000 do redis.call('set', 'lock:' .. i, 1, 'PX', 4000 + i % 500) end",
                    "0"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QTRY_COMPARE_WITH_TIMEOUT(watcher.events.size(), 4000, 20'000);
        QCOMPARE(watcher.locks.size(), 0);
        QCOMPARE(std::ranges::count_if(watcher.events,
                                       [](const QByteArray &e) { return e.startsWith("expired"); }),
                 2000);
    }

    void oddTimesToLive()
    {
        const RedisServer server;
        server.cli({"SET", "lock:huge", "t", "PX", "9000000000000000"});
        Watcher watcher(server.socketAddress(), toldOnly());
        QTRY_VERIFY(watcher.locks.contains("lock:huge"));
        QVERIFY(watcher.locks["lock:huge"].lock.deadline->earliest > Clock::now() + 24h * 365);
        server.cli({"EVAL", "for i = 1, 200 do redis.call('set', 'lock:' .. i, 't', 'PX', 1) end", "0"});
        server.cli({"SET", "lock:last", "t", "PX", "5000"});
        QTRY_VERIFY(watcher.locks.contains("lock:last"));
        server.cli({"PEXPIRE", "lock:last", "0"});
        QTRY_VERIFY(!watcher.locks.contains("lock:last"));
        QTRY_COMPARE(watcher.locks.keys(), QByteArrayList{"lock:huge"});
    }

    /// A lease that has ended by our clock and not by the server's is asked after, but not without pause.
    void aLeaseThatDoesNotEnd()
    {
        FakePeer peer;
        hold(peer, {"lock:a"});
        peer.on("PTTL", ":0\r\n");
        Watcher watcher(peer.address(), toldOnly());
        QTRY_VERIFY(watcher.locks.contains("lock:a"));
        QTRY_VERIFY(peer.commands("PTTL").size() > 5);
        const qsizetype before = peer.commands("PTTL").size();
        const TimePoint begun = Clock::now();
        QTest::qWait(300);
        const auto ticks = (Clock::now() - begun) / 16ms;
        QVERIFY(peer.commands("PTTL").size() - before <= ticks + 3);
        peer.on("PTTL", ":-2\r\n");
        QTRY_VERIFY(watcher.locks.isEmpty());
    }

    /// GETRANGE answers the same for an empty string and for nothing.
    void anEmptyStringStays()
    {
        const RedisServer server;
        server.cli({"SET", "lock:empty", ""});
        Watcher watcher(server.socketAddress(),
                        {.rereadInterval = 20ms, .scanInterval = 20ms, .listens = false});
        QTRY_VERIFY(watcher.scanFinished.size() >= 4);
        QVERIFY(watcher.events.isEmpty()); // of what looks like no lock nothing is told
        QCOMPARE(watcher.locks["lock:empty"].lock.type, KeyType::String);
        server.cli({"EVAL", "redis.call('del', KEYS[1]) redis.call('hset', KEYS[1], 'a', 'x', 'b', 'y')", "1",
                    "lock:empty"});
        QTRY_COMPARE(watcher.locks.value("lock:empty").lock.type, KeyType::Hash);
        server.cli({"DEL", "lock:empty"});
        QTRY_VERIFY(watcher.locks.isEmpty());
    }

    /// However many names have come and gone, what is there now is told.
    void manyNamesComeAndGo()
    {
        const RedisServer server;
        server.cli({"EVAL", "for i = 1, 11000 do redis.call('set', i .. ':lock', 1) end", "0"});
        MonitorOptions options;
        options.patterns = {"*:lock"};
        options.share = options.firstScanShare = 1;
        options.scanInterval = 1h;
        Watcher watcher(server.socketAddress(), options);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 11'000, 20'000);
        QTRY_COMPARE(watcher.scanFinished.size(), 1);
        server.cli({"EVAL", "for i = 1, 11000 do redis.call('del', i .. ':lock') end", "0"});
        QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 0, 20'000);
        server.cli({"MSET", "new:lock", "1", "1:lock", "1", "10999:lock", "1"});
        watcher.monitor.scanNow();
        QTRY_COMPARE(watcher.locks.size(), 3);
        server.cli({"MSET", "new:lock", "2", "1:lock", "2", "10999:lock", "2"});
        for (const char *key : {"new:lock", "1:lock", "10999:lock"})
            QTRY_VERIFY(watcher.locks[key].lock.owners.first().owner == OwnerId("2"));
    }
};

QTEST_GUILESS_MAIN(TestLive)
#include "tst_live.moc"

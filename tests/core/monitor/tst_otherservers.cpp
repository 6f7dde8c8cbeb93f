// SPDX-License-Identifier: GPL-3.0-or-later
// What a monitor tells of servers that are almost Redis: no more than they let it know.
#include "tests/support/otherservers.h"
#include "tests/support/watcher.h"

#include "core/table/feedtext.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int patienceMs = 20'000;

bool reads(const Watcher &watcher)
{
    return QTest::qWaitFor(
        [&] { return watcher.locks.contains("lock:1") && watcher.scanFinished.size() > 0; }, patienceMs);
}

FeedStatus feedOf(const Watcher &watcher)
{
    return watcher.feeds.isEmpty() ? FeedStatus() : watcher.feeds.last();
}

/// Lets the lock of the peer be gone.
void removeLock(FakePeer &peer)
{
    peer.on("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
    peer.on("PTTL", ":-2\r\n");
    peer.on("HSCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
    peer.on("GETRANGE", "$0\r\n\r\n");
    peer.on("TYPE", "+none\r\n");
    peer.on("EXISTS", ":0\r\n");
    peer.on("DBSIZE", ":0\r\n");
}

MonitorOptions swift()
{
    return {.patterns = {"lock:*"}, .rereadInterval = 50ms, .scanInterval = 100ms};
}

} // namespace

class TestOtherServers : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void keyDbIsHeard()
    {
        const KeyDbPeer peer;
        Watcher watcher(peer.address(), swift());
        QVERIFY(reads(watcher));
        QCOMPARE(feedOf(watcher).worst(), FeedMode::Tracking);
        QCOMPARE(watcher.connection.server().name, "keydb");
        QVERIFY(!watcher.connection.server().isReplica());
    }

    void dragonflyIsPolled()
    {
        const DragonflyPeer peer;
        Watcher watcher(peer.address(), swift());
        QVERIFY(reads(watcher));
        QTRY_VERIFY_WITH_TIMEOUT(feedOf(watcher).fallbackReason, patienceMs);
        QCOMPARE(feedOf(watcher).worst(), FeedMode::Polling);
        const QString why = feedToolTip(feedOf(watcher), {}, Clock::now());
        QVERIFY2(why.contains(QStringLiteral("it tracks no prefixes")), qPrintable(why));
        QVERIFY2(!why.contains(QStringLiteral("use RESP3")), qPrintable(why));
        QVERIFY(peer.commands("INFO server stats").isEmpty());
        QVERIFY(watcher.errorOccurred.isEmpty());
    }

    void garnetIsPolled()
    {
        const GarnetPeer peer;
        Watcher watcher(peer.address(), swift());
        QVERIFY(reads(watcher));
        QCOMPARE(feedOf(watcher).worst(), FeedMode::Polling);
        const TimePoint now = Clock::now();
        QTRY_VERIFY_WITH_TIMEOUT(watcher.confirmedAt > now,
                                 patienceMs); // though it answers no PING of a subscriber
        QVERIFY(watcher.errorOccurred.isEmpty());
    }

    /// Without the counts of commands a DEL cannot be ruled out, however many keys have expired.
    void endsAreNotGuessed()
    {
        DragonflyPeer peer;
        Watcher watcher(peer.address(), swift());
        QVERIFY(reads(watcher));
        QTRY_VERIFY_WITH_TIMEOUT(peer.commands("INFO all").size() > 1, patienceMs);
        peer.setCounts(1);
        removeLock(peer);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.events.last(), "vanished lock:1", patienceMs);
    }

    /// A server without INFO: an end is told all the same.
    void endsWithoutInfo()
    {
        HostileServer peer;
        peer.on("INFO", "-ERR unknown command 'INFO'\r\n");
        Watcher watcher(peer.address(), swift());
        QVERIFY(reads(watcher));
        removeLock(peer);
        QTRY_COMPARE_WITH_TIMEOUT(watcher.events.last(), "vanished lock:1", patienceMs);
    }
};

QTEST_GUILESS_MAIN(TestOtherServers)
#include "tst_otherservers.moc"

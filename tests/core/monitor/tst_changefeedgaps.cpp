// SPDX-License-Identifier: GPL-3.0-or-later
// What the change feed makes of whatever may hide a change: flushes, forged messages, lost and silent connections.
#include "core/monitor/changefeed.h"

#include "tests/core/monitor/feedpeer.h"
#include "tests/support/feedlistener.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestChangeFeedGaps : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void flushes_data();
    void flushes();
    void forgeries();
    void otherChannelsSayNothing();
    void cutOff();
    void restsAfterThreeLosses();
    void cutOffForItsBuffer();
    void silentPeer();
    void aRefusedHeartbeatIsNotTheLast_data();
    void aRefusedHeartbeatIsNotTheLast();
    void brokenRedirect();
    void lostTracking();
    void serverGoesAndComes();
};

void TestChangeFeedGaps::flushes_data()
{
    QTest::addColumn<QByteArrayList>("command");
    QTest::newRow("FLUSHDB") << QByteArrayList{"FLUSHDB"};
    QTest::newRow("FLUSHALL") << QByteArrayList{"FLUSHALL"};
    QTest::newRow("of another database") << QByteArrayList{"-n", "5", "FLUSHDB"};
}

void TestChangeFeedGaps::flushes()
{
    QFETCH(QByteArrayList, command);
    const RedisServer server;
    server.cli({"SET", "lock:a", "1"});
    FeedListener listener(server.socketAddress(), {"lock:*"});
    QVERIFY(listener.hasSettled());
    server.cli(command);
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::Flushed);
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::Tracking});
    server.cli({"SET", "lock:b", "1"});
    QVERIFY(listener.isPushed("lock:b"));
}

void TestChangeFeedGaps::forgeries()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    server.cli({"PUBLISH", "__redis__:invalidate", "lock:forged"});
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::ForeignPublish);
    QVERIFY(listener.told.isEmpty());
    server.cli({"SET", "lock:b", "1"});
    QVERIFY(listener.isPushed("lock:b"));
}

/// A message is believed by its channel, not by what it says.
void TestChangeFeedGaps::otherChannelsSayNothing()
{
    const RedisServer server(words("--notify-keyspace-events KA"));
    FeedListener listener(server.socketAddress(), {"*:lock"});
    QVERIFY(listener.hasSettled());
    server.cli({"PUBLISH", "__keyspace@1__:a:lock", "set"});
    server.cli({"PUBLISH", "__keyevent@0__:set", "a:lock"});
    server.cli({"PUBLISH", "__keyspace@0__:b:lock", "anything"}); // a hint: it costs a look
    QVERIFY(listener.isPushed("b:lock"));
    QVERIFY(!listener.told.contains("a:lock"));
}

void TestChangeFeedGaps::cutOff()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    listener.modesChosen.clear();
    cutFeed(server);
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::Lost);
    QCOMPARE(listener.routes(), QList<FeedMode>(3, FeedMode::Polling));
    QTRY_COMPARE(listener.modesChosen.size(), 1);
    QCOMPARE(listener.routes(),
             (QList<FeedMode>{FeedMode::Tracking, FeedMode::Tracking, FeedMode::KeyedTracking}));
    QVERIFY(!listener.feed.status().fallbackReason);
    // What was read before the loss is announced to the new connection.
    QVERIFY(listener.read("a:lock"));
    server.cli({"MSET", "lock:a", "1", "a:lock", "1"});
    QVERIFY(listener.isPushed("lock:a") && listener.isPushed("a:lock"));
}

void TestChangeFeedGaps::restsAfterThreeLosses()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    cutFeedUntilItRests(server, listener);
    if (QTest::currentTestFailed())
        return;
    listener.modesChosen.clear();
    QTest::qWait(500); // longer than the first retries take
    QVERIFY(!listener.feed.isSettled() && listener.modesChosen.isEmpty());
    QCOMPARE(clientLine(server, "lockscope:feed"), QByteArray());
    QCOMPARE(listener.routes(), QList<FeedMode>(3, FeedMode::Polling));
    // Asked anew, it listens again.
    listener.feed.listen(FeedListener::defaults);
    QVERIFY(listener.hasSettled());
}

void TestChangeFeedGaps::cutOffForItsBuffer()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    listener.modesChosen.clear();
    overflowFeed(server);
    QTRY_VERIFY(listener.gapDetected.size() >= 1);
    QCOMPARE(listener.incident(), FeedGap::Lost);
    QTRY_COMPARE(listener.modesChosen.size(), 1);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
}

/// The connection stands, and nothing is answered any more.
void TestChangeFeedGaps::silentPeer()
{
    FakePeer peer;
    letListen(peer);
    FeedListener listener(peer.address(), {"lock:*"});
    QVERIFY(listener.hasSettled());
    QVERIFY(listener.catchUp());
    peer.once("PING", FakePeer::Answer().hold());
    const TimePoint before = Clock::now();
    TimePoint confirmedAtLoss; // what comes after it is another connection's
    connect(&listener.feed, &ChangeFeed::gapDetected, &listener,
            [&] { confirmedAtLoss = listener.confirmedAt; });
    QTRY_COMPARE_WITH_TIMEOUT(listener.gapDetected.size(), 1, 15'000);
    QVERIFY(confirmedAtLoss < before + 1s);
    QCOMPARE(listener.incident(), FeedGap::HeartbeatTimeout);
    QTRY_VERIFY(listener.feed.isSettled());
}

void TestChangeFeedGaps::aRefusedHeartbeatIsNotTheLast_data()
{
    QTest::addColumn<QByteArray>("refusal");
    QTest::addColumn<bool>("tells"); // of changes meanwhile, as ever
    QTest::newRow("loading") << QByteArray("-LOADING Redis is loading the dataset in memory\r\n") << false;
    QTest::newRow("busy") << QByteArray("-BUSY Redis is busy running a script.\r\n") << false;
    QTest::newRow("can't save") << QByteArray("-MISCONF Redis is configured to save RDB snapshots\r\n")
                                << true;
}

/// A server that refuses a PING is alive: it is asked again, and the picture is confirmed again.
void TestChangeFeedGaps::aRefusedHeartbeatIsNotTheLast()
{
    QFETCH(const QByteArray, refusal);
    QFETCH(const bool, tells);
    FakePeer peer;
    letListen(peer);
    peer.on("PING", refusal);
    FeedListener listener(peer.address(), {"lock:*"});
    QVERIFY(listener.hasSettled());
    QTRY_VERIFY(peer.commands("PING").size() >= 2);
    QCOMPARE(listener.confirmedAt > TimePoint(), tells);
    peer.on("PING", "+PONG\r\n");
    QVERIFY(listener.catchUp());
    QCOMPARE(listener.gapDetected.size(), 0);
}

void TestChangeFeedGaps::brokenRedirect()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress(), {"*:lock"});
    QVERIFY(listener.hasSettled());
    listener.modesChosen.clear();
    {
        Connection other(server.socketAddress());
        QSignalSpy ready(&other, &Connection::ready);
        other.open();
        QVERIFY(ready.wait());
        const QByteArray id = QByteArray::number(waitFor(other.send({"CLIENT", "ID"}))->integer);
        QVERIFY(waitFor(listener.reader.send({"CLIENT", "TRACKING", "ON", "REDIRECT", id, "OPTIN"})));
    }
    QVERIFY(listener.read("a:lock"));
    server.cli({"SET", "a:lock", "1"}); // the server finds that nobody is there to be told
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::RedirectBroken);
    QTRY_COMPARE(listener.modesChosen.size(), 1);
    QVERIFY(listener.read("a:lock"));
    server.cli({"SET", "a:lock", "2"});
    QVERIFY(listener.isPushed("a:lock"));
}

void TestChangeFeedGaps::lostTracking()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress(), {"*:lock"});
    QVERIFY(listener.hasSettled());
    listener.modesChosen.clear();
    QSignalSpy reported(&listener.feed, &ChangeFeed::statusChanged);
    QList<FeedMode> routesThen;
    connect(&listener.feed, &ChangeFeed::gapDetected, this, [&] { routesThen = listener.routes(); });
    QVERIFY(waitFor(listener.reader.send({"CLIENT", "TRACKING", "OFF"})));
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::RedirectBroken);
    QCOMPARE(routesThen, QList<FeedMode>{FeedMode::Polling}); // until it is known better
    QTRY_COMPARE(listener.modesChosen.size(), 1);
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::KeyedTracking});
}

void TestChangeFeedGaps::serverGoesAndComes()
{
    RedisServer server;
    FeedListener listener(server.socketAddress(), {"lock:*"});
    QVERIFY(listener.hasSettled());
    QSignalSpy delayed(&listener.feed, &ChangeFeed::delayed);
    QSignalSpy statusChanged(&listener.feed, &ChangeFeed::statusChanged);
    server.kill();
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QTRY_VERIFY(!delayed.isEmpty());
    QVERIFY(listener.feed.status().fallbackReason);
    statusChanged.clear();
    QTRY_VERIFY(!statusChanged.isEmpty()); // each try that fails says why
    server.start();
    QTRY_VERIFY_WITH_TIMEOUT(listener.feed.isSettled(), 15'000);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
}

QTEST_GUILESS_MAIN(TestChangeFeedGaps)
#include "tst_changefeedgaps.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// The change feed where a server tracks in RESP3 only: a real server, of which a proxy refuses what such a service refuses.
#include "core/monitor/changefeed.h"

#include "tests/support/fakepeer.h"
#include "tests/support/feedlistener.h"
#include "tests/support/rewritingproxy.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QByteArray notInResp2 = "ERR Client tracking is currently not supported for RESP2. Please use RESP3.";

bool isTracking(const QByteArrayList &command)
{
    return command.value(0) == "CLIENT" && command.value(1) == "TRACKING";
}

/// A service that tracks in RESP3 only.
class Service : public RewritingProxy
{
public:
    explicit Service(const RedisServer &server, const QByteArray &refusalInResp2 = notInResp2)
        : RewritingProxy(server.socketAddress())
    {
        rewrite = [refusalInResp2](const QByteArrayList &command, bool speaksResp3) {
            return isTracking(command) && !speaksResp3 ? refusal(refusalInResp2) : command;
        };
    }
};

/// A peer that tracks in RESP3 only. What it pushes and answers besides is the test's.
void letListenInResp3(FakePeer &peer)
{
    peer.on("CLIENT ID", ":7\r\n");
    peer.on("HELLO", "%1\r\n$5\r\nproto\r\n:3\r\n");
    peer.on("CLIENT TRACKING ON REDIRECT", FakePeer::Answer('-' + notInResp2 + "\r\n"));
    peer.on("CLIENT TRACKING ON BCAST", "+OK\r\n");
    peer.on("SUBSCRIBE", ">3\r\n$9\r\nsubscribe\r\n$20\r\n__redis__:invalidate\r\n:1\r\n");
}

const QList<QByteArray> heads{"lock:*", "lock_*"};
const QList<FeedMode> bothTracked(2, FeedMode::Tracking);

} // namespace

class TestChangeFeedResp3 : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void listens_data();
    void listens();
    void otherPatterns_data();
    void otherPatterns();
    void withoutItsChannel();
    void flushes();
    void forgeries();
    void cutOff();
    void cutOffForItsBuffer();
    void restsAfterThreeLosses();
    void silentServer();
    void exactBytes();
    void thousandsAtOnce();
    void refusedInResp3Too_data();
    void refusedInResp3Too();
    void closedAtHello();
    void notTriedWithoutPromise_data();
    void notTriedWithoutPromise();
    void aBetterModeIsTakenAfterALoss();
    void listensAgain();
    void oddPushes();
    void sendsOnlyReads();
    void endsInTheMiddle_data();
    void endsInTheMiddle();
};

void TestChangeFeedResp3::listens_data()
{
    QTest::addColumn<QByteArray>("refusal");
    QTest::newRow("no tracking in RESP2") << notInResp2;
    QTest::newRow("no redirection") << QByteArray("ERR REDIRECT is not supported");
    QTest::newRow("connections are shared")
        << QByteArray("ERR The client ID you want redirect to does not exist");
}

void TestChangeFeedResp3::listens()
{
    QFETCH(QByteArray, refusal);
    const RedisServer server;
    const Service service(server, refusal);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), bothTracked);
    QVERIFY(!listener.feed.status().fallbackReason); // there is nothing better
    QCOMPARE(service.count("HELLO"), 1);
    QCOMPARE(listener.modesChosen.size(), 1);
    const QByteArray flags = flagsOf(clientLine(server, "lockscope:feed"));
    QVERIFY2(flags.contains('t') && flags.contains('B'), flags.constData());
    QVERIFY2(flags.contains('P'), flags.constData()); // so that its buffer has a limit

    server.cli({"MSET", "lock:a", "1", "lockless", "1"});
    server.cli({"HSET", "lock_b", "u", "1"});
    QVERIFY(listener.isPushed("lock:a") && listener.isPushed("lock_b"));
    server.cli({"DEL", "lock:a"});
    QVERIFY(listener.isPushed("lock:a", 2));
    QVERIFY(listener.catchUp());
    QCOMPARE(listener.told.size(), 2);
    QCOMPARE(listener.gapDetected.size(), 0);
}

void TestChangeFeedResp3::otherPatterns_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<FeedMode>("rest");
    QTest::newRow("notifications on") << words("--notify-keyspace-events KA") << FeedMode::Notifications;
    QTest::newRow("off") << QStringList() << FeedMode::Polling;
}

/// What has no literal prefix is heard of on the same connection, where it can be.
void TestChangeFeedResp3::otherPatterns()
{
    QFETCH(QStringList, settings);
    QFETCH(FeedMode, rest);
    const RedisServer server(settings);
    const Service service(server);
    FeedListener listener(service.address());
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), (QList<FeedMode>{FeedMode::Tracking, FeedMode::Tracking, rest}));
    QVERIFY(listener.feed.status().fallbackReason);
    QCOMPARE(listener.feed.status().fallbackReason->detail, notInResp2);
    server.cli({"MSET", "a:lock", "1", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
    QVERIFY(listener.catchUp());
    QCOMPARE(listener.told.contains("a:lock"), rest == FeedMode::Notifications);
    QCOMPARE(listener.gapDetected.size(), 0);
}

/// It is told of changes all the same.
void TestChangeFeedResp3::withoutItsChannel()
{
    const RedisServer server(words("--user mo on >p ~* resetchannels +@all"));
    const Service service(server);
    ServerAddress address = service.address();
    address.user = "mo";
    address.password = "p";
    FeedListener listener(address, heads);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), bothTracked);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
    QVERIFY(listener.catchUp());
}

void TestChangeFeedResp3::flushes()
{
    const RedisServer server;
    const Service service(server);
    server.cli({"SET", "lock:a", "1"});
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    server.cli({"FLUSHALL"});
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::Flushed);
    QCOMPARE(listener.routes(), bothTracked);
    server.cli({"SET", "lock:b", "1"});
    QVERIFY(listener.isPushed("lock:b"));
}

void TestChangeFeedResp3::forgeries()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    server.cli({"PUBLISH", "__redis__:invalidate", "lock:forged"});
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::ForeignPublish);
    QVERIFY(listener.told.isEmpty());
}

void TestChangeFeedResp3::cutOff()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    listener.modesChosen.clear();
    QList<FeedMode> routesThen;
    connect(&listener.feed, &ChangeFeed::gapDetected, this, [&] { routesThen = listener.routes(); });
    cutFeed(server);
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::Lost);
    QCOMPARE(routesThen, QList<FeedMode>(2, FeedMode::Polling));
    QTRY_COMPARE(listener.modesChosen.size(), 1);
    QCOMPARE(listener.routes(), bothTracked);
    QVERIFY(!listener.feed.status().fallbackReason);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
    QCOMPARE(listener.gapDetected.size(), 1);
}

void TestChangeFeedResp3::cutOffForItsBuffer()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    listener.modesChosen.clear();
    overflowFeed(server);
    QTRY_VERIFY(!listener.gapDetected.isEmpty());
    QCOMPARE(listener.incident(), FeedGap::Lost);
    QTRY_COMPARE(listener.modesChosen.size(), 1);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
}

void TestChangeFeedResp3::restsAfterThreeLosses()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), heads);
    cutFeedUntilItRests(server, listener);
    if (QTest::currentTestFailed())
        return;
    QTRY_COMPARE(clientLine(server, "lockscope:feed"), QByteArray());
    listener.feed.listen(heads);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), bothTracked);
}

/// The connection stands, and nothing is answered any more.
void TestChangeFeedResp3::silentServer()
{
    RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    QVERIFY(listener.catchUp());
    server.pause();
    QTRY_COMPARE_WITH_TIMEOUT(listener.gapDetected.size(), 1, 15'000);
    QCOMPARE(listener.incident(), FeedGap::HeartbeatTimeout);
    server.resume();
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), bothTracked);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
}

void TestChangeFeedResp3::exactBytes()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    const QByteArray key("lock:\0\r\n\xff>_*", 11);
    server.cli({"-x", "EVAL", "redis.call('set', ARGV[1], 1)", "0"}, key);
    QVERIFY(listener.isPushed(key));
}

/// Pushes and replies to the heartbeat are told apart, however many there are.
void TestChangeFeedResp3::thousandsAtOnce()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    for (int round = 0; round < 5; ++round) {
        server.cli({"EVAL", "for i = 1, 20000 do redis.call('set', 'lock:' .. i, 1) end", "0"});
        QVERIFY(listener.catchUp());
        QCOMPARE(listener.told.size(), 20'000);
        QVERIFY(std::ranges::all_of(listener.told, [round](int times) { return times > round; }));
    }
    QCOMPARE(listener.gapDetected.size(), 0);
}

void TestChangeFeedResp3::refusedInResp3Too_data()
{
    QTest::addColumn<QByteArray>("hello");    // empty: accepted
    QTest::addColumn<QByteArray>("tracking"); // of RESP3
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<FeedMode>("mode");
    const QByteArray none;
    const QStringList notifying = words("--notify-keyspace-events KA");
    const QByteArray noProto = "NOPROTO unsupported protocol version";
    const QByteArray noBroadcast = "ERR syntax error";
    QTest::newRow("no RESP3") << noProto << none << QStringList() << FeedMode::Polling;
    QTest::newRow("no RESP3, notified") << noProto << none << notifying << FeedMode::Notifications;
    QTest::newRow("no broadcasts") << none << noBroadcast << QStringList() << FeedMode::Polling;
    QTest::newRow("no broadcasts, notified") << none << noBroadcast << notifying << FeedMode::Notifications;
}

/// The modes that are left are found as if RESP3 had not been tried.
void TestChangeFeedResp3::refusedInResp3Too()
{
    QFETCH(QByteArray, hello);
    QFETCH(QByteArray, tracking);
    QFETCH(QStringList, settings);
    QFETCH(FeedMode, mode);
    const RedisServer server(settings);
    Service service(server);
    service.rewrite = [=](const QByteArrayList &command, bool speaksResp3) {
        if (command[0] == "HELLO" && !hello.isEmpty())
            return RewritingProxy::refusal(hello);
        return isTracking(command) ? RewritingProxy::refusal(speaksResp3 ? tracking : notInResp2) : command;
    };
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(2, mode));
    QVERIFY(listener.feed.status().fallbackReason);
    QCOMPARE(listener.feed.status().fallbackReason->detail, notInResp2);
    QCOMPARE(listener.modesChosen.size(), 1);
    QCOMPARE(listener.gapDetected.size(), 0);
    QCOMPARE(service.count("HELLO"), 1);
    QCOMPARE(service.accepted(), 4); // the reader, and the feed in RESP2, RESP3, and RESP2 again
    server.cli({"SET", "lock:a", "1"});
    QCOMPARE(listener.isPushed("lock:a"), mode == FeedMode::Notifications);
}

void TestChangeFeedResp3::closedAtHello()
{
    const RedisServer server;
    Service service(server);
    service.rewrite = [](const QByteArrayList &command, bool) {
        if (command[0] == "HELLO")
            return QByteArrayList();
        return isTracking(command) ? RewritingProxy::refusal(notInResp2) : command;
    };
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(2, FeedMode::Polling));
    QCOMPARE(service.count("HELLO"), 1);
    QCOMPARE(listener.feed.status().fallbackReason->detail, notInResp2);
}

void TestChangeFeedResp3::notTriedWithoutPromise_data()
{
    QTest::addColumn<QByteArray>("refusal");
    for (const char *refusal :
         {"ERR unknown command 'CLIENT', with args beginning with: 'TRACKING' ",
          "ERR unknown subcommand 'TRACKING'. Try CLIENT HELP.",
          "ERR Unknown subcommand or wrong number of arguments for 'TRACKING'. Try CLIENT HELP.",
          "NOPERM this user has no permissions to run the 'client|tracking' command"})
        QTest::newRow(refusal) << QByteArray(refusal);
}

/// A server that does not know tracking, or forbids it, does so in every version.
void TestChangeFeedResp3::notTriedWithoutPromise()
{
    QFETCH(QByteArray, refusal);
    const RedisServer server;
    const Service service(server, refusal);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(2, FeedMode::Polling));
    QCOMPARE(listener.feed.status().fallbackReason->detail, refusal.trimmed());
    QCOMPARE(service.count("HELLO"), 0);
    QCOMPARE(service.accepted(), 2);
}

void TestChangeFeedResp3::aBetterModeIsTakenAfterALoss()
{
    const RedisServer server;
    Service service(server);
    FeedListener listener(service.address(), heads);
    QVERIFY(listener.hasSettled());
    service.rewrite = nullptr; // the service was upgraded
    listener.modesChosen.clear();
    cutFeed(server);
    QTRY_COMPARE(listener.modesChosen.size(), 1);
    QCOMPARE(listener.routes(), bothTracked);
    QCOMPARE(service.count("HELLO"), 1);
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a"));
}

void TestChangeFeedResp3::listensAgain()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address(), {"lock:*"});
    QVERIFY(listener.hasSettled());
    listener.feed.listen({"mutex:*"});
    QVERIFY(!listener.feed.isSettled());
    QVERIFY(listener.hasSettled());
    server.cli({"MSET", "lock:a", "1", "mutex:a", "1"});
    QVERIFY(listener.isPushed("mutex:a"));
    QVERIFY(!listener.told.contains("lock:a"));
    listener.feed.stop();
    QTRY_COMPARE(clientLine(server, "lockscope:feed"), QByteArray());
    QCOMPARE(listener.gapDetected.size(), 0);
}

void TestChangeFeedResp3::oddPushes()
{
    FakePeer peer;
    letListenInResp3(peer);
    FeedListener listener(peer.address(), heads);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), bothTracked);
    peer.push(">0\r\n>1\r\n+invalidate\r\n>2\r\n$21\r\ntracking-redir-broken\r\n:9\r\n>2\r\n+other\r\n*1\r\n+"
              "lock:x\r\n");
    peer.push(">2\r\n+invalidate\r\n*0\r\n>2\r\n+invalidate\r\n*3\r\n$6\r\nlock:a\r\n_\r\n:1\r\n");
    QVERIFY(listener.isPushed("lock:a"));
    QCOMPARE(listener.told.size(), 1);
    QCOMPARE(listener.gapDetected.size(), 0);
    peer.push(">2\r\n+invalidate\r\n$6\r\nlock:a\r\n"); // no list: anything may have changed
    QTRY_COMPARE(listener.gapDetected.size(), 1);
    QCOMPARE(listener.incident(), FeedGap::Flushed);
    QVERIFY(listener.catchUp());
    peer.push("*2\r\n+invalidate\r\n*1\r\n$6\r\nlock:b\r\n"); // an answer to nothing
    QTRY_COMPARE(listener.gapDetected.size(), 2);
    QCOMPARE(listener.incident(), FeedGap::Lost);
    QVERIFY(!listener.told.contains("lock:b"));
}

void TestChangeFeedResp3::sendsOnlyReads()
{
    const RedisServer server;
    const Service service(server);
    FeedListener listener(service.address());
    QVERIFY(listener.hasSettled());
    QVERIFY(listener.catchUp());
    QCOMPARE(service.count("HELLO"), 1);
    for (const QByteArrayList &command : service.commands()) {
        const std::vector<QByteArrayView> given(command.begin(), command.end());
        QVERIFY2(isReadCommand(given), command.join(' ').constData());
    }
}

void TestChangeFeedResp3::endsInTheMiddle_data()
{
    QTest::addColumn<QByteArray>("silent");
    for (const char *command : {"HELLO", "CLIENT TRACKING ON BCAST", "SUBSCRIBE", "PING"})
        QTest::newRow(command) << QByteArray(command);
}

/// A feed may end at any moment, also while it waits for an answer, and may be given other patterns.
void TestChangeFeedResp3::endsInTheMiddle()
{
    QFETCH(QByteArray, silent);
    FakePeer peer;
    letListenInResp3(peer);
    peer.on(silent, FakePeer::Answer());
    {
        FeedListener listener(peer.address(), heads);
        QTRY_VERIFY(!peer.commands(silent).isEmpty());
    }
    FeedListener listener(peer.address(), heads);
    const qsizetype asked = peer.commands(silent).size();
    QTRY_VERIFY(peer.commands(silent).size() > asked);
    letListenInResp3(peer);
    peer.on("PING", "+PONG\r\n");
    listener.feed.listen({"lock:*"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::Tracking});
    QVERIFY(listener.catchUp());
}

QTEST_GUILESS_MAIN(TestChangeFeedResp3)
#include "tst_changefeedresp3.moc"

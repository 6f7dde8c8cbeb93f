// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/changefeed.h"

#include "tests/core/monitor/feedpeer.h"
#include "tests/support/feedlistener.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

QByteArray patternsHeard(const RedisServer &server)
{
    return server.cli({"PUBSUB", "NUMPAT"});
}

ServerAddress as(ServerAddress address, const QByteArray &user)
{
    address.user = user;
    address.password = user.isEmpty() ? "" : "p";
    return address;
}

} // namespace

class TestChangeFeed : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void listensByTracking();
    void listensByNotifications_data();
    void listensByNotifications();
    void tooFewNotificationsAreNone_data();
    void tooFewNotificationsAreNone();
    void namedUsersAreNotAskedForSettings();
    void notificationsSwitchedOff_data();
    void notificationsSwitchedOff();
    void configForbiddenMeanwhile();
    void channelRefused();
    void trackingRefused();
    void trackingRefusedAndNotified();
    void everythingRefused();
    void exactBytes();
    void otherDatabase();
    void manyPatterns_data();
    void manyPatterns();
    void escapedHeads();
    void changesPatternsWhileListening();
    void keyedPatternsThenNone();
    void thousandsAtOnce();
    void sendsOnlyReads();
    void endsInTheMiddle_data();
    void endsInTheMiddle();
    void hearsOfOverwrittenKeys();
    void stops();
};

void TestChangeFeed::listensByTracking()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(),
             (QList<FeedMode>{FeedMode::Tracking, FeedMode::Tracking, FeedMode::KeyedTracking}));
    QVERIFY(!listener.feed.status().fallbackReason);
    QCOMPARE(listener.feed.routeOf("lock:a:lock"), FeedMode::Tracking); // the better of two
    QCOMPARE(listener.feed.routeOf("a:lock"), FeedMode::KeyedTracking);
    QCOMPARE(listener.feed.routeOf("elsewhere"), FeedMode::Polling);

    server.cli({"SET", "lock:a", "1"});
    server.cli({"SET", "lockless", "1"});
    server.cli({"HSET", "lock_b", "u", "1"});
    QVERIFY(listener.isPushed("lock:a"));
    QVERIFY(listener.isPushed("lock_b"));

    // By key: told once after each reading, present or absent.
    server.cli({"SET", "a:lock", "1"});
    QVERIFY(listener.catchUp());
    QVERIFY(!listener.told.contains("a:lock")); // nobody has read it
    QVERIFY(listener.read("a:lock"));
    server.cli({"DEL", "a:lock"});
    QVERIFY(listener.isPushed("a:lock", 1));
    QVERIFY(listener.read("a:lock"));
    server.cli({"SET", "a:lock", "2"});
    QVERIFY(listener.isPushed("a:lock", 2));
    QVERIFY(!listener.told.contains("lockless"));
    QCOMPARE(listener.gapDetected.size(), 0);
}

void TestChangeFeed::listensByNotifications_data()
{
    QTest::addColumn<QString>("flags");
    for (const char *flags : {"KA", "Kg$h", "KEA", "Kg$hxe"})
        QTest::newRow(flags) << QString::fromLatin1(flags);
}

void TestChangeFeed::listensByNotifications()
{
    QFETCH(QString, flags);
    const RedisServer server({QStringLiteral("--notify-keyspace-events"), flags});
    FeedListener listener(server.socketAddress(), {"lock:*", "*:lock", "[ab]?c"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(),
             (QList<FeedMode>{FeedMode::Tracking, FeedMode::Notifications, FeedMode::Notifications}));
    QCOMPARE(patternsHeard(server), "2"); // one for each pattern that needs it
    QSignalSpy messages(&listener.feed, &ChangeFeed::heard);
    server.cli({"MSET", "noise", "1", "a:lock:b", "1", "abd", "1"});
    server.cli({"SET", "a:lock", "1"});
    server.cli({"EVAL", "redis.call('hset', 'axc', 'u', 1) redis.call('pexpire', 'axc', 60000)", "0"});
    QVERIFY(listener.isPushed("a:lock"));
    QVERIFY(listener.isPushed("axc", 2));
    server.cli({"RENAME", "a:lock", "away"});
    QVERIFY(listener.isPushed("a:lock", 2));
    QVERIFY(listener.catchUp());
    QCOMPARE(QSet<QByteArray>(listener.told.keyBegin(), listener.told.keyEnd()),
             (QSet<QByteArray>{"a:lock", "axc"}));
}

void TestChangeFeed::tooFewNotificationsAreNone_data()
{
    QTest::addColumn<QString>("flags");
    for (const char *flags : {"Ex", "Kx", "Eg$h", "Kg$", "EA"})
        QTest::newRow(flags) << QString::fromLatin1(flags);
}

void TestChangeFeed::tooFewNotificationsAreNone()
{
    QFETCH(QString, flags);
    const RedisServer server({QStringLiteral("--notify-keyspace-events"), flags});
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes().last(), FeedMode::KeyedTracking);
    QCOMPARE(patternsHeard(server), "0");
}

/// The settings hold passwords: a user with a name is not asked to read them where something else serves.
void TestChangeFeed::namedUsersAreNotAskedForSettings()
{
    const RedisServer server(words("--notify-keyspace-events KEA --user mo on >p ~* &* +@all -config"));
    FeedListener listener(as(server.socketAddress(), "mo"), {"*:lock"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::KeyedTracking});
    QCOMPARE(server.cli({"ACL", "LOG"}), "");
    FeedListener other(as(server.socketAddress(), {}), {"*:lock"});
    QVERIFY(other.hasSettled());
    QCOMPARE(other.routes(), QList<FeedMode>{FeedMode::Notifications});
}

/// Nobody tells of it, and silence looks like quiet.
void TestChangeFeed::notificationsSwitchedOff_data()
{
    QTest::addColumn<QByteArray>("flags");
    QTest::addColumn<QByteArray>("user");
    QTest::addColumn<FeedMode>("after");
    for (const char *flags : {"", "Egx"}) {
        QTest::addRow("'%s'", flags) << QByteArray(flags) << QByteArray() << FeedMode::KeyedTracking;
        QTest::addRow("'%s', no tracking", flags)
            << QByteArray(flags) << QByteArray("mo") << FeedMode::Polling;
    }
}

void TestChangeFeed::notificationsSwitchedOff()
{
    QFETCH(QByteArray, flags);
    QFETCH(QByteArray, user);
    QFETCH(FeedMode, after);
    const RedisServer server(
        words("--notify-keyspace-events KEA --user mo on >p ~* &* +@all -client|tracking"));
    FeedListener listener(as(server.socketAddress(), user), {"*:lock"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::Notifications});
    server.cli({"CONFIG", "SET", "notify-keyspace-events", flags});
    QTRY_COMPARE_WITH_TIMEOUT(listener.gapDetected.size(), 1, 20'000);
    QCOMPARE(listener.incident(), FeedGap::RedirectBroken);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{after});
    QTRY_COMPARE(patternsHeard(server), "0");
}

/// Whether they are on is not known any more, and not promised. One line in the ACL LOG is enough.
void TestChangeFeed::configForbiddenMeanwhile()
{
    const RedisServer server(
        words("--notify-keyspace-events KEA --user mo on >p ~* &* +@all -client|tracking"));
    FeedListener listener(as(server.socketAddress(), "mo"), {"lock:*"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::Notifications});
    server.cli({"ACL", "LOG", "RESET"});
    server.cli({"ACL", "SETUSER", "mo", "-config"});
    QTRY_COMPARE_WITH_TIMEOUT(listener.routes(), QList<FeedMode>{FeedMode::Polling}, 20'000);
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.gapDetected.size(), 0); // nothing says that anything was
    server.cli({"SET", "lock:a", "1"});
    QVERIFY(listener.isPushed("lock:a")); // they are on all the same
    QVERIFY(listener.catchUp());
    const QByteArray log = server.cli({"ACL", "LOG"});
    QCOMPARE(log.count("object\nconfig"), 1);
}

/// Tracking without its channel would cost the server and tell nobody.
void TestChangeFeed::channelRefused()
{
    const RedisServer server(words("--user mo on >p ~* resetchannels +@all"));
    FeedListener listener(as(server.socketAddress(), "mo"));
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(3, FeedMode::Polling));
    QVERIFY(listener.feed.status().fallbackReason);
    QCOMPARE(listener.feed.status().fallbackReason->kind, ErrorKind::NoPermission);
    QTRY_COMPARE(clientLine(server, "lockscope:feed"), QByteArray());
    QVERIFY(!flagsOf(clientLine(server, "lockscope")).contains('t'));
}

void TestChangeFeed::trackingRefused()
{
    const RedisServer server(words("--user mo on >p ~* &* +@all -client|tracking"));
    FeedListener listener(as(server.socketAddress(), "mo"));
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(3, FeedMode::Polling));
    QVERIFY(listener.feed.status().fallbackReason);
    QCOMPARE(listener.feed.status().fallbackReason->kind, ErrorKind::NoPermission);
    QTRY_COMPARE(clientLine(server, "lockscope:feed"), QByteArray());
}

void TestChangeFeed::trackingRefusedAndNotified()
{
    const RedisServer server(
        words("--notify-keyspace-events KA --user mo on >p ~* &* +@all -client|tracking"));
    FeedListener listener(as(server.socketAddress(), "mo"));
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(3, FeedMode::Notifications));
    server.cli({"MSET", "lock:a", "1", "lock_b", "1", "c:lock", "1", "block:d", "1"});
    QVERIFY(listener.isPushed("lock:a") && listener.isPushed("lock_b") && listener.isPushed("c:lock"));
    QCOMPARE(listener.told.size(), 3);
}

/// What can't be asked may be on all the same. It is listened to, and nothing is promised.
void TestChangeFeed::everythingRefused()
{
    const RedisServer server(
        words("--notify-keyspace-events KA --user mo on >p ~* &* +@all -config -client|tracking"));
    FeedListener listener(as(server.socketAddress(), "mo"));
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(3, FeedMode::Polling));
    QVERIFY(listener.feed.status().fallbackReason);
    QCOMPARE(patternsHeard(server), "3");
    server.cli({"SET", "c:lock", "1"});
    QVERIFY(listener.isPushed("c:lock"));
}

void TestChangeFeed::exactBytes()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress(), {"lock:*", "*:lock"});
    QVERIFY(listener.hasSettled());
    const QByteArray odd("\0\r\n\xff\xf0\x9f\x98\x80*", 9);
    for (const QByteArray &key : {"lock:" + odd, odd + ":lock"}) {
        QVERIFY(listener.read(key));
        // redis-cli takes no NUL as an argument, a script makes one.
        server.cli({"-x", "EVAL", "redis.call('set', ARGV[1], 1)", "0"}, key);
        QVERIFY2(listener.isPushed(key), key.toHex().constData());
    }
    const RedisServer notifying(words("--notify-keyspace-events KA"));
    FeedListener second(notifying.socketAddress(), {"*:lock"});
    QVERIFY(second.hasSettled());
    notifying.cli({"-x", "EVAL", "redis.call('set', ARGV[1], 1)", "0"}, odd + ":lock");
    QVERIFY(second.isPushed(odd + ":lock"));
}

void TestChangeFeed::otherDatabase()
{
    for (const QStringList &settings : {QStringList(), words("--notify-keyspace-events KA")}) {
        const RedisServer server(settings);
        ServerAddress address = server.socketAddress();
        address.database = 3;
        FeedListener listener(address);
        QVERIFY(listener.hasSettled());
        QVERIFY(listener.read("a:lock"));
        server.cli({"-n", "3", "MSET", "lock:a", "1", "a:lock", "1"});
        QVERIFY(listener.isPushed("lock:a"));
        QVERIFY(listener.isPushed("a:lock"));
    }
}

void TestChangeFeed::manyPatterns_data()
{
    QTest::addColumn<QByteArrayList>("patterns");
    QTest::addColumn<int>("tracked"); // the first so many
    QByteArrayList twelve;
    for (int i = 0; i < 12; ++i)
        twelve << "p" + QByteArray::number(i) + ":*";
    QTest::newRow("twelve heads") << twelve << 8;
    QTest::newRow("overlapping") << QByteArrayList{"a:b:*", "a:*", "a:b:c*", "a*"} << 4;
    QTest::newRow("the same twice") << QByteArrayList{"a:*", "a:*", "a:[xy]"} << 3;
    QTest::newRow("one that covers all comes last") << twelve + QByteArrayList{"p*"} << 13;
    QTest::newRow("everything") << QByteArrayList{"*"} << 0;
}

void TestChangeFeed::manyPatterns()
{
    QFETCH(QByteArrayList, patterns);
    QFETCH(int, tracked);
    const RedisServer server;
    FeedListener listener(server.socketAddress(), patterns);
    QVERIFY(listener.hasSettled());
    QVERIFY(!listener.feed.status().fallbackReason);
    QList<FeedMode> expected(tracked, FeedMode::Tracking);
    expected.resize(patterns.size());
    std::fill(expected.begin() + tracked, expected.end(), FeedMode::KeyedTracking);
    QCOMPARE(listener.routes(), expected);
    for (QByteArray key : patterns) {
        key.replace("[xy]", "x").replace('*', "key");
        QVERIFY(listener.read(key));
        server.cli({"SET", key, "1"});
        QVERIFY2(listener.isPushed(key), key.constData());
    }
}

void TestChangeFeed::escapedHeads()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress(), {"a\\*b:*", "c[1]:*", "d\\[1\\]:?"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>(3, FeedMode::Tracking));
    server.cli(
        {"MSET", "axb:1", "1", "a*b:1", "1", "c2:1", "1", "c1:1", "1", "d[1]:long", "1", "d[1]:x", "1"});
    QVERIFY(listener.isPushed("a*b:1") && listener.isPushed("c1:1") && listener.isPushed("d[1]:x"));
    QCOMPARE(listener.told.size(), 3);
}

void TestChangeFeed::changesPatternsWhileListening()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress(), {"lock:*"});
    listener.feed.listen({"mutex:*"}); // before the first has settled
    QVERIFY(listener.hasSettled());
    server.cli({"MSET", "lock:a", "1", "mutex:a", "1"});
    QVERIFY(listener.isPushed("mutex:a"));
    listener.feed.listen({"lock:*", "*:lock"});
    QVERIFY(!listener.feed.isSettled());
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), (QList<FeedMode>{FeedMode::Tracking, FeedMode::KeyedTracking}));
    server.cli({"MSET", "lock:b", "1", "mutex:b", "1"});
    QVERIFY(listener.isPushed("lock:b"));
    QVERIFY(listener.catchUp());
    QVERIFY(!listener.told.contains("lock:a") && !listener.told.contains("mutex:b"));
    QCOMPARE(listener.gapDetected.size(), 0); // nothing was lost: it was let go
    QTRY_COMPARE(server.cli({"PUBSUB", "NUMSUB", "__redis__:invalidate"}), "__redis__:invalidate\n1");
}

/// The server need not remember for us what nobody listens to any more.
void TestChangeFeed::keyedPatternsThenNone()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress(), {"*:lock"});
    QVERIFY(listener.hasSettled());
    QVERIFY(flagsOf(clientLine(server, "lockscope")).contains('t'));
    listener.feed.listen({"lock:*"});
    QVERIFY(listener.hasSettled());
    QTRY_VERIFY(!flagsOf(clientLine(server, "lockscope")).contains('t'));
}

void TestChangeFeed::thousandsAtOnce()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    server.cli({"EVAL", "for i = 1, 50000 do redis.call('set', 'lock:' .. i, 1) end", "0"});
    QTRY_COMPARE(listener.told.size(), 50'000);
    QVERIFY2(listener.largest >= 1000, QByteArray::number(listener.largest).constData());
    QCOMPARE(listener.gapDetected.size(), 0);
}

void TestChangeFeed::sendsOnlyReads()
{
    FakePeer peer;
    letListen(peer);
    FeedListener listener(peer.address());
    QVERIFY(listener.hasSettled());
    QVERIFY(listener.catchUp());
    for (const QByteArrayList &command : peer.commands()) {
        const std::vector<QByteArrayView> given(command.begin(), command.end());
        QVERIFY2(isReadCommand(given), command.join(' ').constData());
        QVERIFY(command[0] != "CONFIG" || command[1] == "GET");
    }
}

/// A feed may end at any moment, also while it waits for an answer.
void TestChangeFeed::endsInTheMiddle_data()
{
    QTest::addColumn<QByteArray>("silent");
    for (const char *command : {"CLIENT ID", "CLIENT TRACKING", "SUBSCRIBE", "CONFIG", "PSUBSCRIBE"})
        QTest::newRow(command) << QByteArray(command);
}

void TestChangeFeed::endsInTheMiddle()
{
    QFETCH(QByteArray, silent);
    FakePeer peer;
    letListen(peer);
    peer.on("CONFIG", "*2\r\n$22\r\nnotify-keyspace-events\r\n$2\r\nKA\r\n");
    peer.on(silent, FakePeer::Answer());
    {
        FeedListener listener(peer.address());
        QTRY_VERIFY(!peer.commands(silent).isEmpty());
    }
    // The same with the patterns changed instead: what the old ones asked for may not count for the new ones.
    FeedListener listener(peer.address());
    const qsizetype asked = peer.commands(silent).size();
    QTRY_VERIFY(peer.commands(silent).size() > asked);
    letListen(peer);
    peer.on("CLIENT TRACKING", "+OK\r\n");
    peer.on("CONFIG", "-ERR\r\n");
    listener.feed.listen({"lock:*"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::Tracking});
}

/// Events of Redis 8.2 (classes `o` and `c`), which no packaged server sends: a peer plays it. A SET without NX may be a
/// renewal, so its key is only read again; another type is the end of what was there.
void TestChangeFeed::hearsOfOverwrittenKeys()
{
    FakePeer peer;
    peer.on("CONFIG", "*2\r\n$22\r\nnotify-keyspace-events\r\n$4\r\nKAoc\r\n");
    peer.on("PSUBSCRIBE", "*3\r\n$10\r\npsubscribe\r\n$21\r\n__keyspace@0__:lock:*\r\n:1\r\n");
    FeedListener listener(peer.address(), {"lock:*"});
    QVERIFY(listener.hasSettled());
    QCOMPARE(listener.routes(), QList<FeedMode>{FeedMode::Notifications});
    QSignalSpy gone(&listener.feed, &ChangeFeed::gone);
    const auto tell = [&peer](const QByteArray &event) {
        peer.push(
            "*4\r\n$8\r\npmessage\r\n$21\r\n__keyspace@0__:lock:*\r\n$21\r\n__keyspace@0__:lock:a\r\n$" +
            QByteArray::number(event.size()) + "\r\n" + event + "\r\n");
    };
    tell("overwritten");
    QVERIFY(listener.isPushed("lock:a"));
    QCOMPARE(gone.size(), 0);
    tell("type_changed");
    QVERIFY(listener.isPushed("lock:a", 2));
    QCOMPARE(gone.size(), 1);
    QCOMPARE(gone[0][1].value<EventKind>(), EventKind::Overwritten);
}

void TestChangeFeed::stops()
{
    const RedisServer server;
    FeedListener listener(server.socketAddress());
    QVERIFY(listener.hasSettled());
    listener.feed.stop();
    QVERIFY(!listener.feed.isSettled());
    QVERIFY(!listener.feed.status().hasPush());
    server.cli({"SET", "lock:a", "1"});
    QTRY_COMPARE(clientLine(server, "lockscope:feed"), QByteArray());
    QVERIFY(listener.told.isEmpty());
    QCOMPARE(listener.gapDetected.size(), 0);
}

QTEST_GUILESS_MAIN(TestChangeFeed)
#include "tst_changefeed.moc"

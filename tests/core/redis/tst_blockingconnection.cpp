// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/blockingconnection.h"

#include "tests/support/fakepeer.h"
#include "tests/support/machineclock.h"
#include "tests/support/redisserver.h"

#include <QtTest>

#include <future>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

namespace {

/// How a call ended, as a word: the reply's text, or the kind of the error.
QByteArray text(const Result<Reply> &reply)
{
    return reply ? reply->text : "error " + QByteArray::number(int(reply.error().kind));
}

QByteArray text(const Result<std::optional<BlockingConnection::Message>> &message)
{
    if (!message)
        return "error " + QByteArray::number(int(message.error().kind));
    return *message ? (*message)->channel + ": " + (*message)->text : QByteArray("none");
}

QByteArray error(ErrorKind kind)
{
    return "error " + QByteArray::number(int(kind));
}

/// On a thread of its own, while the test's event loop plays the server.
template <typename Work>
auto aside(Work work)
{
    auto future = std::async(std::launch::async, std::move(work));
    if (!QTest::qWaitFor([&] { return future.wait_for(0s) == std::future_status::ready; }, 20'000))
        qFatal("the thread hangs");
    return future.get();
}

BlockingConnection::Options patient()
{
    return {.connectDeadline = 20s, .commandDeadline = 20s};
}

} // namespace

class TestBlockingConnection : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void talksToARealServer_data()
    {
        QTest::addColumn<bool>("tcp");
        QTest::newRow("Unix socket") << false;
        QTest::newRow("TCP") << true;
    }

    void talksToARealServer()
    {
        QFETCH(const bool, tcp);
        RedisServer server({QStringLiteral("--requirepass"), QStringLiteral("canary")});
        ServerAddress address = tcp ? server.tcpAddress() : server.socketAddress();
        address.password = "canary";
        address.database = 3;
        BlockingConnection connection(address, {.clientName = "worker-7"});
        QVERIFY(!connection.isOpen());
        QCOMPARE(text(connection.send({"PING"})), error(ErrorKind::NotConnected));
        QVERIFY(connection.open().has_value());
        QVERIFY(connection.isOpen());
        QVERIFY(connection.server().major >= RedisServer::majorVersion());
        QCOMPARE(connection.commands(), 0);

        const QByteArray key("k\r\n\xff\0", 5);
        const QByteArray large(3'000'000, 'x'); // more than a socket takes at once
        QCOMPARE(text(connection.send({"SET", key, large})), "OK");
        QCOMPARE(text(connection.send({"GET", key})), large);
        QVERIFY(text(connection.send({"CLIENT", "LIST"})).contains("name=worker-7"));
        QVERIFY(text(connection.send({"CLIENT", "LIST"})).contains("db=3"));
        QCOMPARE(text(connection.send({"LPUSH", key, "x"})), error(ErrorKind::WrongType));
        CommandBatch batch;
        for (int i = 0; i < 1000; ++i)
            batch.add({"ECHO", QByteArray::number(i)});
        batch.add({"NOSUCH"});
        const auto replies = connection.send(batch);
        QVERIFY(replies.has_value());
        QCOMPARE(replies->size(), size_t(1001));
        QCOMPARE((*replies)[999].text, "999");
        QVERIFY(replies->back().isError());
        QCOMPARE(connection.commands(), 1006);
        QVERIFY(connection.isOpen());

        QVERIFY(connection.open().has_value()); // anew
        QCOMPARE(text(connection.send({"PING"})), "PONG");
        connection.close();
        QVERIFY(!connection.isOpen());
    }

    void refusedLogins()
    {
        RedisServer server({QStringLiteral("--requirepass"), QStringLiteral("canary")});
        ServerAddress address = server.socketAddress();
        BlockingConnection none(address, {});
        QCOMPARE(none.open().error().kind, ErrorKind::AuthRequired);
        QVERIFY(!none.isOpen());
        address.password = "wrong";
        QCOMPARE(BlockingConnection(address, {}).open().error().kind, ErrorKind::WrongPassword);
        address.password = "canary";
        address.database = 99;
        QCOMPARE(BlockingConnection(address, {}).open().error().kind, ErrorKind::InvalidArgument);
        server.stop();
        const ErrorKind gone = BlockingConnection(address, {}).open().error().kind;
        QVERIFY(gone == ErrorKind::NoSuchSocket || gone == ErrorKind::ConnectionRefused);
        QCOMPARE(BlockingConnection(server.tcpAddress(), {}).open().error().kind,
                 ErrorKind::ConnectionRefused);
    }

    /// A wait that is longer than the slices in which a stop is looked for is no failure.
    void waitsForASlowReply_data() { talksToARealServer_data(); }

    void waitsForASlowReply()
    {
        QFETCH(const bool, tcp);
        RedisServer server;
        BlockingConnection connection(tcp ? server.tcpAddress() : server.socketAddress(), patient());
        QVERIFY(connection.open().has_value());
        QVERIFY(connection.send({"BLPOP", "nothing", "0.3"}).has_value());
        QCOMPARE(text(connection.send({"PING"})), "PONG");
    }

    void pausedServer_data()
    {
        QTest::addColumn<bool>("tcp");
        QTest::addColumn<bool>("opening");
        for (const bool tcp : {false, true}) {
            for (const bool opening : {false, true})
                QTest::addRow("%s, %s", tcp ? "TCP" : "Unix socket", opening ? "opening" : "command")
                    << tcp << opening;
        }
    }

    /// A stop ends what hangs within 100 ms.
    void pausedServer()
    {
        QFETCH(const bool, tcp);
        QFETCH(const bool, opening);
        RedisServer server;
        std::promise<void> ready;
        Result<void> opened;
        QByteArray answer;
        bool isOpen = true;
        MachineClock clock;
        std::chrono::milliseconds ended{0};
        std::jthread worker([&](const std::stop_token &stop) {
            BlockingConnection connection(tcp ? server.tcpAddress() : server.socketAddress(), patient(),
                                          stop);
            if (!opening)
                opened = connection.open();
            server.pause();
            ready.set_value();
            if (opening)
                opened = connection.open();
            else
                answer = text(connection.send({"PING"}));
            ended = clock.now();
            isOpen = connection.isOpen();
        });
        ready.get_future().wait();
        std::this_thread::sleep_for(60ms); // into the wait; were it shorter, the test would pass as well
        const std::chrono::milliseconds stopped = clock.now();
        worker.request_stop();
        worker.join();
        server.resume();
        // The promise is 100 ms; a deadline would be 2 s and more.
        QVERIFY2(ended - stopped < 1000ms, QByteArray::number(qint64((ended - stopped).count())));
        QCOMPARE(opened.has_value(), !opening);
        if (!opening)
            QCOMPARE(answer, error(ErrorKind::OutcomeUnknown));
        QVERIFY(!isOpen);
    }

    void deadlinePasses()
    {
        RedisServer server;
        BlockingConnection connection(server.socketAddress(),
                                      {.connectDeadline = 100ms, .commandDeadline = 100ms});
        QVERIFY(connection.open().has_value());
        server.pause();
        QCOMPARE(text(connection.send({"PING"})), error(ErrorKind::OutcomeUnknown));
        QVERIFY(!connection.isOpen());
        QVERIFY(!connection.open());
        server.resume();
    }

    void lostReply()
    {
        RedisServer server;
        BlockingConnection connection(server.socketAddress(), patient());
        QVERIFY(connection.open().has_value());
        connection.dropNextReply();
        QCOMPARE(text(connection.send({"INCR", "n"})), error(ErrorKind::OutcomeUnknown));
        QVERIFY(!connection.isOpen());
        QCOMPARE(text(connection.send({"INCR", "n"})), error(ErrorKind::NotConnected));
        QCOMPARE(server.cli({"GET", "n"}), "1");
        QVERIFY(connection.open().has_value());
        QCOMPARE(connection.send({"INCR", "n"})->integer, 2); // once is enough
    }

    void diedServer()
    {
        RedisServer server;
        BlockingConnection connection(server.socketAddress(), patient());
        BlockingConnection messages(server.socketAddress(), patient());
        QVERIFY(connection.open().has_value());
        QVERIFY(messages.open().has_value());
        QVERIFY(messages.subscribe("c").has_value());
        server.kill();
        QCOMPARE(text(connection.send({"PING"})), error(ErrorKind::OutcomeUnknown));
        QVERIFY(text(messages.nextMessage(SteadyClock::now() + 20s)).startsWith("error "));
        QVERIFY(!messages.isOpen());
        QCOMPARE(text(messages.nextMessage(SteadyClock::now() + 20s)), error(ErrorKind::NotConnected));
        server.start();
        QVERIFY(connection.open().has_value());
        QCOMPARE(text(connection.send({"PING"})), "PONG");
    }

    void badPeers_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("closes");
        QTest::newRow("garbage") << QByteArray("SSH-2.0-OpenSSH\r\n") << false;
        QTest::newRow("too large") << QByteArray("$9999999999\r\n") << false;
        QTest::newRow("half a reply, then the end") << QByteArray("$10\r\nabc") << true;
        QTest::newRow("half a reply, then silence") << QByteArray("$10\r\nabc") << false;
        QTest::newRow("nothing, then the end") << QByteArray() << true;
    }

    void badPeers()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const bool, closes);
        FakePeer peer;
        FakePeer::Answer answer(bytes);
        peer.once("GET", closes ? answer.close() : answer);
        const auto [first, second, third] = aside([&] {
            BlockingConnection connection(peer.address(), {.connectDeadline = 10s, .commandDeadline = 1s});
            if (!connection.open())
                qFatal("no connection");
            const QByteArray broken = text(connection.send({"GET", "k"}));
            const QByteArray closed = text(connection.send({"GET", "k"}));
            const bool again = connection.open() && connection.send({"PING"});
            return std::tuple(broken, closed, again);
        });
        QCOMPARE(first, error(ErrorKind::OutcomeUnknown));
        QCOMPARE(second, error(ErrorKind::NotConnected));
        QVERIFY(third);
        QCOMPARE(peer.commands("GET").size(), 1); // never sent twice
    }

    void aByteAtATime()
    {
        FakePeer peer;
        peer.on("GET", {"*2\r\n$3\r\nabc\r\n:7\r\n", 1});
        const Result<Reply> reply = aside([&] {
            BlockingConnection connection(peer.address(), patient());
            return connection.open().and_then([&] { return connection.send({"GET", "k"}); });
        });
        QVERIFY(reply.has_value());
        QCOMPARE(reply->elements.size(), size_t(2));
        QCOMPARE(reply->elements[1].integer, 7);
    }

    void messages()
    {
        RedisServer server;
        BlockingConnection connection(server.socketAddress(), patient());
        QVERIFY(connection.open().has_value());
        QVERIFY(connection.subscribe("a").has_value());
        QVERIFY(connection.subscribe("b").has_value());
        const auto soon = SteadyClock::now() + 20s;
        QCOMPARE(text(connection.nextMessage(SteadyClock::now() + 50ms)), "none");
        server.cli({"PUBLISH", "a", "1"});
        server.cli({"PUBLISH", "b", "2"});
        // What came already is there without any patience, and in order.
        QByteArray first;
        const auto came = [&] {
            if (first.isEmpty() || first == "none")
                first = text(connection.nextMessage(SteadyClock::time_point::min()));
            return first != "none";
        };
        QTRY_VERIFY(came());
        QCOMPARE(first, "a: 1");
        QCOMPARE(text(connection.nextMessage(soon)), "b: 2");
        QCOMPARE(text(connection.nextMessage(SteadyClock::time_point::min())), "none");
        QVERIFY(connection.unsubscribe("a").has_value());
        server.cli({"PUBLISH", "a", "3"});
        server.cli({"PUBLISH", "b", "4"});
        QCOMPARE(text(connection.nextMessage(soon)), "b: 4");
        QCOMPARE(connection.commands(), 3);
    }

    void messagesBetweenAnswers()
    {
        FakePeer peer;
        const QByteArray message = "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\n";
        peer.once("SUBSCRIBE", "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
        peer.once("SUBSCRIBE", message + "1\r\n" + message +
                                   "2\r\n*3\r\n$9\r\nsubscribe\r\n$1\r\nb\r\n:2\r\n" + message + "3\r\n");
        const QByteArrayList heard = aside([&] {
            BlockingConnection connection(peer.address(), patient());
            if (!connection.open() || !connection.subscribe("a") || !connection.subscribe("b"))
                qFatal("no subscription");
            QByteArrayList texts;
            for (int i = 0; i < 3; ++i)
                texts += text(connection.nextMessage(SteadyClock::now() + 10s));
            return texts;
        });
        QCOMPARE(heard, (QByteArrayList{"a: 1", "a: 2", "a: 3"}));
    }

    void refusedSubscription()
    {
        RedisServer server({QStringLiteral("--user"), QStringLiteral("deaf"), QStringLiteral("on"),
                            QStringLiteral(">x"), QStringLiteral("+@all"), QStringLiteral("resetchannels")});
        ServerAddress address = server.socketAddress();
        address.user = "deaf";
        address.password = "x";
        BlockingConnection connection(address, patient());
        QVERIFY(connection.open().has_value());
        QCOMPARE(connection.subscribe("a").error().kind, ErrorKind::NoPermission);
        QVERIFY(connection.isOpen());
    }

    void stopEndsTheWaitForMessages()
    {
        RedisServer server;
        std::promise<void> ready;
        QByteArray heard;
        MachineClock clock;
        std::chrono::milliseconds ended{0};
        std::jthread worker([&](const std::stop_token &stop) {
            BlockingConnection connection(server.socketAddress(), patient(), stop);
            const bool subscribed = connection.open() && connection.subscribe("a");
            ready.set_value();
            heard =
                subscribed ? text(connection.nextMessage(SteadyClock::time_point::max())) : "not subscribed";
            ended = clock.now();
        });
        ready.get_future().wait();
        const std::chrono::milliseconds stopped = clock.now();
        worker.request_stop();
        worker.join();
        // The promise is 100 ms; a deadline would be 2 s and more.
        QVERIFY2(ended - stopped < 1000ms, QByteArray::number(qint64((ended - stopped).count())));
        QCOMPARE(heard, "none");
    }

    /// What must still be said after a stop, a release for instance, has its short time.
    void stopLeavesTimeForLastWords()
    {
        RedisServer server;
        std::stop_source stop;
        BlockingConnection connection(server.socketAddress(), patient(), stop.get_token());
        QVERIFY(connection.open().has_value());
        stop.request_stop();
        QCOMPARE(text(connection.send({"SET", "k", "v"})), "OK");
        QCOMPARE(server.cli({"GET", "k"}), "v");
    }
};

QTEST_GUILESS_MAIN(TestBlockingConnection)
#include "tst_blockingconnection.moc"

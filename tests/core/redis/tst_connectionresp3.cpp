// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/connection.h"

#include "tests/support/fakepeer.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;

class TestConnectionResp3 : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void speaksResp3_data()
    {
        QTest::addColumn<QByteArray>("user");
        QTest::newRow("default user") << QByteArray();
        QTest::newRow("named user") << QByteArray("mo");
    }

    /// What RESP2 has another way arrives as in RESP2.
    void speaksResp3()
    {
        QFETCH(QByteArray, user);
        const RedisServer server(
            QStringLiteral("--requirepass p --user mo on >p ~* &* +@all").split(QLatin1Char(' ')));
        ServerAddress address = server.socketAddress();
        address.user = user;
        address.password = "p";
        address.database = 3;
        Connection connection(address, {.speaksResp3 = true});
        QSignalSpy ready(&connection, &Connection::ready);
        QSignalSpy pushes(&connection, &Connection::pushReceived);
        connection.open();
        QVERIFY(ready.wait());
        QCOMPARE(connection.server().mode, "standalone");
        QCOMPARE(connection.server().runId.size(), 40);
        QVERIFY(waitFor(connection.send({"CLIENT", "INFO"}))->text.contains(" db=3 "));

        const Result<Reply> setting = waitFor(connection.send({"CONFIG", "GET", "databases"}));
        QVERIFY(setting && setting->isArray());
        QCOMPARE(setting->elements.size(), size_t(2));
        QCOMPARE(setting->elements[1].text, "16");
        QVERIFY(waitFor(connection.send({"ZADD", "z", "1.5", "m"})));
        const Result<Reply> score = waitFor(connection.send({"ZSCORE", "z", "m"}));
        QVERIFY(score && score->isText());
        QCOMPARE(score->text, "1.5");
        QVERIFY(waitFor(connection.send({"GET", "none"}))->isNil());
        QVERIFY(waitFor(connection.send({"SMEMBERS", "none"}))->isArray());
        QCOMPARE(waitFor(connection.send({"LPUSH", "z", "x"})).error().kind, ErrorKind::WrongType);

        // A subscription is answered, and leaves room for other commands.
        CommandBatch batch;
        batch.add({"SUBSCRIBE", "a"});
        batch.add({"PING"});
        batch.add({"PSUBSCRIBE", "b*"});
        batch.add({"PUBLISH", "a", "1"});
        batch.add({"ECHO", "e"});
        const auto replies = waitFor(connection.send(batch));
        QVERIFY(replies);
        QVERIFY((*replies)[0].isArray());
        QCOMPARE((*replies)[0].elements[0].text, "subscribe");
        QCOMPARE((*replies)[1].text, "PONG");
        QCOMPARE((*replies)[2].elements[0].text, "psubscribe");
        QCOMPARE((*replies)[4].text, "e");
        QTRY_COMPARE(pushes.size(), 1);
        const auto message = pushes[0][0].value<Reply>();
        QVERIFY(message.isPush());
        QCOMPARE(message.elements[2].text, "1");
    }

    void pushesComeBetweenReplies_data()
    {
        QTest::addColumn<int>("chunk");
        QTest::newRow("at once") << 0;
        QTest::newRow("byte by byte") << 1;
    }

    /// Whatever comes in between, each command gets its own reply, and an array that looks like a message is one of them.
    void pushesComeBetweenReplies()
    {
        QFETCH(int, chunk);
        FakePeer peer;
        peer.on("HELLO", "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n");
        const QByteArray push = ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n";
        peer.on("GET", {push + "$1\r\n1\r\n" + push + push, chunk});
        peer.on("LRANGE", {push + "|1\r\n+a\r\n:1\r\n*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nx\r\n", chunk});
        peer.on("DEL", {push + ":1\r\n>1\r\n+other\r\n", chunk});
        Connection connection(peer.address(), {.acceptsPush = true, .speaksResp3 = true});
        QSignalSpy ready(&connection, &Connection::ready);
        QSignalSpy lost(&connection, &Connection::connectionLost);
        QByteArrayList pushes;
        connect(&connection, &Connection::pushReceived, this,
                [&](const Reply &reply) { pushes << reply.elements[0].text; });
        connection.open();
        QVERIFY(ready.wait());
        const int rounds = chunk > 0 ? 1 : 20;
        CommandBatch batch;
        for (int i = 0; i < rounds; ++i) {
            batch.add({"GET", "k"});
            batch.add({"LRANGE", "k", "0", "-1"});
            batch.add({"DEL", "k"});
        }
        const auto replies = waitFor(connection.send(batch));
        QVERIFY(replies);
        for (size_t i = 0; i < replies->size(); i += 3) {
            QCOMPARE((*replies)[i].text, "1");
            QVERIFY((*replies)[i + 1].isArray());
            QCOMPARE((*replies)[i + 1].elements[0].text, "message");
            QCOMPARE((*replies)[i + 2].integer, 1);
        }
        QTRY_COMPARE(pushes.size(), rounds * 6);
        QCOMPARE(pushes.count("other"), rounds);
        peer.push(push.constData()); // with nothing asked
        QTRY_COMPARE(pushes.size(), rounds * 6 + 1);
        QCOMPARE(lost.size(), 0);
    }

    void resp3Refused_data()
    {
        QTest::addColumn<QByteArray>("hello");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("unknown") << QByteArray("-ERR unknown command 'HELLO'\r\n")
                                 << QByteArray("unknown command");
        QTest::newRow("not this version")
            << QByteArray("-NOPROTO unsupported protocol version\r\n") << QByteArray("NOPROTO");
        QTest::newRow("no permission") << QByteArray("-NOPERM no hello\r\n") << QByteArray("NOPERM");
        QTest::newRow("another answer") << QByteArray("+OK\r\n") << QByteArray("OK");
        QTest::newRow("RESP2 after all")
            << QByteArray("*4\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:2\r\n")
            << QByteArray("refused the login");
        QTest::newRow("no version") << QByteArray("%0\r\n") << QByteArray("refused the login");
    }

    /// Trying again would not help; what was asked for would not come.
    void resp3Refused()
    {
        QFETCH(QByteArray, hello);
        QFETCH(QByteArray, reason);
        FakePeer peer;
        peer.on("HELLO", hello);
        Connection connection(peer.address(), {.speaksResp3 = true});
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QVERIFY(refused.wait());
        QCOMPARE(connection.state(), Connection::State::Refused);
        QVERIFY2(connection.lastError().text().contains(reason), connection.lastError().text().constData());
        Connection plain(peer.address());
        QSignalSpy ready(&plain, &Connection::ready);
        plain.open();
        QVERIFY(ready.wait());
        QCOMPARE(peer.commands("HELLO"), (QList<QByteArrayList>{{"HELLO", "3"}}));
    }
};

QTEST_GUILESS_MAIN(TestConnectionResp3)
#include "tst_connectionresp3.moc"

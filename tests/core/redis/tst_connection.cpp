// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/connection.h"

#include "tests/support/fakepeer.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

QByteArray text(const Result<Reply> &reply)
{
    return reply ? reply->text
                 : "error " + QByteArray::number(int(reply.error().kind)) + ' ' + reply.error().text();
}

Connection::Options quick()
{
    return {.connectDeadline = 500ms, .commandDeadline = 300ms};
}

} // namespace

class TestConnection : public QObject
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
        QFETCH(bool, tcp);
        RedisServer server;
        ServerAddress address = tcp ? server.tcpAddress() : server.socketAddress();
        address.database = 3;
        Connection connection(address);
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        QVERIFY(connection.server().major >= RedisServer::majorVersion());
        QCOMPARE(connection.server().mode, "standalone");
        QCOMPARE(connection.server().role, "master");
        QCOMPARE(connection.server().runId.size(), 40);

        const QByteArray key("k\r\n\xff", 4);
        QCOMPARE(text(waitFor(connection.send({"SET", key, "v"}))), "OK");
        QCOMPARE(server.cli({"-n", "3", "GET", key}), "v");
        QVERIFY(server.cli({"CLIENT", "LIST"}).contains("name=lockscope"));

        CommandBatch batch;
        for (int i = 0; i < 1000; ++i)
            batch.add({"ECHO", QByteArray::number(i)});
        const auto replies = waitFor(connection.send(batch));
        QVERIFY(replies.has_value());
        QCOMPARE(replies->size(), size_t(1000));
        for (size_t i = 0; i < 1000; ++i)
            QCOMPARE((*replies)[i].text, QByteArray::number(qulonglong(i)));
        QCOMPARE(waitFor(connection.send({"LPUSH", key, "x"})).error().kind, ErrorKind::WrongType);
    }

    void logsIn_data()
    {
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<QByteArray>("password");
        QTest::addColumn<int>("database");
        QTest::addColumn<int>("expected"); // an ErrorKind, or -1 for ready
        QTest::newRow("default user") << QByteArray() << QByteArray("canary") << 0 << -1;
        QTest::newRow("named user") << QByteArray("mo") << QByteArray("p@ss:w/rd%") << 0 << -1;
        QTest::newRow("wrong password")
            << QByteArray() << QByteArray("nope") << 0 << int(ErrorKind::WrongPassword);
        QTest::newRow("unknown user")
            << QByteArray("zed") << QByteArray("nope") << 0 << int(ErrorKind::WrongPassword);
        QTest::newRow("no password") << QByteArray() << QByteArray() << 0 << int(ErrorKind::AuthRequired);
        QTest::newRow("no such database")
            << QByteArray() << QByteArray("canary") << 99 << int(ErrorKind::InvalidArgument);
        QTest::newRow("may nothing else") << QByteArray("bare") << QByteArray("b") << 0 << -1;
    }

    void logsIn()
    {
        QFETCH(QByteArray, user);
        QFETCH(QByteArray, password);
        QFETCH(int, database);
        QFETCH(int, expected);
        RedisServer server({QStringLiteral("--requirepass"), QStringLiteral("canary"),
                            QStringLiteral("--user"), QStringLiteral("mo"), QStringLiteral("on"),
                            QStringLiteral(">p@ss:w/rd%"), QStringLiteral("~*"), QStringLiteral("+@all"),
                            QStringLiteral("--user"), QStringLiteral("bare"), QStringLiteral("on"),
                            QStringLiteral(">b"), QStringLiteral("resetchannels"), QStringLiteral("-@all")});
        ServerAddress address = server.socketAddress();
        address.user = user;
        address.password = password;
        address.database = database;
        Connection connection(address);
        QSignalSpy ready(&connection, &Connection::ready);
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        QSignalSpy lost(&connection, &Connection::connectionLost);
        connection.open();
        QTRY_COMPARE(ready.size() + refused.size(), 1);
        if (expected < 0) {
            QCOMPARE(connection.state(), Connection::State::Ready);
        } else {
            QCOMPARE(int(connection.lastError().kind), expected);
            QCOMPARE(connection.state(), Connection::State::Refused);
            QCOMPARE(lost.size(), 0); // and no retry loop
            QVERIFY(!connection.lastError().text().contains("canary"));
        }
    }

    /// Whoever names a user is that user or nobody, never the default one.
    void aUserWithoutAPassword_data()
    {
        QTest::addColumn<QByteArray>("user");
        QTest::addColumn<bool>("isIn");
        QTest::newRow("has none") << QByteArray("open") << true;
        QTest::newRow("has one") << QByteArray("mo") << false;
    }
    void aUserWithoutAPassword()
    {
        QFETCH(QByteArray, user);
        QFETCH(bool, isIn);
        const RedisServer server({QStringLiteral("--user"), QStringLiteral("open"), QStringLiteral("on"),
                                  QStringLiteral("nopass"), QStringLiteral("~*"), QStringLiteral("+@all"),
                                  QStringLiteral("--user"), QStringLiteral("mo"), QStringLiteral("on"),
                                  QStringLiteral(">secret"), QStringLiteral("~*"), QStringLiteral("+@all")});
        ServerAddress address = server.socketAddress();
        address.user = user;
        Connection connection(address);
        connection.open();
        QTRY_VERIFY(connection.state() == Connection::State::Ready ||
                    connection.state() == Connection::State::Refused);
        QCOMPARE(connection.state() == Connection::State::Ready, isIn);
        if (isIn)
            QVERIFY(server.cli({"CLIENT", "LIST"}).contains("user=open"));
        else
            QCOMPARE(connection.lastError().kind, ErrorKind::WrongPassword);
    }

    void whatCannotBeHadIsNamed_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no such database") << QStringList() << QByteArray("has no database 99");
        QTest::newRow("a cluster has one")
            << QStringList{QStringLiteral("--cluster-enabled"), QStringLiteral("yes")}
            << QByteArray("cluster has no database 99");
    }
    void whatCannotBeHadIsNamed()
    {
        QFETCH(QStringList, settings);
        QFETCH(QByteArray, says);
        const RedisServer server(settings);
        ServerAddress address = server.socketAddress();
        address.database = 99;
        Connection connection(address);
        connection.open();
        QTRY_COMPARE(connection.state(), Connection::State::Refused);
        QCOMPARE(connection.lastError().kind, ErrorKind::InvalidArgument);
        QVERIFY2(connection.lastError().text().contains(says), connection.lastError().text().constData());
    }

    /// Clusters of Valkey 9 may have several databases, and their servers say which. None is packaged: a peer plays it.
    void aClustersDatabases_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QByteArray>("says"); // empty: it is in
        QTest::newRow("it has it") << QByteArray("+OK\r\n") << QByteArray();
        QTest::newRow("it has fewer")
            << QByteArray("-ERR DB index is out of range\r\n") << QByteArray("cluster has no database 3");
    }
    void aClustersDatabases()
    {
        QFETCH(const QByteArray, answer);
        QFETCH(const QByteArray, says);
        FakePeer peer;
        peer.setServer("9.0.0", "cluster");
        peer.on("SELECT", answer);
        ServerAddress address = peer.address();
        address.database = 3;
        Connection connection(address);
        connection.open();
        QTRY_COMPARE(connection.state(),
                     says.isEmpty() ? Connection::State::Ready : Connection::State::Refused);
        QCOMPARE(peer.commands("SELECT"), (QList<QByteArrayList>{{"SELECT", "3"}}));
        QVERIFY2(connection.lastError().text().contains(says), connection.lastError().text().constData());
    }

    void aSentinelIsNamed()
    {
        const QTemporaryDir directory;
        ServerAddress address;
        address.transport = ServerAddress::Transport::Unix;
        address.socketPath = directory.filePath(QStringLiteral("s"));
        QFile configuration(directory.filePath(QStringLiteral("conf")));
        QVERIFY(configuration.open(QIODevice::WriteOnly));
        configuration.write("port 0\nunixsocket " + QFile::encodeName(address.socketPath) + "\ndir " +
                            QFile::encodeName(directory.path()) + '\n');
        configuration.close();
        QProcess sentinel;
        sentinel.start(QStringLiteral("redis-server"),
                       {configuration.fileName(), QStringLiteral("--sentinel")});
        QVERIFY(sentinel.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(address.socketPath), 15'000);
        for (const int database : {0, 3}) {
            address.database = database;
            Connection connection(address);
            connection.open();
            QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Connection::State::Refused, 15'000);
            QVERIFY2(connection.lastError().text().contains("Redis Sentinel"),
                     connection.lastError().text().constData());
        }
        sentinel.kill();
        QVERIFY(sentinel.waitForFinished());
    }

    void saysWhyItCannotConnect_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<int>("expected");
        QTest::newRow("unknown host")
            << QStringLiteral("redis://nowhere.invalid") << int(ErrorKind::HostNotFound);
        QTest::newRow("no socket") << QStringLiteral("/nowhere/redis.sock") << int(ErrorKind::NoSuchSocket);
    }

    void saysWhyItCannotConnect()
    {
        QFETCH(QString, address);
        QFETCH(int, expected);
        Connection connection(*ServerAddress::parse(address));
        QSignalSpy lost(&connection, &Connection::connectionLost);
        connection.open();
        QVERIFY(lost.wait());
        QCOMPARE(int(lost.first().first().value<Error>().kind), expected);
        QCOMPARE(connection.state(), Connection::State::Backoff);
    }

    void comesBackAfterARefusedPort()
    {
        FakePeer peer;
        peer.stop();
        Connection connection(peer.address());
        QSignalSpy lost(&connection, &Connection::connectionLost);
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(lost.wait());
        QCOMPARE(lost.first().first().value<Error>().kind, ErrorKind::ConnectionRefused);
        QVERIFY(lost.first().at(1).value<std::chrono::milliseconds>() <= 5s);
        peer.start();
        QVERIFY(ready.wait(10'000));
    }

    void refusesAPeerThatIsNoRedis_data()
    {
        QTest::addColumn<QByteArray>("greeting");
        QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
        QTest::newRow("SSH") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n");
        QTest::newRow("endless line") << '+' + QByteArray(100'000, 'x');
    }

    void refusesAPeerThatIsNoRedis()
    {
        QFETCH(QByteArray, greeting);
        FakePeer peer;
        peer.onConnect(FakePeer::Answer(greeting));
        Connection connection(peer.address());
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QVERIFY(refused.wait());
        QCOMPARE(connection.lastError().kind, ErrorKind::ProtocolError);
        QCOMPARE(peer.accepted(), 1);
    }

    void waitsLongerWhereTheServerIsFull()
    {
        FakePeer peer;
        peer.onConnect(FakePeer::Answer("-ERR max number of clients reached\r\n").close());
        Connection connection(peer.address());
        QSignalSpy lost(&connection, &Connection::connectionLost);
        connection.open();
        QVERIFY(lost.wait());
        QCOMPARE(connection.lastError().kind, ErrorKind::TooManyClients);
        QVERIFY(lost.first().at(1).value<std::chrono::milliseconds>() >= 1s);
        QVERIFY(lost.first().at(1).value<std::chrono::milliseconds>() < 2s);
    }

    /// However often it failed, a server that has not been gone for long is tried again within two seconds.
    void triesAgainSoonAtFirst()
    {
        FakePeer peer;
        Connection connection(peer.address());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        QList<std::chrono::milliseconds> delays;
        connect(&connection, &Connection::connectionLost, this,
                [&](const Error &, std::chrono::milliseconds retryIn) { delays << retryIn; });
        peer.stop();
        for (int tries = 1; tries <= 25; ++tries) {
            QTRY_VERIFY(delays.size() >= tries); // more, where its own timer was faster
            QVERIFY(delays.last() < 2s);
            connection.retryNow();
        }
    }

    void givesUpOnSilence()
    {
        FakePeer peer;
        peer.on("INFO", FakePeer::Answer().hold());
        Connection connection(peer.address(), quick());
        QSignalSpy lost(&connection, &Connection::connectionLost);
        connection.open();
        QVERIFY(lost.wait());
        QCOMPARE(connection.lastError().kind, ErrorKind::ConnectTimeout);
    }

    /// What was written and not answered is unknown, whatever cut it; it is never sent again.
    void endsPendingCommandsAsUnknown_data()
    {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<int>("cut"); // 0 silence, 1 close, 2 reset, 3 as it is
        for (int length = 0; length < 8; ++length) {
            const QByteArray part = QByteArray("$2\r\nok\r\n").first(length);
            QTest::addRow("silence after %d bytes", length) << part << 0;
            QTest::addRow("closed after %d bytes", length) << part << 1;
            QTest::addRow("reset after %d bytes", length) << part << 2;
        }
        QTest::newRow("garbage") << QByteArray("$2\r\nokXX") << 3;
        QTest::newRow("RESP3") << QByteArray("%1\r\n") << 3;
        QTest::newRow("a push of RESP3") << QByteArray(">1\r\n+a\r\n") << 3;
        QTest::newRow("endless bulk") << QByteArray("$1000000000000\r\n") << 3;
    }

    void endsPendingCommandsAsUnknown()
    {
        QFETCH(QByteArray, reply);
        QFETCH(int, cut);
        FakePeer peer;
        FakePeer::Answer answer(reply);
        if (cut == 0)
            answer.hold();
        else if (cut == 1)
            answer.close();
        else if (cut == 2)
            answer.reset();
        peer.once("EVALSHA", answer);
        Connection connection(peer.address(), quick());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        auto first = connection.send({"EVALSHA", "x", "0"});
        auto second = connection.send({"PING"});
        QCOMPARE(waitFor(first).error().kind, ErrorKind::OutcomeUnknown);
        QCOMPARE(waitFor(second).error().kind, ErrorKind::OutcomeUnknown);
        QVERIFY(ready.wait(10'000)); // it comes back by itself
        QCOMPARE(text(waitFor(connection.send({"PING"}))), "PONG");
        QCOMPARE(peer.commands("EVALSHA").size(), 1);
    }

    void closesOnAReplyThatNobodyAskedFor()
    {
        FakePeer peer;
        Connection connection(peer.address());
        QSignalSpy ready(&connection, &Connection::ready);
        QSignalSpy lost(&connection, &Connection::connectionLost);
        connection.open();
        QVERIFY(ready.wait());
        peer.push("+surprise\r\n");
        QVERIFY(lost.wait());
        QCOMPARE(connection.lastError().kind, ErrorKind::ProtocolError);
    }

    void takesRepliesInAnyPieces()
    {
        FakePeer peer;
        peer.on("GET", {"*2\r\n$3\r\nabc\r\n:5\r\n", 1});
        Connection connection(peer.address());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        const auto reply = waitFor(connection.send({"GET", "k"}));
        QVERIFY(reply.has_value());
        QCOMPARE(reply->elements.size(), size_t(2));
    }

    /// Many on their way at once: each future gets the replies to its own commands.
    void repliesGoToTheirOwnCommands()
    {
        RedisServer server;
        Connection connection(server.socketAddress());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        QList<QFuture<Result<std::vector<Reply>>>> futures;
        for (int i = 0; i < 20; ++i) {
            CommandBatch batch;
            for (int j = 0; j <= i % 3; ++j)
                batch.add({"ECHO", QByteArray::number(10 * i + j)});
            futures << connection.send(batch);
        }
        for (int i = 0; i < 20; ++i) {
            const auto replies = waitFor(futures[i]);
            QVERIFY(replies);
            QCOMPARE(replies->size(), size_t(i % 3 + 1));
            for (int j = 0; j <= i % 3; ++j)
                QCOMPARE((*replies)[size_t(j)].text, QByteArray::number(10 * i + j));
        }
    }

    void sendsNothingWhileNotConnected()
    {
        FakePeer peer;
        Connection connection(peer.address());
        QCOMPARE(waitFor(connection.send({"DEL", "k"})).error().kind, ErrorKind::NotConnected);
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        QVERIFY(peer.commands("DEL").isEmpty());
    }

    void readOnlyModeHoldsOnTheWire()
    {
        FakePeer peer;
        Connection connection(peer.address(), {.readOnly = true});
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        for (const QByteArrayView command :
             {"DEL", "EVAL", "EVALSHA", "SET", "CONFIG", "CLIENT", "PEXPIRE", "FLUSHALL"})
            QCOMPARE(waitFor(connection.send({command, "k", "0"})).error().kind, ErrorKind::ReadOnlyMode);
        CommandBatch mixed{"PTTL", "k"};
        mixed.add({"DEL", "k"});
        QCOMPARE(waitFor(connection.send(mixed)).error().kind, ErrorKind::ReadOnlyMode);
        QCOMPARE(text(waitFor(connection.send({"PING"}))), "PONG");
        for (const QByteArrayList &command : peer.commands()) {
            const QByteArray name = command.first().toUpper();
            QVERIFY2(name == "CLIENT" || name == "INFO" || name == "PING", name.constData());
        }
    }

    void finishesEveryFutureWhenDestroyed()
    {
        FakePeer peer;
        peer.on("BLPOP", FakePeer::Answer().hold());
        auto connection = std::make_unique<Connection>(peer.address());
        QSignalSpy ready(connection.get(), &Connection::ready);
        connection->open();
        QVERIFY(ready.wait());
        auto pending = connection->send({"BLPOP", "k", "0"});
        QTRY_COMPARE(peer.commands("BLPOP").size(), 1);
        // The answer's receiver may be what destroys the connection.
        bool destroyed = false;
        auto chained = pending.then(this, [&](const Result<Reply> &reply) {
            destroyed = !reply && reply.error().kind == ErrorKind::OutcomeUnknown;
        });
        connection.reset();
        QVERIFY(chained.isFinished());
        QVERIFY(destroyed);
    }

    void mayBeDestroyedByAReply()
    {
        RedisServer server;
        auto connection = std::make_unique<Connection>(server.socketAddress());
        QSignalSpy ready(connection.get(), &Connection::ready);
        connection->open();
        QVERIFY(ready.wait());
        bool done = false;
        connection->send({"PING"}).then(this, [&](const Result<Reply> &) {
            connection.reset();
            done = true;
        });
        QTRY_VERIFY(done);
    }
};

QTEST_GUILESS_MAIN(TestConnection)
#include "tst_connection.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"

#include "tests/support/fakepeer.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QDirIterator>
#include <QFile>
#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;

namespace {

ServerInfo serverOf(int major, const QByteArray &name = "redis")
{
    ServerInfo server;
    server.name = name;
    server.major = major;
    return server;
}

/// "+", or the kind and text of the error.
QByteArray summary(const Result<Reply> &reply)
{
    if (reply)
        return reply->isInteger() ? ':' + QByteArray::number(reply->integer) : '+' + reply->text;
    return QByteArray::number(static_cast<int>(reply.error().kind)) + ' ' + reply.error().text();
}

} // namespace

class TestScript : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyScriptIsCompiledIn_data()
    {
        QTest::addColumn<QByteArray>("path");
        const QString folder = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua/");
        QDirIterator files(folder, {QStringLiteral("*.lua")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QByteArray path = files.next().sliced(folder.size()).toUtf8();
            if (!path.startsWith("parts/"))
                QTest::newRow(path) << path;
        }
    }

    void everyScriptIsCompiledIn()
    {
        QFETCH(const QByteArray, path);
        QFile file(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua/") + QString::fromUtf8(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        const QByteArrayList lines = text.split('\n');
        // What frees a lock must work where memory is short; the referee's script has a server of its own.
        const bool frees = !path.endsWith("/acquire.lua") && !path.startsWith("referee/");
        QCOMPARE(lines[0], frees ? "#!lua flags=allow-oom" : "#!lua");
        QCOMPARE(lines[1], "-- Generated from lua/parts/" + path + ": edit that.");
        QVERIFY(lines[2].startsWith("-- KEYS: "));
        QVERIFY(lines[3].startsWith("-- ARGV: "));
        QVERIFY(lines[4].startsWith("-- Returns: "));

        const Script script(path);
        QCOMPARE(script.textFor(serverOf(7)), text);
        QCOMPARE(script.textFor(serverOf(8)), text);
        const QByteArray plain = text.sliced(lines[0].size());
        QCOMPARE(script.textFor(serverOf(6)), plain);
        QCOMPARE(script.textFor(serverOf(0)), plain);

        // The server's own opinion of the two digests; both forms compile there.
        RedisServer server;
        if (RedisServer::majorVersion() >= 7) // an older one takes the plain form alone
            QCOMPARE(server.cli({"-x", "SCRIPT", "LOAD"}, text), script.sha1For(serverOf(7)));
        QCOMPARE(server.cli({"-x", "SCRIPT", "LOAD"}, plain), script.sha1For(serverOf(6)));
    }

    void textIsSentOnce()
    {
        RedisServer server;
        Connection connection(server.socketAddress());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        const Script script("reentrant/acquire.lua");
        const QByteArray key("l\r\n\xff");
        QCOMPARE(summary(waitFor(script.run(connection, {key}, {"a", "30"}))), ":1");
        QCOMPARE(summary(waitFor(script.run(connection, {key}, {"a", "30"}))), ":1");
        QCOMPARE(summary(waitFor(script.run(connection, {key}, {"b", "30"}))), ":0");
        QCOMPARE(server.cli({"HGET", key, "a"}), "2");
        const QByteArray counted = server.cli({"INFO", "commandstats"});
        QVERIFY(counted.contains("cmdstat_eval:calls=1,"));
        QVERIFY(counted.contains("cmdstat_evalsha:calls=3,"));
    }

    void onTheWire_data()
    {
        QTest::addColumn<QByteArray>("version");
        QTest::newRow("7.0") << QByteArray("7.0.15");
        QTest::newRow("7.4") << QByteArray("7.4.1");
        QTest::newRow("6.2") << QByteArray("6.2.14");
        QTest::newRow("not known") << QByteArray();
    }

    void onTheWire()
    {
        QFETCH(const QByteArray, version);
        FakePeer peer;
        peer.setServer(version);
        peer.once("EVALSHA", "-NOSCRIPT No matching script. Please use EVAL.\r\n");
        peer.on("EVALSHA", ":0\r\n");
        peer.on("EVAL", ":1\r\n");
        Connection connection(peer.address());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        const Script script("token/force-expire.lua");
        QCOMPARE(summary(waitFor(script.run(connection, {"k", ""}, {"", "t", "named"}))), ":1");
        QCOMPARE(summary(waitFor(script.run(connection, {"k"}, {}))), ":0");

        const ServerInfo server = serverOf(version.startsWith('7') ? 7 : 0);
        QCOMPARE(peer.commands("EVALSHA"),
                 (QList<QByteArrayList>{{"EVALSHA", script.sha1For(server), "2", "k", "", "", "t", "named"},
                                        {"EVALSHA", script.sha1For(server), "1", "k"}}));
        QCOMPARE(peer.commands("EVAL"),
                 (QList<QByteArrayList>{{"EVAL", script.textFor(server), "2", "k", "", "", "t", "named"}}));
    }

    /// They call themselves compatible with Redis 7, and refuse its first line.
    void otherServersTakeNoFlags()
    {
        const Script script("token/force-expire.lua");
        for (const char *name : {"dragonfly", "garnet", "kvrocks"}) {
            QCOMPARE(script.textFor(serverOf(7, name)), script.textFor(serverOf(6)));
            QCOMPARE(script.sha1For(serverOf(7, name)), script.sha1For(serverOf(6)));
        }
        QVERIFY(script.textFor(serverOf(7, "valkey")).startsWith("#!lua"));
    }

    /// Whatever else goes wrong, the script is not sent a second time.
    void neverAgainAfterAnythingElse_data()
    {
        QTest::addColumn<FakePeer::Answer>("answer");
        QTest::addColumn<ErrorKind>("kind");
        QTest::newRow("error reply") << FakePeer::Answer("-OOM command not allowed\r\n")
                                     << ErrorKind::OutOfMemory;
        QTest::newRow("no permission") << FakePeer::Answer("-NOPERM no\r\n") << ErrorKind::NoPermission;
        QTest::newRow("closed") << FakePeer::Answer().close() << ErrorKind::OutcomeUnknown;
        QTest::newRow("reset in the reply")
            << FakePeer::Answer("-NOSCR").reset() << ErrorKind::OutcomeUnknown;
        QTest::newRow("garbage") << FakePeer::Answer("NOSCRIPT\r\n") << ErrorKind::OutcomeUnknown;
        QTest::newRow("silence") << FakePeer::Answer().hold() << ErrorKind::OutcomeUnknown;
    }

    void neverAgainAfterAnythingElse()
    {
        QFETCH(const FakePeer::Answer, answer);
        QFETCH(const ErrorKind, kind);
        FakePeer peer;
        peer.on("EVALSHA", answer);
        Connection connection(peer.address(), {.commandDeadline = std::chrono::milliseconds(200)});
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        const Result<Reply> reply =
            waitFor(Script("reentrant/acquire.lua").run(connection, {"k"}, {"a", "30"}));
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, kind);
        // A new login, or an answered command, is the proof that nothing more was on its way.
        QTRY_COMPARE(connection.state(), Connection::State::Ready);
        QCOMPARE(summary(waitFor(connection.send({"PING"}))), "+PONG");
        QCOMPARE(peer.commands("EVALSHA").size(), 1);
        QCOMPARE(peer.commands("EVAL").size(), 0);
    }

    /// The text may get lost too: then the outcome is unknown, and it ends there.
    void lostText()
    {
        FakePeer peer;
        peer.on("EVALSHA", "-NOSCRIPT No matching script.\r\n");
        peer.on("EVAL", FakePeer::Answer().reset());
        Connection connection(peer.address());
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait());
        const Result<Reply> reply =
            waitFor(Script("reentrant/acquire.lua").run(connection, {"k"}, {"a", "30"}));
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, ErrorKind::OutcomeUnknown);
        QTRY_COMPARE(connection.state(), Connection::State::Ready);
        QCOMPARE(summary(waitFor(connection.send({"PING"}))), "+PONG");
        QCOMPARE(peer.commands("EVAL").size(), 1);
    }

    void connectionGoneFirst()
    {
        FakePeer peer;
        peer.on("EVALSHA", FakePeer::Answer().hold());
        auto connection = std::make_unique<Connection>(peer.address());
        QSignalSpy ready(connection.get(), &Connection::ready);
        connection->open();
        QVERIFY(ready.wait());
        const QFuture<Result<Reply>> future =
            Script("reentrant/acquire.lua").run(*connection, {"k"}, {"a", "30"});
        connection.reset();
        QVERIFY(future.isFinished());
        QCOMPARE(future.result().error().kind, ErrorKind::OutcomeUnknown);
    }

    void refusedUnsent_data()
    {
        QTest::addColumn<bool>("readOnly");
        QTest::addColumn<ErrorKind>("kind");
        QTest::newRow("read-only") << true << ErrorKind::ReadOnlyMode;
        QTest::newRow("not connected") << false << ErrorKind::NotConnected;
    }

    void refusedUnsent()
    {
        QFETCH(const bool, readOnly);
        QFETCH(const ErrorKind, kind);
        FakePeer peer;
        Connection connection(peer.address(), {.readOnly = readOnly});
        if (readOnly) {
            QSignalSpy ready(&connection, &Connection::ready);
            connection.open();
            QVERIFY(ready.wait());
        }
        const QFuture<Result<Reply>> future = Script("token/acquire.lua").run(connection, {"k"}, {"a", "30"});
        QVERIFY(future.isFinished());
        QCOMPARE(future.result().error().kind, kind);
        QCOMPARE(peer.commands("EVALSHA").size(), 0);
        QCOMPARE(peer.commands("EVAL").size(), 0);
    }
};

QTEST_GUILESS_MAIN(TestScript)
#include "tst_script.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/clientfinder.h"

#include "core/read/inspector.h"
#include "tests/support/fakepeer.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestWhoIsIt : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void takesLinesApart_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<QByteArrayList>("arguments");
        QTest::newRow("plain") << QByteArray("1.5 [0 127.0.0.1:50000] \"get\" \"k\"")
                               << QByteArray("127.0.0.1:50000") << QByteArrayList{"get", "k"};
        QTest::newRow("socket") << QByteArray("1.5 [3 unix:/tmp/a b.sock] \"ping\"")
                                << QByteArray("unix:/tmp/a b.sock") << QByteArrayList{"ping"};
        QTest::newRow("odd bytes") << QByteArray(
                                          "1.5 [0 [::1]:5] \"set\" \"a\\\"b\\\\c\" \"\\xff\\r\\n\\t\" \"\"")
                                   << QByteArray("[::1]:5")
                                   << QByteArrayList{"set", "a\"b\\c", "\xff\r\n\t", ""};
        QTest::newRow("cut") << QByteArray("1.5 [0 a:1] \"set\" \"k") << QByteArray("a:1")
                             << QByteArrayList{"set", "k"};
        QTest::newRow("no line") << QByteArray("OK") << QByteArray() << QByteArrayList{};
    }

    void takesLinesApart()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, address);
        QFETCH(QByteArrayList, arguments);
        const auto seen = parseObservation(line);
        QCOMPARE(seen.has_value(), !arguments.isEmpty());
        if (!seen)
            return;
        QCOMPARE(seen->address, address);
        QCOMPARE(seen->arguments, arguments);
    }

    /// A holder that renews, another that tries, and a third with secrets that are nobody's business.
    void findsWhoRenewsAndWhoTries()
    {
        RedisServer server;
        const QByteArray owner = "7c9e6679-7425-40de-944b-e07fc1f90ae7:12";
        server.cli({"HSET", "order:77", owner, "1"});
        server.cli({"PEXPIRE", "order:77", "60000"});
        Connection holder(server.tcpAddress(), {.clientName = "order-service-3"});
        Connection rival(server.tcpAddress(), {.clientName = "order-service-4"});
        for (Connection *each : {&holder, &rival}) {
            QSignalSpy ready(each, &Connection::ready);
            each->open();
            QVERIFY(ready.wait());
        }
        const auto inspection = waitFor(inspector::inspect(holder, LockKey("order:77")));
        QVERIFY(inspection && inspection->lock);
        ClientFinder who(server.tcpAddress(), *inspection->lock, 600ms);
        QSignalSpy ended(&who, &ClientFinder::ended);
        who.start();
        QTimer work;
        connect(&work, &QTimer::timeout, this, [&] {
            const QByteArray script = "return redis.call('hexists', KEYS[1], ARGV[2])";
            holder.send({"EVAL", script, "1", "order:77", "30000", owner});
            rival.send({"SET", "other", "a secret", "PX", "1000"});
            rival.send({"SET", "order:77", "my-token", "NX", "PX", "1000"});
        });
        work.start(50ms);
        QVERIFY(ended.wait(5'000));
        const auto end = ended.first().first().value<ClientFinderResult>();
        QVERIFY(!end.error && !end.isCutShort && end.commands > 3);
        QVERIFY(end.looked >= 500ms);
        QCOMPARE(end.sightings.size(), 2);
        QCOMPARE(end.sightings[0].id.bytes, owner);
        QCOMPARE(end.sightings[0].name, "order-service-3");
        QVERIFY(end.sightings[0].use == ClientUse::Held && end.sightings[0].times > 1);
        QVERIFY(end.sightings[0].address.startsWith("127.0.0.1:"));
        QCOMPARE(end.sightings[1].id.bytes, "my-token");
        QCOMPARE(end.sightings[1].name, "order-service-4");
        QVERIFY(end.sightings[1].use == ClientUse::Tried);
        QTRY_VERIFY(!server.cli({"CLIENT", "LIST"}).contains("lockscope-who"));
    }

    /// Those who want to write name themselves with a mode behind their id.
    void findsWritersWhoWait()
    {
        RedisServer server;
        const QByteArray reader = "7c9e6679-7425-40de-944b-e07fc1f90ae7:12";
        const QByteArray writer = "0b6c1f2e-9d7e-4c55-8a43-77b0c1de0a64:3";
        server.cli({"HSET", "order:77", "mode", "read", reader, "1"});
        server.cli({"PEXPIRE", "order:77", "60000"});
        server.cli({"SET", "{order:77}:" + reader + ":rwlock_timeout:1", "1", "PX", "60000"});
        Connection rival(server.tcpAddress(), {.clientName = "order-service-4"});
        QSignalSpy ready(&rival, &Connection::ready);
        rival.open();
        QVERIFY(ready.wait());
        const auto inspection = waitFor(inspector::inspect(rival, LockKey("order:77")));
        QVERIFY(inspection && inspection->lock);
        ClientFinder who(server.tcpAddress(), *inspection->lock, 600ms);
        QSignalSpy ended(&who, &ClientFinder::ended);
        who.start();
        QTimer work;
        connect(&work, &QTimer::timeout, this, [&] {
            const QByteArray script = "return redis.call('hget', KEYS[1], 'mode')";
            rival.send({"EVAL", script, "1", "order:77", "30000", writer + ":write"});
        });
        work.start(50ms);
        QVERIFY(ended.wait(5'000));
        const auto end = ended.first().first().value<ClientFinderResult>();
        QCOMPARE(end.sightings.size(), 1);
        QCOMPARE(end.sightings[0].id.bytes, writer + ":write");
        QVERIFY(end.sightings[0].use == ClientUse::Tried);
    }

    /// They write what the holder wrote, and that proves nothing; a script whose arguments name nobody may do anything.
    void whoPollsHoldsNothing()
    {
        RedisServer server;
        server.cli({"SET", "lock:p", "1", "EX", "60"});
        std::array<std::unique_ptr<Connection>, 4> pollers;
        for (auto &poller : pollers) {
            poller =
                std::make_unique<Connection>(server.tcpAddress(), Connection::Options{.clientName = "p"});
            QSignalSpy ready(poller.get(), &Connection::ready);
            poller->open();
            QVERIFY(ready.wait());
        }
        const auto inspection = waitFor(inspector::inspect(*pollers[0], LockKey("lock:p")));
        QVERIFY(inspection && inspection->lock);
        ClientFinder who(server.tcpAddress(), *inspection->lock, 600ms);
        QSignalSpy ended(&who, &ClientFinder::ended);
        who.start();
        QTimer work;
        connect(&work, &QTimer::timeout, this, [&] {
            for (const size_t i : {size_t(0), size_t(1), size_t(2)}) {
                pollers[i]->send({"GET", "lock:p"});
                pollers[i]->send({"SETNX", "lock:p", "1"});
            }
            pollers[3]->send({"EVAL", "return redis.call('exists', KEYS[1])", "1", "lock:p", "1"});
        });
        work.start(50ms);
        QVERIFY(ended.wait(5'000));
        const auto end = ended.first().first().value<ClientFinderResult>();
        QCOMPARE(end.sightings.size(), 4);
        for (qsizetype i = 0; i < 3; ++i)
            QVERIFY(end.sightings[i].use == ClientUse::Tried && end.sightings[i].id.bytes == "1");
        QVERIFY(end.sightings[3].use == ClientUse::Used && end.sightings[3].id.isEmpty());
        QCOMPARE(end.sightings[3].commands, QByteArrayList{"EVAL"});
    }

    /// Commands that compare before they write (Redis 8.4, Valkey 8.1 and 9) name their holder. No server that is packaged
    /// knows all of them: a peer plays it.
    void comparingCommandsNameTheirHolder_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<ClientUse>("use");
        QTest::addColumn<QByteArray>("id");
        const auto row = [](const char *name, const char *command, ClientUse use, const char *id) {
            QTest::newRow(name) << QByteArray(command) << use << QByteArray(id);
        };
        row("release", R"("DELEX" "lock:k" "IFEQ" "mine-1")", ClientUse::Held, "mine-1");
        row("small letters", R"("delex" "lock:k" "ifeq" "mine-1")", ClientUse::Held, "mine-1");
        row("release, Valkey", R"("DELIFEQ" "lock:k" "mine-1")", ClientUse::Held, "mine-1");
        row("renewal", R"("SET" "lock:k" "mine-1" "IFEQ" "mine-1" "PX" "5000")", ClientUse::Held, "mine-1");
        row("handover", R"("SET" "lock:k" "other-2" "PX" "5000" "IFEQ" "mine-1")", ClientUse::Held, "mine-1");
        row("another's release", R"("DELEX" "lock:k" "IFEQ" "other-2")", ClientUse::Used, "other-2");
        row("another's renewal", R"("SET" "lock:k" "NX" "IFEQ" "other-2")", ClientUse::Used, "other-2");
        row("by digest", R"("DELEX" "lock:k" "IFDEQ" "00AA11BB22cc33dd")", ClientUse::Held, "mine-1");
        row("renewal by digest", R"("SET" "lock:k" "mine-1" "IFDEQ" "00aa11bb22cc33dd")", ClientUse::Held,
            "mine-1");
        row("another digest", R"("DELEX" "lock:k" "IFDEQ" "0123456789abcdef")", ClientUse::Used, "");
        row("unless it is", R"("SET" "lock:k" "other-2" "IFDNE" "00aa11bb22cc33dd")", ClientUse::Used, "");
        row("an attempt", R"("SET" "lock:k" "other-2" "NX" "PX" "5000")", ClientUse::Tried, "other-2");
    }
    void comparingCommandsNameTheirHolder()
    {
        QFETCH(const QByteArray, command);
        QFETCH(const ClientUse, use);
        QFETCH(const QByteArray, id);
        FakePeer peer;
        peer.setServer("8.4.0");
        const QByteArray client = "id=3 addr=127.0.0.1:5 name=job lib-name=redis-py lib-ver=5.0.1";
        peer.on("CLIENT LIST", '$' + QByteArray::number(client.size()) + "\r\n" + client + "\r\n");
        peer.on("DIGEST", "$16\r\n00aa11bb22cc33dd\r\n");
        peer.on("MONITOR", FakePeer::Answer("+OK\r\n").send("+1.5 [0 127.0.0.1:5] " + command + "\r\n"));
        Lock lock;
        lock.address.key = LockKey("lock:k");
        lock.family = "token"_family;
        lock.type = KeyType::String;
        lock.owners = {{OwnerId("mine-1"), {}, 1}};
        ClientFinder who(peer.address(), lock, 100ms);
        QSignalSpy ended(&who, &ClientFinder::ended);
        who.start();
        QVERIFY(ended.wait(5'000));
        const auto end = ended.first().first().value<ClientFinderResult>();
        QVERIFY(!end.error);
        QCOMPARE(end.sightings.size(), 1);
        QCOMPARE(end.sightings[0].use, use);
        QCOMPARE(end.sightings[0].id.bytes, id);
        QCOMPARE(end.sightings[0].name, QByteArray("job"));
        QCOMPARE(end.sightings[0].library, QByteArray("redis-py 5.0.1"));
    }

    /// Servers before Redis 8.4 know no digests.
    void digestsMayBeUnknown()
    {
        FakePeer peer;
        peer.on("CLIENT LIST", "$0\r\n\r\n");
        peer.on("MONITOR", FakePeer::Answer("+OK\r\n").send(
                               "+1.5 [0 127.0.0.1:5] \"DELEX\" \"lock:k\" \"IFDEQ\" \"\"\r\n"));
        Lock lock;
        lock.address.key = LockKey("lock:k");
        lock.family = "token"_family;
        lock.type = KeyType::String;
        lock.owners = {{OwnerId("mine-1"), {}, 1}};
        ClientFinder who(peer.address(), lock, 100ms);
        QSignalSpy ended(&who, &ClientFinder::ended);
        who.start();
        QVERIFY(ended.wait(5'000));
        const auto end = ended.first().first().value<ClientFinderResult>();
        QCOMPARE(peer.commands("DIGEST").size(), 1);
        QVERIFY(!end.error && end.sightings.size() == 1 && end.sightings[0].use == ClientUse::Used);
    }

    void tellsThatItIsForbidden()
    {
        RedisServer server;
        server.cli({"ACL", "SETUSER", "default", "-monitor"});
        Lock lock;
        lock.address.key = LockKey("k");
        ClientFinder who(server.socketAddress(), lock);
        QSignalSpy ended(&who, &ClientFinder::ended);
        who.start();
        QVERIFY(ended.wait(5'000));
        const auto end = ended.first().first().value<ClientFinderResult>();
        QVERIFY(end.error && end.error->kind == ErrorKind::NoPermission);
    }
};

QTEST_GUILESS_MAIN(TestWhoIsIt)
#include "tst_clientfinder.moc"

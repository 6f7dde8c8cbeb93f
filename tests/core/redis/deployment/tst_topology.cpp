// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/topology.h"

#include "core/redis/command.h"
#include "core/redis/deployment/commandkey.h"
#include "core/redis/deployment/redirection.h"
#include "core/redis/resp.h"

#include <QtTest>

using namespace lockscope;

namespace {

Reply decoded(const QByteArray &wire)
{
    RespReader reader;
    reader.feed(wire);
    const auto reply = reader.next();
    return reply && *reply ? **reply : Reply{Reply::Type::Error, 0, "not RESP", {}};
}

QByteArray bulk(const QByteArray &text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}
QByteArray integer(qint64 number)
{
    return ':' + QByteArray::number(number) + "\r\n";
}
QByteArray list(const QByteArrayList &parts)
{
    return '*' + QByteArray::number(parts.size()) + "\r\n" + parts.join();
}
QByteArray slotsNode(const QByteArray &host, int port, const QByteArray &id)
{
    return list({host.isNull() ? QByteArray("$-1\r\n") : bulk(host), integer(port), bulk(id), list({})});
}
QByteArray shardsNode(const QByteArray &host, int port, const QByteArray &id, const QByteArray &role,
                      const QByteArray &health = "online")
{
    return list({bulk("id"), bulk(id), bulk("port"), integer(port), bulk("ip"), bulk(host), bulk("endpoint"),
                 bulk(host), bulk("role"), bulk(role), bulk("replication-offset"), integer(1), bulk("health"),
                 bulk(health)});
}
Reply infoOf(int nodes, int epoch)
{
    return {Reply::Type::Text,
            0,
            "cluster_state:ok\r\ncluster_known_nodes:" + QByteArray::number(nodes) +
                "\r\ncluster_current_epoch:" + QByteArray::number(epoch) + "\r\n",
            {}};
}

} // namespace

class TestTopology : public QObject
{
    Q_OBJECT

private slots:
    // As CLUSTER KEYSLOT answers.
    void slotsAreThoseOfTheServer_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<int>("slot");
        QTest::newRow("empty") << QByteArray() << 0;
        QTest::newRow("foo") << QByteArray("foo") << 12182;
        QTest::newRow("check value") << QByteArray("123456789") << 0x31C3;
        QTest::newRow("tag") << QByteArray("redisson_lock_queue:{foo}") << 12182;
        QTest::newRow("first of two tags") << QByteArray("a{foo}b{bar}") << 12182;
        QTest::newRow("empty tag: the whole key") << QByteArray("{}foo") << slotOf("{}foo");
        QTest::newRow("open alone") << QByteArray("foo{") << slotOf("foo{");
        QTest::newRow("tag with a brace in it") << QByteArray("{{foo}}") << slotOf("x{{foo}");
        QTest::newRow("close before open") << QByteArray("}{foo}") << 12182;
    }
    void slotsAreThoseOfTheServer()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const int, slot);
        QCOMPARE(slotOf(key), slot);
    }
    void anEmptyTagIsNone()
    {
        QVERIFY(slotOf("{}foo") != slotOf("foo"));
        QVERIFY(slotOf("{}foo") != slotOf(""));
        QVERIFY(slotOf("foo{bar") != slotOf("bar"));
    }

    void commandsGoWhereTheirKeyIs()
    {
        using Nodes = CommandTarget::Nodes;
        const auto target = [](std::initializer_list<QByteArrayView> command) {
            static CommandBatch batch;
            batch = CommandBatch(command);
            return targetOf(batch.wire(0));
        };
        QCOMPARE(target({"PTTL", "k"}).key, QByteArrayView("k"));
        QCOMPARE(target({"PTTL", "k\r\n$1\r\nx"}).key, QByteArrayView("k\r\n$1\r\nx"));
        QCOMPARE(target({"EVALSHA", "abc", "2", "a", "b", "arg"}).key, QByteArrayView("a"));
        QVERIFY(target({"EVAL", "return 1", "0", "a"}).nodes == Nodes::Any);
        QVERIFY(target({"SCAN", "0", "MATCH", "lock:*"}).nodes == Nodes::Any);
        QVERIFY(target({"INFO", "commandstats"}).nodes == Nodes::Any);
        QVERIFY(target({"PUBSUB", "NUMSUB", "c"}).nodes == Nodes::All);
        QVERIFY(target({"PUBSUB", "SHARDNUMSUB", "c"}).nodes == Nodes::All);
        QVERIFY(target({"PTTL", ""}).nodes == Nodes::OfKey);
        // Of a batch, each by itself.
        CommandBatch two;
        two.add({"PTTL", "a"});
        two.add({"GETRANGE", "bb", "0", "1"});
        QCOMPARE(targetOf(two.wire(1)).key, QByteArrayView("bb"));
        CommandBatch second;
        second.add(two, 1);
        QCOMPARE(second.wire(), two.wire(1).toByteArray());
        QVERIFY(second.isReadOnly());
    }

    void redirections_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("to");
        QTest::newRow("moved") << QByteArray("MOVED 3999 127.0.0.1:6381") << QStringLiteral("127.0.0.1:6381");
        QTest::newRow("ask") << QByteArray("ASK 3999 127.0.0.1:6381") << QStringLiteral("127.0.0.1:6381");
        QTest::newRow("IPv6") << QByteArray("MOVED 1 ::1:6381") << QStringLiteral("[::1]:6381");
        QTest::newRow("host name") << QByteArray("MOVED 1 node-a.example:6381")
                                   << QStringLiteral("node-a.example:6381");
        QTest::newRow("host not told") << QByteArray("MOVED 1 :6381") << QStringLiteral(":6381");
        QTest::newRow("host not known") << QByteArray("MOVED 1 ?:6381") << QStringLiteral(":6381");
        for (const char *text :
             {"MOVED", "MOVED 1", "MOVED x 127.0.0.1:1", "MOVED 16384 127.0.0.1:1", "MOVED -1 127.0.0.1:1",
              "MOVED 1 127.0.0.1:0", "MOVED 1 127.0.0.1:65536", "MOVED 1 127.0.0.1", "MOVED 1 a/b:1",
              "MOVED 1 127.0.0.1:1 x", "ERR MOVED 1 127.0.0.1:1", "moved 1 127.0.0.1:1",
              "ERR Error running script: MOVED 1 127.0.0.1:1"})
            QTest::newRow(text) << QByteArray(text) << QString();
    }
    void redirections()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QString, to);
        const auto redirection = Redirection::parse(text);
        QCOMPARE(redirection ? redirection->to.toDisplayString() : QString(), to);
    }

    void slotsAndShardsSayTheSame()
    {
        const Reply ranges =
            decoded(list({list({integer(0), integer(99), slotsNode("10.0.0.1", 7000, "a"),
                                slotsNode("10.0.0.3", 7002, "c")}),
                          list({integer(200), integer(16383), slotsNode("10.0.0.1", 7000, "a")}),
                          list({integer(100), integer(199), slotsNode(QByteArray(), 7001, "b")})}));
        const auto topology = ClusterTopology::parse(ranges, infoOf(3, 7));
        QVERIFY(topology.has_value());
        QCOMPARE(topology->shards.size(), 2);
        QCOMPARE(topology->shards[0].slotSet.count(), size_t(16284));
        QCOMPARE(topology->shards[0].replicas.size(), 1);
        QCOMPARE(topology->shards[1].primary.address.host, QString());
        QVERIFY(topology->isWhole);
        QCOMPARE(topology->epoch, 7);
        QVERIFY(!ClusterTopology::parse(ranges, infoOf(4, 7))->isWhole);
        QVERIFY(!ClusterTopology::parse(ranges, Reply{Reply::Type::Error, 0, "NOPERM", {}})->isWhole);

        const Reply shards =
            decoded(list({list({bulk("slots"), list({integer(0), integer(99), integer(200), integer(16383)}),
                                bulk("nodes"),
                                list({shardsNode("10.0.0.9", 7009, "old", "master", "fail"),
                                      shardsNode("10.0.0.1", 7000, "a", "master"),
                                      shardsNode("10.0.0.3", 7002, "c", "replica")})}),
                          list({bulk("slots"), list({integer(100), integer(199)}), bulk("nodes"),
                                list({shardsNode("10.0.0.2", 7001, "b", "master")})}),
                          list({bulk("slots"), list({}), bulk("nodes"),
                                list({shardsNode("10.0.0.4", 7003, "d", "master")})})}));
        const auto same = ClusterTopology::parse(shards, infoOf(5, 7));
        QVERIFY(same.has_value());
        QCOMPARE(same->shards.size(), 3);
        QCOMPARE(same->shards[0].primary.id, "a");
        QCOMPARE(same->shards[0].slotSet.to_string(), topology->shards[0].slotSet.to_string());
        QVERIFY(same->shards[2].slotSet.none());
        QVERIFY(same->isWhole);
    }

    void nonsenseIsRefused_data()
    {
        QTest::addColumn<QByteArray>("wire");
        const QByteArray node = slotsNode("h", 1, "a");
        QTest::newRow("status") << QByteArray("+OK\r\n");
        QTest::newRow("nothing") << list({});
        QTest::newRow("no node") << list({list({integer(0), integer(1)})});
        QTest::newRow("negative") << list({list({integer(-1), integer(1), node})});
        QTest::newRow("beyond") << list({list({integer(0), integer(16384), node})});
        QTest::newRow("backwards") << list({list({integer(5), integer(1), node})});
        QTest::newRow("huge") << list(
            {list({integer(0), integer(std::numeric_limits<qint64>::max()), node})});
        QTest::newRow("port") << list({list({integer(0), integer(1), slotsNode("h", 0, "a")})});
        QTest::newRow("no id") << list({list({integer(0), integer(1), list({bulk("h"), integer(1)})})});
        QTest::newRow("two keep one") << list(
            {list({integer(0), integer(5), node}), list({integer(5), integer(9), slotsNode("h", 2, "b")})});
    }
    void nonsenseIsRefused()
    {
        QFETCH(const QByteArray, wire);
        QVERIFY(!ClusterTopology::parse(decoded(wire), infoOf(1, 1)));
    }
    void aHostThatIsNoneIsNotTaken()
    {
        const auto topology = ClusterTopology::parse(
            decoded(list({list({integer(0), integer(1), slotsNode("a b\n", 1, "a")})})), infoOf(1, 1));
        QVERIFY(topology.has_value());
        QCOMPARE(topology->shards[0].primary.address.host, QString());
    }
};

QTEST_GUILESS_MAIN(TestTopology)
#include "tst_topology.moc"

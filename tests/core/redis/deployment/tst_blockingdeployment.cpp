// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/blockingdeployment.h"

#include "core/redis/deployment/slot.h"
#include "tests/support/rediscluster.h"
#include "tests/support/sentinelgroup.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestBlockingDeployment : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void eachKeyIsWhereItBelongs();
    void slotsMove();
    void aNodeFailsOver();
    void aServerThatStandsAloneIsAskedDirectly();
    void sentinelsNameTheServer();
};

void TestBlockingDeployment::sentinelsNameTheServer()
{
    SentinelGroup group;
    ServerAddress address = group.address();
    address.sentinels.prepend(NodeAddress{QStringLiteral("127.0.0.1"), 1}); // nobody there
    BlockingDeployment client(address, {});
    QVERIFY(client.open());
    QVERIFY(client.send({"SET", "a", "1"}));
    QCOMPARE(group.server(0).cli({"GET", "a"}), "1");
    QVERIFY(group.failOver());
    QVERIFY(group.waitUntilPrimary(1));
    QVERIFY(client.open());
    QVERIFY(client.send({"SET", "a", "2"}));
    QCOMPARE(group.server(1).cli({"GET", "a"}), "2");
    address.primaryName = QStringLiteral("payments");
    BlockingDeployment unknown(address, {});
    const auto refused = unknown.open();
    QVERIFY(!refused);
    QCOMPARE(refused.error().kind, ErrorKind::InvalidArgument);
    QVERIFY(refused.error().text().contains("payments"));
}

void TestBlockingDeployment::eachKeyIsWhereItBelongs()
{
    RedisCluster cluster(3, false);
    BlockingDeployment client(cluster.node(1).socketAddress(), {});
    QVERIFY(client.open());
    CommandBatch batch;
    QByteArrayList keys;
    for (int i = 0; i < 3; ++i) {
        keys << cluster.keyOn(cluster.node(i), "k%1");
        batch.add({"SET", keys[i], QByteArray::number(i)});
    }
    batch.add({"PING"});
    const auto replies = client.send(batch);
    QVERIFY(replies.has_value());
    QCOMPARE(replies->back().text, "PONG");
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(cluster.node(i).cli({"GET", keys[i]}), QByteArray::number(i));
        QCOMPARE(client.send({"GET", keys[i]})->text, QByteArray::number(i)); // in order, whoever answers
    }
    QCOMPARE(client.commands(), 9); // and those that ask who is where
    // A lost reply stays lost, whichever node it was.
    client.dropNextReply();
    const auto lost = client.send({"SET", keys[2], "x"});
    QVERIFY(!lost);
    QVERIFY(lost.error().kind == ErrorKind::OutcomeUnknown);
    QCOMPARE(cluster.node(2).cli({"GET", keys[2]}), "x");
    QVERIFY(!client.isOpen());
}

void TestBlockingDeployment::slotsMove()
{
    RedisCluster cluster(2, false);
    RedisServer &from = cluster.node(0);
    RedisServer &to = cluster.node(1);
    const QByteArray tag = cluster.keyOn(from, "%1");
    const QByteArray here = "here{" + tag + '}';
    const QByteArray there = "there{" + tag + '}';
    from.cli({"SET", here, "1"});
    from.cli({"SET", there, "2"});
    BlockingDeployment client(to.socketAddress(), {});
    QVERIFY(client.open());
    RedisCluster::openSlot(slotOf(tag), from, to);
    RedisCluster::moveKey(there, from, to);
    QCOMPARE(client.send({"GET", here})->text, "1");
    QCOMPARE(client.send({"GET", there})->text, "2");
    QVERIFY(client.send({"SET", "new{" + tag + '}', "3"}));
    QCOMPARE(to.cli({"CLUSTER", "COUNTKEYSINSLOT", QByteArray::number(slotOf(tag))}), "2");
    cluster.moveSlot(slotOf(tag), from, to);
    QCOMPARE(client.send({"GET", here})->text, "1"); // MOVED
}

void TestBlockingDeployment::aNodeFailsOver()
{
    RedisCluster cluster(3);
    const QByteArray key = cluster.keyOn(cluster.node(0), "k%1");
    BlockingDeployment client(cluster.node(0).socketAddress(), {.commandDeadline = 20s});
    QVERIFY(client.open());
    QVERIFY(client.send({"SET", key, "1"}));
    QTRY_COMPARE_WITH_TIMEOUT(cluster.node(3).cli({"DBSIZE"}), "1",
                              30'000); // WAIT is about its own connection
    cluster.node(0).kill();            // which it is connected to
    const auto lost = client.send({"GET", key});
    QVERIFY(!lost);
    QVERIFY(lost.error().kind == ErrorKind::OutcomeUnknown);
    QVERIFY(client.open()); // by one that it has learned of
    QCOMPARE(client.send({"GET", key})->text, "1");
    QCOMPARE(cluster.node(3).cli({"ROLE"}).split('\n').first(), "master");
}

void TestBlockingDeployment::aServerThatStandsAloneIsAskedDirectly()
{
    const RedisServer server;
    BlockingDeployment client(server.socketAddress(), {});
    QVERIFY(client.open());
    QVERIFY(client.send({"SET", "a", "1"}));
    QCOMPARE(client.commands(), 1);
    client.dropNextReply();
    QVERIFY(!client.send({"GET", "a"}));
}

QTEST_GUILESS_MAIN(TestBlockingDeployment)
#include "tst_blockingdeployment.moc"

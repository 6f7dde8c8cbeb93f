// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program at a cluster: one list of all nodes, and what it says where one of them is missing.
#include "core/redis/deployment/slot.h"
#include "tests/support/hostileserver.h"
#include "tests/support/rediscluster.h"
#include "tests/system/cliprogram.h"

#include <QTcpServer>
#include <QTcpSocket>

using namespace lockscope;

namespace {

constexpr int patienceFactor = 4; // a build without optimization, on a machine that does other things besides

} // namespace

class TestCliCluster : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aLostNodeIsNamed();
    void aSlotWithoutNodeIsTold();
    void readsThatNobodyAnswersAreNoLocksMissing();
    void thousandsOfNodesOutOfReach_data();
    void thousandsOfNodesOutOfReach();
    void whatIsAnnouncedIsNamed();
    void nodesAreReachedByOtherAddresses();
    void aDatabaseIsRefused();
    void simulationsRunOnAllNodes();
};

void TestCliCluster::aLostNodeIsNamed()
{
    RedisCluster cluster(3, false, RedisCluster::Coverage::Partial);
    QByteArrayList keys;
    for (int i = 0; i < 3; ++i) {
        keys << cluster.keyOn(cluster.node(i), "lock:%1");
        cluster.node(i).cli({"SET", keys.last(), "owner", "PX", "600000"});
    }
    const CliProgram program;
    Ran ran = CliProgram::on(cluster.node(0), {"list", "--json"});
    VERIFY_EXIT(ran, 0);
    QJsonObject list = jsonIn(ran.out);
    QVERIFY2(!list.contains(QStringLiteral("complete")), ran.out);
    QCOMPARE(list[QStringLiteral("locks")].toArray().size(), 3);
    QJsonArray nodes = list[QStringLiteral("server")][QStringLiteral("nodes")].toArray();
    QCOMPARE(nodes.size(), 3);
    for (const QJsonValue &node : nodes) {
        QCOMPARE(node[QStringLiteral("locks")].toInt(), 1);
        QCOMPARE(node[QStringLiteral("state")].toString(), QStringLiteral("ready"));
    }

    // Each lock says where it is, in every verb; a filter can ask for that.
    const QJsonValue third = cluster.node(2).tcpAddress().toDisplayString();
    for (const QJsonValue &lock : list[QStringLiteral("locks")].toArray()) {
        if (lock[QStringLiteral("key")].toString().toUtf8() == keys[2])
            QCOMPARE(lock[QStringLiteral("node")], third);
    }
    ran = CliProgram::on(cluster.node(0), {"get", keys[2], "--json"});
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("node")], third);
    for (const QByteArray filter : {"node=", "node:*:"}) {
        const QByteArray value =
            filter == "node=" ? third.toString().toUtf8() : QByteArray::number(cluster.node(2).port());
        ran = CliProgram::on(cluster.node(0), {"list", "--json", "--filter", filter + value});
        const QJsonArray found = jsonIn(ran.out)[QStringLiteral("locks")].toArray();
        QVERIFY2(found.size() == 1 && found[0][QStringLiteral("node")] == third, ran.out + ran.err);
    }

    QProcess watch;
    watch.start(CliProgram::path(), {QStringLiteral("-s"), cluster.node(0).socketPath(),
                                     QStringLiteral("watch"), QStringLiteral("--json")});
    QByteArrayList events;
    const auto heard = [&](const QByteArray &event) {
        while (watch.canReadLine())
            events << keptJson("watch", watch.readLine());
        return std::ranges::any_of(events,
                                   [&](const QByteArray &line) { return line.contains('"' + event + '"'); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(heard("ready"), 20'000);
    cluster.node(1).kill();
    QTRY_VERIFY_WITH_TIMEOUT(heard("node-lost"), 20'000);
    QVERIFY2(!heard("vanished") && !heard("expired") && !heard("released") && !heard("disconnected"),
             events.join());

    // What is missing is said, and by which node.
    ran = CliProgram::on(cluster.node(0), {"list", "--json"});
    VERIFY_EXIT(ran, 3);
    list = jsonIn(ran.out);
    QCOMPARE(list[QStringLiteral("complete")], QJsonValue(false));
    QCOMPARE(list[QStringLiteral("locks")].toArray().size(), 2);
    const QByteArray name = cluster.node(1).tcpAddress().toDisplayString().toUtf8();
    QVERIFY2(ran.err.contains("locks of " + name + " missing"), ran.err);
    nodes = list[QStringLiteral("server")][QStringLiteral("nodes")].toArray();
    QCOMPARE(std::ranges::count_if(nodes,
                                   [](const QJsonValue &node) {
                                       return node[QStringLiteral("state")] ==
                                                  QJsonValue(QStringLiteral("unavailable")) &&
                                              !node.toObject().contains(QStringLiteral("locks"));
                                   }),
             1);
    ran = CliProgram::on(cluster.node(0), {"list"});
    VERIFY_EXIT(ran, 3);
    ran = CliProgram::on(cluster.node(0), {"search"});
    VERIFY_EXIT(ran, 3);
    ran = CliProgram::on(cluster.node(0), {"get", keys[1]});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.out.isEmpty(), ran.out);
    ran = CliProgram::on(cluster.node(0), {"force-expire", keys[1], "--expect-owner", "owner"});
    VERIFY_EXIT(ran, 3);
    ran = CliProgram::on(cluster.node(0), {"get", keys[2]});
    VERIFY_EXIT(ran, 0);

    cluster.node(1).start();
    QTRY_VERIFY_WITH_TIMEOUT(heard("node-ready"), 20'000);
    watch.kill();
    watch.waitForFinished();
}

/// What is not whole is never "no findings", and no list of all; whoever watches is told when it happens.
void TestCliCluster::aSlotWithoutNodeIsTold()
{
    RedisCluster cluster(3, false, RedisCluster::Coverage::Partial);
    QByteArrayList keys;
    for (int i = 0; i < 3; ++i) {
        keys << cluster.keyOn(cluster.node(i), "lock:%1");
        cluster.node(i).cli({"SET", keys.last(), "owner", "PX", "600000"});
    }
    const CliProgram program;
    QProcess watch;
    watch.start(CliProgram::path(), {QStringLiteral("-s"), cluster.node(0).socketPath(),
                                     QStringLiteral("watch"), QStringLiteral("--json")});
    QTRY_VERIFY_WITH_TIMEOUT(watch.canReadLine(), 20'000);
    QVERIFY(watch.readLine().contains("ready"));
    VERIFY_EXIT(CliProgram::on(cluster.node(0), {"check"}), 0);

    const QByteArray slot = QByteArray::number(slotOf(keys[1]));
    for (int i = 0; i < 3; ++i)
        cluster.node(i).cli({"CLUSTER", "DELSLOTS", slot});
    Ran ran = CliProgram::on(cluster.node(0), {"list", "--json"});
    VERIFY_EXIT(ran, 3);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("complete")], QJsonValue(false));
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("locks")].toArray().size(), 2);
    const QByteArray gap = "1 slot has no node";
    QVERIFY2(ran.err.contains(gap), ran.err);
    ran = CliProgram::on(cluster.node(0), {"check"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(!ran.out.contains("No findings") && ran.out.contains("Incomplete") && ran.err.contains(gap),
             ran.out + ran.err);
    QByteArray heard;
    QTRY_VERIFY_WITH_TIMEOUT((heard += watch.readAllStandardError()).contains(gap), 20'000);
    watch.kill();
    watch.waitForFinished();
}

/// A replica answers every read with the address of its primary, and this login may not ask it what it is.
void TestCliCluster::readsThatNobodyAnswersAreNoLocksMissing()
{
    RedisCluster cluster(1, true);
    cluster.node(0).cli({"SET", "lock:a", "owner", "PX", "600000"});
    RedisServer &replica = cluster.node(1);
    QTRY_COMPARE_WITH_TIMEOUT(replica.cli({"DBSIZE"}), "1", 20'000);
    replica.cli({"ACL", "SETUSER", "blind", "on", ">x", "~*", "&*", "+@all", "-info"});
    const CliProgram program;
    Ran ran = CliProgram::on(replica, {"--user", "blind", "-a", "x", "list"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(!ran.out.contains("No locks") && ran.err.contains("could not be read: no node"),
             ran.out + ran.err);
    ran = CliProgram::on(replica, {"--user", "blind", "-a", "x", "check", "--json"});
    VERIFY_EXIT(ran, 3);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("complete")], QJsonValue(false));
}

namespace {

/// Of a cluster: this peer keeps the first slots, and nodes that it announces the others, each at an address of its own.
QByteArray slotsOf(quint16 own, int others, quint16 port)
{
    const auto bulk = [](const QByteArray &text) {
        return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
    };
    const auto range = [&](int first, int last, const QByteArray &host, quint16 at, int id) {
        return "*3\r\n:" + QByteArray::number(first) + "\r\n:" + QByteArray::number(last) + "\r\n*3\r\n" +
               bulk(host) + ':' + QByteArray::number(at) + "\r\n" +
               bulk(QByteArray::number(id).rightJustified(40, '0'));
    };
    const int each = slotCount / (others + 1);
    QByteArray all = '*' + QByteArray::number(others + 1) + "\r\n" + range(0, each - 1, "127.0.0.1", own, 0);
    for (int i = 1; i <= others; ++i)
        all += range(i * each, i == others ? slotCount - 1 : (i + 1) * each - 1,
                     "127.1." + QByteArray::number(i / 250) + '.' + QByteArray::number(1 + i % 250), port, i);
    return all;
}

} // namespace

void TestCliCluster::thousandsOfNodesOutOfReach_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<bool>("accept");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("refused") << 2000 << false << QByteArray();
    QTest::newRow("silent") << 2000 << true << QByteArray();
    QTest::newRow("no Redis") << 1 << true
                              << QByteArray("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
}

/// All at once, told by a number, and Ctrl-C is heard meanwhile.
void TestCliCluster::thousandsOfNodesOutOfReach()
{
    QFETCH(const int, nodes);
    QFETCH(const bool, accept);
    QFETCH(const QByteArray, says);
    HostileServer peer;
    peer.setServer("7.0.15", "cluster");
    QTcpServer others; // whose queue the system fills
    QVERIFY(!accept || others.listen(QHostAddress::Any));
    connect(&others, &QTcpServer::newConnection, &others, [&] {
        QTcpSocket *socket = others.nextPendingConnection();
        if (!says.isEmpty())
            socket->write(says);
    });
    peer.on("CLUSTER SLOTS", slotsOf(peer.port(), nodes, accept ? others.serverPort() : 1));
    peer.on("CLUSTER INFO", "$23\r\ncluster_known_nodes:1\r\n\r\n");
    const CliProgram program;
    const auto list = [&](QProcess &process) {
        process.start(CliProgram::path(), {QStringLiteral("-p"), QString::number(peer.port()),
                                           QStringLiteral("list"), QStringLiteral("--json")});
    };
    QElapsedTimer taken;
    taken.start();
    QProcess whole;
    list(whole);
    QTRY_COMPARE_WITH_TIMEOUT(whole.state(), QProcess::NotRunning, 60'000);
    qInfo("answered after %lld ms", taken.elapsed());
    QVERIFY(taken.elapsed() < 8'000 * patienceFactor);
    QCOMPARE(whole.exitCode(), 3);
    const QJsonObject said = jsonIn(keptJson("list", whole.readAllStandardOutput()));
    QCOMPARE(said[QStringLiteral("complete")], QJsonValue(false));
    QCOMPARE(said[QStringLiteral("server")][QStringLiteral("nodes")].toArray().size(), nodes + 1);
    const QByteArray errors = whole.readAllStandardError();
    QVERIFY2(errors.count('\n') < 30 && errors.contains("127.1.0."), errors);
    if (!accept || nodes == 1)
        return;

    QProcess interrupted;
    const qsizetype before = peer.commands("CLUSTER SLOTS").size();
    list(interrupted);
    QTRY_VERIFY_WITH_TIMEOUT(peer.commands("CLUSTER SLOTS").size() > before, 20'000);
    QTest::qWait(1'500); // in the midst of waiting for them
    QVERIFY(interrupted.state() == QProcess::Running);
    taken.restart();
    interrupted.terminate();
    QTRY_COMPARE_WITH_TIMEOUT(interrupted.state(), QProcess::NotRunning, 20'000);
    qInfo("ended after %lld ms", taken.elapsed());
    QVERIFY(taken.elapsed() < 2'000 * patienceFactor); // not as long as the nodes are waited for
    QCOMPARE(interrupted.exitCode(), 3);
}

/// What stands at the address that the only node announces is no server: that address is wrong, not the one that was given.
void TestCliCluster::whatIsAnnouncedIsNamed()
{
    HostileServer peer;
    peer.setServer("7.0.15", "cluster");
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::Any));
    connect(&other, &QTcpServer::newConnection, &other,
            [&] { other.nextPendingConnection()->write("HTTP/1.1 400 Bad Request\r\n\r\n"); });
    const QByteArray slotsThere =
        "*1\r\n*3\r\n:0\r\n:16383\r\n*3\r\n$9\r\n127.1.0.1\r\n:" + QByteArray::number(other.serverPort()) +
        "\r\n$40\r\n" + QByteArray(40, '1') + "\r\n";
    peer.on("CLUSTER SLOTS", slotsThere);
    peer.on("CLUSTER INFO", "$23\r\ncluster_known_nodes:1\r\n\r\n");
    QProcess watch;
    watch.start(CliProgram::path(), {QStringLiteral("-p"), QString::number(peer.port()),
                                     QStringLiteral("watch"), QStringLiteral("--json")});
    QByteArray errors;
    const auto isNamed = [&] {
        errors += watch.readAllStandardError();
        return errors.contains("127.1.0.1:" + QByteArray::number(other.serverPort())) &&
               errors.contains("--node-address");
    };
    QTRY_VERIFY2_WITH_TIMEOUT(isNamed(), errors, 20'000);
    watch.terminate();
    QTRY_COMPARE_WITH_TIMEOUT(watch.state(), QProcess::NotRunning, 20'000);
}

/// Behind NAT nodes announce what only they can reach.
void TestCliCluster::nodesAreReachedByOtherAddresses()
{
    RedisCluster cluster(2, false);
    for (int i = 0; i < 2; ++i) {
        cluster.node(i).cli(
            {"CONFIG", "SET", "cluster-announce-hostname", "node-" + QByteArray::number(i) + ".invalid"});
        cluster.node(i).cli({"CONFIG", "SET", "cluster-preferred-endpoint-type", "hostname"});
        const QByteArray key = cluster.keyOn(cluster.node(i), "lock:%1");
        cluster.node(i).cli({"SET", key, "owner", "PX", "600000"});
    }
    QTRY_VERIFY_WITH_TIMEOUT(cluster.node(0).cli({"CLUSTER", "SLOTS"}).contains("node-1.invalid"), 20'000);
    const CliProgram program;
    Ran ran = CliProgram::on(cluster.node(0), {"list"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("invalid"), ran.err);
    QVERIFY2(ran.err.contains("--node-address"), ran.err);
    ran = CliProgram::on(cluster.node(0), {"--node-address", "node-0.invalid=127.0.0.1", "--node-address",
                                           "node-1.invalid:" + QByteArray::number(cluster.node(1).port()) +
                                               "=127.0.0.1:" + QByteArray::number(cluster.node(1).port()),
                                           "list", "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("locks")].toArray().size(), 2);
}

void TestCliCluster::aDatabaseIsRefused()
{
    RedisCluster cluster(1, false);
    const CliProgram program;
    const Ran ran = CliProgram::on(cluster.node(0), {"-n", "3", "list"});
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains("usually only 0"), ran.err);
}

void TestCliCluster::simulationsRunOnAllNodes()
{
    RedisCluster cluster(3, false);
    const CliProgram program;
    for (const char *strategy : {"token-set", "redisson", "handoff"}) {
        const Ran ran = CliProgram::on(cluster.node(0), {"simulate", "--strategy", strategy, "--workers", "6",
                                                         "--locks", "6", "--duration", "1", "--json"});
        VERIFY_EXIT(ran, 0);
        for (int i = 0; i < 3; ++i) // and nothing is left
            QCOMPARE(cluster.node(i).cli({"DBSIZE"}), "0");
    }
}

QTEST_GUILESS_MAIN(TestCliCluster)
#include "tst_clicluster.moc"

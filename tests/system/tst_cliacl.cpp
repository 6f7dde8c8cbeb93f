// SPDX-License-Identifier: GPL-3.0-or-later
// "acl": the lines that are printed, and what a login lacks, on real servers and on what only looks like one.
#include "tests/support/fakepeer.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

using namespace lockscope;

namespace {

QByteArrayList userOptions(const QByteArray &name)
{
    return {"--user", name, "-a", "choose-a-password"};
}

/// The printed line, typed into the server as it is.
QByteArray apply(const RedisServer &server, const QByteArrayList &arguments)
{
    const QByteArray info = server.cli({"INFO", "server"});
    const QByteArray version = info.contains("valkey_version")    ? "valkey"
                               : info.contains("redis_version:6") ? "6"
                               : info.contains("redis_version:8") ? "8"
                                                                  : "7";
    const Ran line = CliProgram::run(QByteArrayList{"acl", "--server", version} + arguments);
    return server.cli({}, line.out);
}

QStringList textsIn(const QJsonValue &array)
{
    return array.toVariant().toStringList();
}

} // namespace

class TestCliAcl : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void wrongUsage_data()
    {
        QTest::addColumn<QByteArrayList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no role") << QByteArrayList{"acl"}
                                 << QByteArray("monitor, operator, sentinels or check");
        QTest::newRow("another role")
            << QByteArrayList{"acl", "admin"} << QByteArray("monitor, operator, sentinels or check");
        QTest::newRow("two roles") << QByteArrayList{"acl", "monitor", "operator"}
                                   << QByteArray("monitor, operator, sentinels or check");
        QTest::newRow("check of another")
            << QByteArrayList{"acl", "check", "sentinels"} << QByteArray("monitor or operator");
        QTest::newRow("server") << QByteArrayList{"acl", "monitor", "--server", "5"}
                                << QByteArray("6, 7, 8 or valkey");
        QTest::newRow("check's server")
            << QByteArrayList{"acl", "check", "--server", "7"} << QByteArray("does not take '--server'");
        QTest::newRow("list's clients")
            << QByteArrayList{"list", "--clients"} << QByteArray("does not take '--clients'");
    }
    void wrongUsage()
    {
        QFETCH(const QByteArrayList, arguments);
        QFETCH(const QByteArray, says);
        const Ran ran = CliProgram::run(arguments);
        VERIFY_EXIT(ran, 2);
        QVERIFY2(ran.err.contains(says), ran.err.constData());
    }

    /// Neither a server nor a password is needed for a line.
    void theLineIsOne()
    {
        const Ran text = CliProgram::run({"acl", "monitor", "--user", "on-call", "--pattern", "jobs:*"});
        VERIFY_EXIT(text, 0);
        QCOMPARE(text.out.count('\n'), 1);
        QVERIFY2(text.out.startsWith("ACL SETUSER on-call on >choose-a-password resetkeys "),
                 text.out.constData());
        QVERIFY2(text.out.contains(" %R~jobs:* ") && !text.out.contains("%R~lock:*"), text.out.constData());
        const Ran json =
            CliProgram::run({"acl", "monitor", "--user", "on-call", "--pattern", "jobs:*", "--json"});
        VERIFY_EXIT(json, 0);
        const QJsonObject document = jsonIn(json.out);
        QCOMPARE(document[QStringLiteral("line")].toString().toLatin1() + '\n', text.out);
        QVERIFY(textsIn(document[QStringLiteral("rules")]).contains(QStringLiteral("+scan")));
    }

    void namesOfUsersAreWhatTheyAre_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("letters") << QByteArray("m\u00fcller");
        QTest::newRow("bytes") << QByteArray("x\xffy");
        QTest::newRow("quotes") << QByteArray("o'\"\\n");
        QTest::newRow("hidden") << QByteArray("a\u202eb");
    }
    void namesOfUsersAreWhatTheyAre()
    {
        QFETCH(const QByteArray, name);
        const RedisServer server;
        const QByteArray version = RedisServer::majorVersion() >= 7 ? "7" : "6";
        const Ran line = CliProgram::run({"acl", "monitor", "--user", name, "--server", version});
        VERIFY_EXIT(line, 0);
        QVERIFY2(!line.out.contains('?'), line.out.constData());
        QCOMPARE(server.cli({}, line.out), "OK");
        QVERIFY(!server.cli({"ACL", "GETUSER", name}).isEmpty());
    }

    void theMonitorLacksWhatTheOperatorHas()
    {
        const RedisServer server;
        QCOMPARE(apply(server, {"monitor"}), "OK");
        QCOMPARE(apply(server, {"operator", "--clients"}), "OK");

        const Ran reading =
            CliProgram::on(server, userOptions("monitor") + QByteArrayList{"acl", "check", "monitor"});
        VERIFY_EXIT(reading, 0);
        QCOMPARE(reading.out, "Reading: no permission is missing.\n");
        const Ran readOnly =
            CliProgram::on(server, userOptions("monitor") + QByteArrayList{"acl", "check", "--read-only"});
        VERIFY_EXIT(readOnly, 0);
        const Ran operatorHas =
            CliProgram::on(server, userOptions("operator") + QByteArrayList{"acl", "check"});
        VERIFY_EXIT(operatorHas, 0);
        QCOMPARE(server.cli({"ACL", "LOG"}), "");

        const Ran acting =
            CliProgram::on(server, userOptions("monitor") + QByteArrayList{"acl", "check", "--json"});
        VERIFY_EXIT(acting, 1);
        const QJsonObject document = jsonIn(acting.out);
        QVERIFY(textsIn(document[QStringLiteral("missing")]).contains(QStringLiteral("+evalsha")));
        QVERIFY(!textsIn(document[QStringLiteral("missing")]).contains(QStringLiteral("+scan")));
        const QByteArray line = document[QStringLiteral("line")].toString().toLatin1();
        QVERIFY2(line.startsWith("ACL SETUSER monitor "), line.constData());
        // What it says to ask for is enough.
        QCOMPARE(server.cli({}, line), "OK");
        const Ran then = CliProgram::on(server, userOptions("monitor") + QByteArrayList{"acl", "check"});
        VERIFY_EXIT(then, 0);
        QCOMPARE(server.cli({"DBSIZE"}), "0");

        const Ran clients =
            CliProgram::on(server, userOptions("monitor") + QByteArrayList{"acl", "check", "--clients"});
        VERIFY_EXIT(clients, 1);
        QVERIFY2(clients.out.contains("+client|list +monitor"), clients.out.constData());
    }

    /// A name for *allSessions must not be one that the login may read as a lock's.
    void companionsBesideAWidePattern()
    {
        const RedisServer server;
        server.cli({"ACL", "SETUSER", "some", "on", ">choose-a-password", "~lock*", "+@all"});
        const Ran ran =
            CliProgram::on(server, userOptions("some") + QByteArrayList{"--pattern", "lock*", "acl", "check",
                                                                        "monitor", "--json"});
        VERIFY_EXIT(ran, 1);
        const QStringList missing = textsIn(jsonIn(ran.out)[QStringLiteral("missing")]);
        QVERIFY2(!missing.filter(QStringLiteral("~*allSessions")).isEmpty(), ran.out.constData());
        QVERIFY2(!missing.contains(QStringLiteral("%R~lock*")), ran.out.constData());
    }

    void readOnlyDoesNotTryToAct()
    {
        const RedisServer server;
        const Ran ran = CliProgram::on(server, {"acl", "check", "operator", "--read-only"});
        VERIFY_EXIT(ran, 4);
        QVERIFY(!server.cli({"INFO", "commandstats"}).contains("cmdstat_multi"));
    }

    /// Each node has users of its own.
    void aNodeOfAClusterIsNamed()
    {
        RedisCluster cluster(2);
        for (int i = 0; i < cluster.size(); ++i)
            QCOMPARE(apply(cluster.node(i), {"monitor", "-c"}), "OK");
        const QByteArrayList check =
            userOptions("monitor") + QByteArrayList{"acl", "check", "monitor", "--json"};
        const Ran whole = CliProgram::on(cluster.node(0), check);
        VERIFY_EXIT(whole, 0);
        QCOMPARE(jsonIn(whole.out)[QStringLiteral("nodes")].toArray().size(), 4);

        RedisServer &replica = cluster.node(3);
        replica.cli({"ACL", "SETUSER", "monitor", "-pubsub"});
        const Ran lacking = CliProgram::on(cluster.node(0), check);
        VERIFY_EXIT(lacking, 1);
        int nodesThatLack = 0;
        for (const QJsonValue node : jsonIn(lacking.out)[QStringLiteral("nodes")].toArray()) {
            const QStringList missing = textsIn(node.toObject()[QStringLiteral("missing")]);
            if (missing.isEmpty())
                continue;
            ++nodesThatLack;
            QVERIFY(missing.first().startsWith(QStringLiteral("+pubsub|")));
            QVERIFY(node.toObject()[QStringLiteral("address")].toString().endsWith(
                QString::number(replica.port())));
        }
        QCOMPARE(nodesThatLack, 1);

        // One that is gone takes nothing from what the others say.
        replica.kill();
        const Ran partly = CliProgram::on(cluster.node(0), check);
        VERIFY_EXIT(partly, 3);
        int errors = 0;
        int answers = 0;
        for (const QJsonValue node : jsonIn(partly.out)[QStringLiteral("nodes")].toArray()) {
            errors += node[QStringLiteral("error")].isString() ? 1 : 0;
            answers += node[QStringLiteral("missing")].isArray() ? 1 : 0;
        }
        QCOMPARE(errors, 1);
        QCOMPARE(answers, 3);
    }

    /// A proxy, say: nothing is claimed, and nothing that acts is sent.
    void withoutTransactionsNothingIsKnown()
    {
        FakePeer peer;
        const QByteArray port = QByteArray::number(peer.address().port);
        const Ran ran = CliProgram::companions({"-h", "127.0.0.1", "-p", port, "acl", "check"});
        VERIFY_EXIT(ran, 3);
        QVERIFY2(ran.out.contains("not checked: "), ran.out.constData());
        QVERIFY2(!ran.out.contains("no permission is missing"), ran.out.constData());
        QCOMPARE(peer.commands("SET").size(), 0);
        QCOMPARE(peer.commands("DEL").size(), 0);
    }

    /// One that takes the beginning of a transaction and runs what follows.
    void aTransactionThatIsNoneStopsTheCheck()
    {
        FakePeer peer;
        peer.on("MULTI", "+OK\r\n");
        const QByteArray port = QByteArray::number(peer.address().port);
        const Ran ran = CliProgram::companions({"-h", "127.0.0.1", "-p", port, "acl", "check", "operator"});
        VERIFY_EXIT(ran, 3);
        QCOMPARE(peer.commands("SET").size(), 0);
        QCOMPARE(peer.commands("DEL").size(), 0);
    }

    void aServerThatIsNotThere()
    {
        const Ran ran = CliProgram::run({"-h", "127.0.0.1", "-p", "1", "acl", "check"});
        VERIFY_EXIT(ran, 3);
        QVERIFY(!ran.err.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCliAcl)
#include "tst_cliacl.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal program says, and does, where those who wait may subscribe to another server than the one it asks.
#include "tests/support/othernodes.h"
#include "tests/system/cliprogram.h"

#include <QRegularExpression>

#include <memory>

using namespace lockscope;

namespace {

const QByteArray anna = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
const QByteArray bert = "7c2f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:8";
const QByteArray queue = "redisson_lock_queue:{lock}";

} // namespace

class TestCliOtherNodes : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void nobodyIsCalledSilent_data()
    {
        QTest::addColumn<bool>("isCluster");
        QTest::addColumn<QString>("why");
        QTest::newRow("replica") << false << QStringLiteral("on another server");
        QTest::newRow("cluster, a node is lost") << true << QStringLiteral("on another server");
    }
    void nobodyIsCalledSilent()
    {
        QFETCH(const bool, isCluster);
        QFETCH(const QString, why);
        const RedisServer server(isCluster ? nodeSettings() : masterSettings());
        RedisServer other(isCluster ? nodeSettings() : replicaSettings(server));
        QVERIFY(isCluster ? makeCluster(server, other) : isInStep(other));
        if (isCluster)
            other.kill();
        server.cli({"HSET", "{lock}", anna, "1"});
        server.cli({"PEXPIRE", "{lock}", "600000"});
        server.cli({"RPUSH", queue, bert});
        server.cli({"ZADD", "redisson_lock_timeout:{lock}", "99999999999999", bert});

        const CliProgram program;
        Ran ran = CliProgram::on(server, {"get", "{lock}", "--explain"});
        VERIFY_EXIT(ran, 0);
        const QString said = QString::fromUtf8(ran.out);
        QVERIFY2(ran.out.contains(bert + ": not subscribed here"), ran.out);
        QVERIFY2(said.contains(why), ran.out);
        QVERIFY2(!said.contains(QStringLiteral("not subscribed (")) && !said.contains(QStringLiteral("dead")),
                 ran.out);

        ran = CliProgram::on(server, {"remove-waiter", "{lock}", "--waiter", bert});
        VERIFY_EXIT(ran, 1);
        QVERIFY2(ran.out.contains("may be subscribed on another server") &&
                     ran.out.contains("may have subscribers too"),
                 ran.out);
        ran = CliProgram::on(server, {"remove-waiter", "{lock}", "--waiter", bert, "--json"});
        VERIFY_EXIT(ran, 1);
        QCOMPARE(jsonIn(ran.out)[QStringLiteral("outcome")].toString(), QStringLiteral("not-heard"));
        QCOMPARE(program.auditRecords().last()[QStringLiteral("outcome")].toString(),
                 QStringLiteral("not-heard"));

        ran = CliProgram::on(server, {"force-expire", "{lock}", "--expect-owner", anna});
        VERIFY_EXIT(ran, 0);
        QVERIFY2(ran.out.contains("not heard here and stay"), ran.out);
        QCOMPARE(server.cli({"EXISTS", "{lock}"}), "0");
        QCOMPARE(server.cli({"LRANGE", queue, "0", "-1"}), bert);
    }

    /// Every node of a cluster is asked.
    void whoIsHeardNowhereIsRemoved()
    {
        const RedisServer server(nodeSettings());
        const RedisServer other(nodeSettings());
        QVERIFY(makeCluster(server, other));
        server.cli({"HSET", "{lock}", anna, "1"});
        server.cli({"PEXPIRE", "{lock}", "600000"});
        server.cli({"RPUSH", queue, bert});
        server.cli({"ZADD", "redisson_lock_timeout:{lock}", "99999999999999", bert});
        const CliProgram program;
        QProcess listener;
        listener.start(QStringLiteral("redis-cli"),
                       {QStringLiteral("-s"), other.socketPath(), QStringLiteral("subscribe"),
                        QString::fromUtf8("redisson_lock__channel:{lock}:" + bert)});
        QVERIFY(listener.waitForStarted());
        QTRY_VERIFY(other.cli({"PUBSUB", "CHANNELS"}).contains("redisson_lock__channel"));
        Ran ran = CliProgram::on(server, {"remove-waiter", "{lock}", "--waiter", bert, "--json"});
        VERIFY_EXIT(ran, 1);
        QCOMPARE(jsonIn(ran.out)[QStringLiteral("outcome")].toString(), QStringLiteral("not-heard"));
        listener.kill();
        listener.waitForFinished();
        QTRY_VERIFY(!other.cli({"PUBSUB", "CHANNELS"}).contains("redisson_lock__channel"));
        ran = CliProgram::on(other, {"get", "{lock}", "--explain"});
        VERIFY_EXIT(ran, 0);
        QVERIFY2(ran.out.contains(bert + ": not subscribed"), ran.out);
        QVERIFY2(!ran.out.contains("ot subscribed here"), ran.out);
        ran = CliProgram::on(other, {"remove-waiter", "{lock}", "--waiter", bert, "--json"});
        VERIFY_EXIT(ran, 0);
        QCOMPARE(jsonIn(ran.out)[QStringLiteral("outcome")].toString(), QStringLiteral("removed"));
        QCOMPARE(server.cli({"EXISTS", queue}), "0");
    }
};

QTEST_GUILESS_MAIN(TestCliOtherNodes)
#include "tst_cliothernodes.moc"

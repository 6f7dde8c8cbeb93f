// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program where Sentinels name the server, and at replicas.
#include "tests/support/sentinelgroup.h"
#include "tests/system/cliprogram.h"

using namespace lockscope;

namespace {

QByteArray at(const RedisServer &server)
{
    return "127.0.0.1:" + QByteArray::number(server.port());
}

/// With these words behind the options that name the group.
Ran on(SentinelGroup &group, const QList<QByteArray> &words, const QStringList &environment = {})
{
    return CliProgram::run(QList<QByteArray>{"--sentinel",
                                             at(group.sentinel(0)) + ',' + at(group.sentinel(1)), "--master",
                                             "orders"} +
                               words,
                           environment);
}

} // namespace

class TestCliSentinels : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void theServerIsFound();
    void whatIsWrongIsSaid();
    void aFailoverIsTold();
    void aReplicaIsCalledOne();
};

void TestCliSentinels::theServerIsFound()
{
    SentinelGroup group({.sentinels = {"requirepass of-sentinels", "sentinel sentinel-pass of-sentinels"}});
    const CliProgram program;
    const QStringList environment{QStringLiteral("LOCKSCOPE_SENTINEL_AUTH=of-sentinels")};
    VERIFY_EXIT(on(group, {"acquire", "lock:a", "--owner", "one", "--lease", "60"}, environment), 0);
    const Ran ran = on(group, {"list", "--json"}, environment);
    VERIFY_EXIT(ran, 0);
    const QJsonValue server = jsonIn(ran.out)[QStringLiteral("server")];
    QCOMPARE(server[QStringLiteral("mode")].toString(), QStringLiteral("sentinel"));
    const QJsonValue node = server[QStringLiteral("nodes")][0];
    QCOMPARE(node[QStringLiteral("address")].toString().toUtf8(), at(group.server(0)));
    QCOMPARE(node[QStringLiteral("role")].toString(), QStringLiteral("primary"));
    QCOMPARE(node[QStringLiteral("locks")].toInt(), 1);
    // Workers find it, too.
    for (const char *processes : {"1", "2"}) {
        const Ran simulated = on(group,
                                 {"simulate", "--strategy", "redisson", "--workers", "4", "--processes",
                                  processes, "--duration", "1"},
                                 environment);
        VERIFY_EXIT(simulated, 0);
    }
    const Ran found = on(group, {"search", "--json"}, environment);
    VERIFY_EXIT(found, 0);

    const Ran refused = on(group, {"list"});
    VERIFY_EXIT(refused, 3);
    QVERIFY2(refused.err.contains("requires a password. Use --sentinel-askpass"), refused.err);
    const Ran wrong = on(group, {"list"}, {QStringLiteral("LOCKSCOPE_SENTINEL_AUTH=canary-7f3d")});
    VERIFY_EXIT(wrong, 3);
    QVERIFY2(wrong.err.contains("refused its own user name or password") && !wrong.err.contains("canary"),
             wrong.err);
}

void TestCliSentinels::whatIsWrongIsSaid()
{
    SentinelGroup group;
    const CliProgram program;
    Ran ran = on(group, {"--master", "payments", "list"});
    VERIFY_EXIT(ran, 2); // given twice
    ran = CliProgram::run({"--sentinel", at(group.sentinel(0)), "--master", "payments", "list"});
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains("does not know payments. It knows: orders."), ran.err);
    ran = CliProgram::run({"--sentinel", at(group.server(0)), "--master", "orders", "list"});
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains("is a data server, not a Sentinel"), ran.err);
    ran = CliProgram::run({"-p", QByteArray::number(group.sentinel(0).port()), "list"});
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains("This is a Redis Sentinel") && ran.err.contains("--master"), ran.err);
    ran = CliProgram::run({"-u", "redis-sentinel://127.0.0.1:1,127.0.0.1:2/orders", "list"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("No Sentinel names the primary"), ran.err);
    // Before they have noticed.
    group.server(0).kill();
    ran = on(group, {"list"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("The primary that the Sentinels name for orders"), ran.err);
    QVERIFY2(ran.err.contains(at(group.server(0))), ran.err);
}

void TestCliSentinels::aFailoverIsTold()
{
    SentinelGroup group;
    group.server(0).cli({"SET", "lock:a", "one", "PX", "600000"});
    QProcess watch;
    watch.start(CliProgram::path(), {QStringLiteral("--sentinel"), QString::fromUtf8(at(group.sentinel(2))),
                                     QStringLiteral("--master"), QStringLiteral("orders"),
                                     QStringLiteral("watch"), QStringLiteral("--json")});
    QByteArrayList events;
    const auto heard = [&](const QByteArray &event) {
        while (watch.canReadLine())
            events << keptJson("watch", watch.readLine());
        return std::ranges::any_of(events,
                                   [&](const QByteArray &line) { return line.contains('"' + event + '"'); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(heard("ready"), 20'000);
    QVERIFY(group.failOver());
    QTRY_VERIFY_WITH_TIMEOUT(heard("failed-over"), SentinelGroup::patience);
    QVERIFY2(heard("disconnected") && heard("reconnected") && !heard("vanished"), events.join());
    const QByteArray told = *std::ranges::find_if(
        events, [](const QByteArray &line) { return line.contains("\"failed-over\""); });
    const QJsonObject event = jsonIn(told);
    QCOMPARE(event[QStringLiteral("from")].toString().toUtf8(), at(group.server(0)));
    QCOMPARE(event[QStringLiteral("to")].toString().toUtf8(), at(group.server(1)));
    QCOMPARE(event[QStringLiteral("locks")].toInt(), 0);
    watch.terminate();
    QVERIFY(watch.waitForFinished());
}

void TestCliSentinels::aReplicaIsCalledOne()
{
    SentinelGroup group;
    group.server(0).cli({"SET", "lock:a", "one", "PX", "600000"});
    group.server(0).cli({"WAIT", "1", "5000"});
    const CliProgram program;
    Ran ran;
    QTRY_VERIFY_WITH_TIMEOUT((ran = on(group, {"--replica", "list", "--json"})).exitCode == 0,
                             SentinelGroup::patience);
    const QJsonValue node = jsonIn(ran.out)[QStringLiteral("server")][QStringLiteral("nodes")][0];
    QCOMPARE(node[QStringLiteral("role")].toString(), QStringLiteral("replica"));
    QCOMPARE(node[QStringLiteral("primary")].toString().toUtf8(), at(group.server(0)));
    QVERIFY2(ran.err.contains("Read from a replica of " + at(group.server(0))), ran.err);
    ran = on(group, {"--replica", "release", "lock:a", "--owner", "one"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("is a read-only replica"), ran.err);
    // The same where it was given itself.
    ran = CliProgram::on(group.server(1), {"list", "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("server")][QStringLiteral("mode")].toString(),
             QStringLiteral("replica"));
    ran = CliProgram::on(group.server(1), {"get", "lock:a"});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.err.contains("Read from a replica"), ran.err);
    ran = CliProgram::on(group.server(1), {"acquire", "lock:b", "--owner", "one", "--lease", "60"});
    VERIFY_EXIT(ran, 3);
    // One that has lost its primary says since when.
    group.sentinel(0).kill();
    group.sentinel(1).kill();
    group.server(0).kill();
    QTRY_VERIFY_WITH_TIMEOUT(
        CliProgram::on(group.server(1), {"list"}).err.contains("The replica lost its link to"), 10'000);
}

QTEST_GUILESS_MAIN(TestCliSentinels)
#include "tst_clisentinels.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// `orphans`: what it finds by heartbeats, what it ends, and what stops it.
#include "tests/support/rediscluster.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QDateTime>
#include <QDir>
#include <QProcess>

using namespace lockscope;

namespace {

const QByteArray hosts = "rql:swarm:hsts";

QByteArray secondsFromNow(qint64 seconds)
{
    return QByteArray::number(QDateTime::currentSecsSinceEpoch() + seconds) + ".25";
}

QByteArray host(const QByteArray &process)
{
    return "rql:hst:" + process + "/2340/2280/0123456789abcdef";
}

QByteArrayList keysIn(const Ran &ran, const char *list)
{
    QByteArrayList keys;
    for (const QJsonValue &each : jsonIn(ran.out)[QLatin1String(list)].toArray())
        keys.append(each[QStringLiteral("lock")][QStringLiteral("key")].toString().toUtf8());
    return keys;
}

QByteArrayList outcomesIn(const Ran &ran)
{
    QByteArrayList outcomes;
    for (const QJsonValue &each : jsonIn(ran.out)[QStringLiteral("orphans")].toArray())
        outcomes.append(each[QStringLiteral("outcome")].toString().toUtf8());
    return outcomes;
}

} // namespace

class TestCliOrphans : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile family(m_families.filePath(QStringLiteral("pulse.toml")));
        QVERIFY(family.open(QIODevice::WriteOnly));
        family.write("name = 'pulse'\nnames.usual = ['pulse:*']\nseveral_owners = true\n"
                     "form = [{ type = 'hash', field = '{client:digits}_{thread:digits}', value = 'R' }]\n"
                     "companion = [{ as = 'heartbeat', key = 'pulses', field = '{client}', "
                     "value = '{since:epoch-s}', dead_after = '2s', every = '1s' }]\n");
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
    }

    void noneAreFound()
    {
        hold("a", "4711", -1);
        m_server.cli({"SET", "lock:b", "no-heartbeats-0123456789", "PX", "600000"});
        const Ran ran = orphans({"--json"});
        VERIFY_EXIT(ran, 0);
        QCOMPARE(jsonIn(ran.out)[QStringLiteral("alive")].toInt(), 1);
        QVERIFY(jsonIn(ran.out)[QStringLiteral("complete")].toBool());
        m_server.cli({"FLUSHALL"});
        VERIFY_EXIT(orphans({}), 0);
    }

    /// A dry run has the evidence and the effects, and changes nothing.
    void aDryRun()
    {
        hold("a", "4711", -1);
        hold("b", "4712", -30);
        const Ran json = orphans({"--json"});
        VERIFY_EXIT(json, 1);
        QCOMPARE(keysIn(json, "orphans"), QByteArrayList{"rql:lock:b"});
        const QJsonValue found = jsonIn(json.out)[QStringLiteral("orphans")].toArray().first();
        QCOMPARE(found[QStringLiteral("rule")].toString(), QStringLiteral("redis-queued-locks"));
        QVERIFY(found[QStringLiteral("effects")].toArray().size() > 1);
        const QJsonValue evidence = found[QStringLiteral("evidence")];
        QCOMPARE(evidence[QStringLiteral("interval_ms")].toInt(), 2000);
        QVERIFY(evidence[QStringLiteral("unchanged_ms")].toInt() >= 4000);
        const QJsonValue holder = evidence[QStringLiteral("holders")].toArray().first();
        QCOMPARE(holder[QStringLiteral("key")].toString().toUtf8(), hosts);
        QVERIFY(holder[QStringLiteral("until_ms")].toDouble() > 0);
        QVERIFY(m_cli.audit().isEmpty());
        const Ran text = orphans({"--rule", "redis-queued-locks"});
        VERIFY_EXIT(text, 1);
        QVERIFY2(text.out.startsWith("Orphans: 1. Likely: 0. Unknown: 0. Alive: 1.\n"), text.out);
        QVERIFY2(text.out.contains("intervals: 2") && text.out.contains("not notified"), text.out);
        VERIFY_EXIT(orphans({"--rule", "juicefs"}), 0);
    }

    void whatIsEndedIsAudited()
    {
        hold("a", "4711", -1);
        hold("b", "4712", -30);
        hold("c", "4713", -40);
        const Ran ran = orphans({"--end", "--json", "--per-minute", "600"});
        VERIFY_EXIT(ran, 0);
        QCOMPARE(outcomesIn(ran), (QByteArrayList{"expired", "expired"}));
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "1");
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:b", "rql:lock:c"}), "0");
        QCOMPARE(m_cli.audit().count("\"heartbeat_ended\":"), 2);
        VERIFY_EXIT(CliProgram::run({"audit", "verify"}), 0);
    }

    /// A reader that crashed, beside one that lives.
    void othersKeepTheLock()
    {
        const QByteArray now = QByteArray::number(QDateTime::currentSecsSinceEpoch());
        m_server.cli({"HSET", "pulses", "7", QByteArray::number(now.toLongLong() - 9)});
        m_server.cli({"HSET", "pulse:a", "7_1", "R", "8_1", "R"});
        QProcess run;
        start(run, {"--families", QFile::encodeName(m_families.path()), "--rule", "pulse", "--end"});
        for (int i = 0; i < 200 && !run.waitForFinished(50); ++i)
            m_server.cli({"HSET", "pulses", "8", QByteArray::number(QDateTime::currentSecsSinceEpoch())});
        QCOMPARE(m_server.cli({"HKEYS", "pulse:a"}), "8_1");
    }

    void aHeartbeatThatResumes()
    {
        hold("a", "4711", -30);
        QProcess run;
        start(run, {"--end"});
        QTRY_VERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_hmget"));
        m_server.cli({"HSET", hosts, host("4711"), secondsFromNow(-25)}); // old, but another one
        QVERIFY(run.waitForFinished(30'000));
        QCOMPARE(run.exitCode(), 3);
        QVERIFY(run.readAllStandardOutput().contains("changed between two readings"));
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "1");
    }

    /// The series stops there: what comes after it is not sent.
    void evidenceThatChangesBeforeTheEnd()
    {
        for (const char *process : {"1", "2", "3"})
            hold(process, process, -30);
        QProcess run;
        start(run, {"--end", "--json", "--per-minute", "30"});
        QTRY_COMPARE_WITH_TIMEOUT(m_server.cli({"EXISTS", "rql:lock:1"}), QByteArray("0"), 15'000);
        m_server.cli({"HSET", hosts, host("2"), secondsFromNow(0)});
        QVERIFY(run.waitForFinished(30'000));
        const Ran ran{run.exitCode(), keptJson("orphans", run.readAllStandardOutput()),
                      run.readAllStandardError()};
        VERIFY_EXIT(ran, 1);
        QCOMPARE(outcomesIn(ran), (QByteArrayList{"expired", "evidence-changed", ""}));
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:2", "rql:lock:3"}), "2");
    }

    void whatMayNotBeReadIsUnknown()
    {
        hold("a", "4712", -30);
        m_server.cli({"ACL", "SETUSER", "some", "on", ">pw", "resetkeys", "~rql:lock*", "+@all"});
        const Ran ran = orphans({"--user", "some", "-a", "pw", "--end", "--json"});
        VERIFY_EXIT(ran, 3);
        QCOMPARE(keysIn(ran, "unknown"), QByteArrayList{"rql:lock:a"});
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "1");
        m_server.cli({"ACL", "DELUSER", "some"});
    }

    void momentsThatMakeNoSense()
    {
        hold("a", "1", 3600);
        hold("b", "2", -30);
        m_server.cli({"HSET", hosts, host("2"), "yesterday"});
        hold("c", "3", -30);
        m_server.cli({"HDEL", hosts, host("3")}); // of a process without heartbeats
        const Ran ran = orphans({"--json"});
        VERIFY_EXIT(ran, 3);
        QCOMPARE(keysIn(ran, "unknown"), (QByteArrayList{"rql:lock:a", "rql:lock:b", "rql:lock:c"}));
    }

    /// It refuses heartbeats, but would end locks.
    void aServerWithoutMemory()
    {
        hold("a", "4711", -30);
        m_server.cli({"CONFIG", "SET", "maxmemory", "100kb"});
        const Ran ran = orphans({"--end"});
        m_server.cli({"CONFIG", "SET", "maxmemory", "0"});
        VERIFY_EXIT(ran, 3);
        QVERIFY2(ran.out.contains("may have refused heartbeats"), ran.out);
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "1");
    }

    /// Its memory, replicas or disk may be well at both readings.
    void aHeartbeatThatIsRefusedBetweenReadings()
    {
        hold("a", "4711", -30);
        m_server.cli({"CONFIG", "RESETSTAT"});
        QProcess run;
        start(run, {"--end", "--json"});
        QTRY_VERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_hmget"));
        QTest::qWait(1000);
        m_server.cli({"CONFIG", "SET", "min-replicas-to-write", "1"});
        m_server.cli({"HSET", hosts, host("4711"), secondsFromNow(0)});
        m_server.cli({"CONFIG", "SET", "min-replicas-to-write", "0"});
        QVERIFY(run.waitForFinished(30'000));
        const Ran ran{run.exitCode(), keptJson("orphans", run.readAllStandardOutput()),
                      run.readAllStandardError()};
        VERIFY_EXIT(ran, 3);
        QCOMPARE(keysIn(ran, "unknown"), QByteArrayList{"rql:lock:a"});
        QVERIFY2(ran.out.contains("writes-refused"), ran.out);
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "1");
    }

    void withoutInfoNothingIsProven()
    {
        hold("a", "4711", -30);
        m_server.cli({"ACL", "SETUSER", "some", "on", ">pw", "allkeys", "&*", "+@all", "-info"});
        const Ran ran = orphans({"--user", "some", "-a", "pw", "--end", "--json"});
        m_server.cli({"ACL", "DELUSER", "some"});
        VERIFY_EXIT(ran, 3);
        QCOMPARE(keysIn(ran, "unknown"), QByteArrayList{"rql:lock:a"});
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "1");
    }

    /// Locks and heartbeats are on different nodes; of each command one node does not answer MOVED.
    void aCluster()
    {
        RedisCluster cluster(3, false);
        for (int i = 0; i < 6; ++i) {
            for (int node = 0; node < 3; ++node)
                holdOn(cluster.node(node), QByteArray::number(i), QByteArray::number(i), i < 3 ? -30 : 0);
        }
        const Ran ran =
            CliProgram::on(cluster.node(0), {"orphans", "--end", "--json", "--per-minute", "6000"});
        VERIFY_EXIT(ran, 0);
        QCOMPARE(keysIn(ran, "orphans"), (QByteArrayList{"rql:lock:0", "rql:lock:1", "rql:lock:2"}));
        QCOMPARE(outcomesIn(ran), QByteArrayList(3, "expired"));
        QByteArray left;
        for (int node = 0; node < 3; ++node)
            left += cluster.node(node).cli({"KEYS", "rql:lock:*"});
        QCOMPARE(left.count("rql:lock:"), 3);
    }

    void refusals()
    {
        hold("a", "4711", -30);
        const Ran unknown = orphans({"--rule", "redisson"});
        VERIFY_EXIT(unknown, 2);
        QVERIFY2(unknown.err.contains("gocraft-work, harbor, juicefs or redis-queued-locks"), unknown.err);
        VERIFY_EXIT(orphans({"--per-minute", "5"}), 2);
        VERIFY_EXIT(CliProgram::run({"orphans", "--redlock", "localhost:1,localhost:2,localhost:3"}), 2);
        VERIFY_EXIT(orphans({"--end", "--per-minute", "0"}), 2);
        VERIFY_EXIT(orphans({"--end", "--read-only"}), 4);
        const Ran production = orphans({"--end", "--environment", "production"});
        VERIFY_EXIT(production, 4);
        VERIFY_EXIT(orphans({"--end", "--environment", "production", "--confirm", "another"}), 4);
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "1");
        VERIFY_EXIT(orphans({"--end", "--environment", "production", "--confirm",
                             QFile::encodeName(m_server.socketPath())}),
                    0);
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:a"}), "0");
    }

    /// A signal between two requests: the rest is not sent, and what was done is told.
    void aSignalEndsTheSeries()
    {
        hold("a", "1", -30);
        hold("b", "2", -30);
        QProcess run;
        start(run, {"--end", "--per-minute", "1"});
        QTRY_COMPARE_WITH_TIMEOUT(m_server.cli({"EXISTS", "rql:lock:a"}), QByteArray("0"), 15'000);
        run.terminate();
        QVERIFY(run.waitForFinished(10'000));
        QVERIFY(run.exitCode() != 0);
        QVERIFY(run.readAllStandardOutput().contains("The lock was force-expired."));
        QCOMPARE(m_server.cli({"EXISTS", "rql:lock:b"}), "1");
    }

    /// A short form of tests/reliability/orphans.py.
    void holdersThatAreKilled()
    {
        const Ran ran =
            runProgram(QStringLiteral("/usr/bin/python3"),
                       {LOCKSCOPE_SOURCE_DIR "/tests/reliability/orphans.py",
                        QFile::encodeName(CliProgram::path()), "--killed", "8", "--living", "8", "--after",
                        "0", "--before", "3", "--slack", "10", "--rules", "redis-queued-locks"});
        QVERIFY2(ran.exitCode == 0, ran.out + ran.err);
        QVERIFY2(ran.out.contains("locks of living holders that ended: 0"), ran.out);
    }

private:
    Ran orphans(const QList<QByteArray> &options) const
    {
        return CliProgram::on(m_server, QList<QByteArray>{"orphans"} + options);
    }
    void start(QProcess &run, const QList<QByteArray> &options) const
    {
        QStringList arguments{QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("orphans")};
        for (const QByteArray &option : options)
            arguments.append(QFile::decodeName(option));
        run.start(CliProgram::path(), arguments);
    }
    /// A lock whose process sent its last heartbeat so many seconds from now.
    void hold(const QByteArray &name, const QByteArray &process, qint64 beat)
    {
        holdOn(m_server, name, process, beat);
    }
    static void holdOn(const RedisServer &server, const QByteArray &name, const QByteArray &process,
                       qint64 beat)
    {
        server.cli({"HSET", "rql:lock:" + name, "acq_id",
                    "rql:acq:" + process + "/2340/2360/2280/0123456789abcdef", "hst_id", host(process), "ts",
                    secondsFromNow(std::min<qint64>(beat, 0) - 5), "ini_ttl", "600000"});
        server.cli({"PEXPIRE", "rql:lock:" + name, "600000"});
        server.cli({"HSET", hosts, host(process), secondsFromNow(beat)});
    }

    CliProgram m_cli;
    RedisServer m_server;
    QTemporaryDir m_families;
};

QTEST_GUILESS_MAIN(TestCliOrphans)
#include "tst_cliorphans.moc"

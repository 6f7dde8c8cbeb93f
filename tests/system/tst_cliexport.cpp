// SPDX-License-Identifier: GPL-3.0-or-later
// `export` as Prometheus scrapes it, and the documents that name its metrics.
#include "tests/support/rediscluster.h"
#include "tests/support/redisserver.h"
#include "tests/system/exporter.h"

#include <QRegularExpression>
#include <QTcpServer>
#include <QTcpSocket>

#include <csignal>
#include <memory>
#include <vector>

using namespace lockscope;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7:";
constexpr int patienceMs = 30'000;

} // namespace

class TestCliExport : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
    }
    void answersAsHttpDoes();
    void anotherParserReadsIt();
    void followsTheLocks();
    void waitsAreCounted();
    void withoutAServerNothingIsKnown();
    void theMonitorUserIsEnough();
    void whatStandsBesideCountsToo();
    void aCluster();
    void endsAndRefuses();
    void anEndlessRequestIsCutOff();
    void silentConnectionsMakeRoom();

private:
    CliProgram m_program;
    RedisServer m_server;
};

void TestCliExport::answersAsHttpDoes()
{
    Exporter exporter(m_server);
    QTRY_COMPARE(exporter.value("lockscope_scan_complete"), 1.0);
    const auto open = exporter.fetch();
    QCOMPARE(open.status, 200);
    QCOMPARE(open.type, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    QVERIFY(open.body.endsWith("\n# EOF\n"));
    const auto plain = exporter.fetch(QStringLiteral("/metrics"), "text/plain");
    QCOMPARE(plain.type, "text/plain; version=0.0.4; charset=utf-8");
    QVERIFY(!plain.body.contains("# EOF"));
    const auto root = exporter.fetch(QStringLiteral("/"));
    QCOMPARE(root.status, 200);
    QVERIFY(root.body.contains("/metrics"));
    QCOMPARE(exporter.fetch(QStringLiteral("/metrics/")).status, 404);
    QCOMPARE(exporter.fetch(QStringLiteral("/metrics"), "application/openmetrics-text;q=0.1,text/plain").type,
             plain.type);
    const QByteArray url = exporter.url.toEncoded();
    const Ran head = runProgram(QStringLiteral("/usr/bin/env"), {"curl", "-sI", "-m", "10", url});
    QVERIFY2(head.out.startsWith("HTTP/1.1 200") && head.out.contains("Content-Length: "),
             head.out + head.err);
    // As it is on the wire: Qt unpacks what it has asked for by itself.
    const Ran packed =
        runProgram(QStringLiteral("/usr/bin/env"), {"curl", "-s", "-H", "Accept-Encoding: gzip", url});
    QVERIFY2(packed.out.startsWith("\x1f\x8b"), packed.out + packed.err);
    const Ran unpacked = runProgram(QStringLiteral("/usr/bin/env"), {"gzip", "-dc"}, packed.out);
    QVERIFY2(unpacked.out.contains("lockscope_up 1\n"), unpacked.out.left(300) + unpacked.err);
    QVERIFY(exporter.value("process_resident_memory_bytes") > 1'000'000);
    QVERIFY(exporter.value("process_open_fds") > 3);
    QVERIFY(exporter.value("process_start_time_seconds") > 1.7e9);
    for (const char *verb : {"POST", "PUT", "DELETE"}) {
        const auto refused = exporter.fetch(QStringLiteral("/metrics"), openMetrics, verb);
        QCOMPARE(refused.status, 405);
        QCOMPARE(refused.allow, "GET, HEAD");
    }
}

void TestCliExport::anotherParserReadsIt()
{
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    Exporter exporter(m_server);
    QTRY_COMPARE(exporter.value("lockscope_scan_complete"), 1.0);
    const QByteArray program =
        "import sys\n"
        "from prometheus_client.openmetrics.parser import text_string_to_metric_families as o\n"
        "from prometheus_client.parser import text_string_to_metric_families as p\n"
        "for f in (o if sys.argv[1] == 'open' else p)(sys.stdin.read()):\n"
        "    print(f.name, f.type, f.unit, len(f.samples))\n";
    const Ran open =
        runProgram(QStringLiteral("/usr/bin/python3"), {"-c", program, "open"}, exporter.fetch().body);
    VERIFY_EXIT(open, 0);
    for (const char *line :
         {"lockscope_build info  1\n", "lockscope_data_age_seconds gauge seconds 1\n",
          "lockscope_feed stateset  3\n", "lockscope_events counter  17\n",
          "process_cpu_seconds counter seconds 1\n", "lockscope_scan_server_seconds counter seconds 1\n",
          "lockscope_locks gauge  4\n"})
        QVERIFY2(open.out.contains(line), reported(open));
    const Ran plain = runProgram(QStringLiteral("/usr/bin/python3"), {"-c", program, "plain"},
                                 exporter.fetch(QStringLiteral("/metrics"), "text/plain").body);
    VERIFY_EXIT(plain, 0);
    QCOMPARE(plain.out.count('\n'), open.out.count('\n'));
}

void TestCliExport::followsTheLocks()
{
    const QByteArray hostile = "lock:\"} 1\n\xff";
    m_server.cli({"SET", hostile, "tok-\"\n", "PX", "600000"});
    Exporter exporter(m_server);
    const QByteArray tokens = "lockscope_locks{family=\"token\",state=\"held\"}";
    QTRY_COMPARE(exporter.value(tokens), 1.0);
    QVERIFY(!exporter.fetch().body.contains("lock:"));
    m_server.cli({"HSET", "lock:bad", uuid + '1', "none"});
    m_server.cli({"PEXPIRE", "lock:bad", "600000"});
    QTRY_COMPARE(exporter.value("lockscope_locks_with_problem{problem=\"bad-count\"}"), 1.0);
    m_server.cli({"SET", "lock:b", "another-0123456789", "PX", "600000"});
    QTRY_COMPARE(exporter.value(tokens), 2.0);
    QCOMPARE(exporter.value("lockscope_events_total{event=\"found\"}"), 1.0);
    QTRY_COMPARE(exporter.value("lockscope_locks_held_at_least{seconds=\"1\"}"), 3.0);
    QVERIFY(exporter.value("lockscope_longest_hold_seconds") >= 1.0);
    QCOMPARE(exporter.value("lockscope_locks_held_at_least{seconds=\"3600\"}"), 0.0);
    m_server.cli({"DEL", "lock:b"});
    QTRY_COMPARE(exporter.value("lockscope_events_total{event=\"released\"}"), 1.0);
    // This user's forced expiry is told as what it is.
    const Ran forced = CliProgram::on(m_server, {"force-expire", hostile, "--expect-owner", "tok-\"\n"});
    VERIFY_EXIT(forced, 0);
    QTRY_COMPARE(exporter.value("lockscope_events_total{event=\"forced\"}"), 1.0);
    QCOMPARE(exporter.value("lockscope_events_total{event=\"released\"}"), 1.0);
    QTRY_COMPARE(exporter.value(tokens), -1.0);
    QCOMPARE(exporter.errors(), "");
}

void TestCliExport::waitsAreCounted()
{
    for (const auto &[key, owner, waiter] :
         {std::tuple("lock:a", "1", "2"), std::tuple("lock:b", "2", "1")}) {
        m_server.cli({"HSET", key, uuid + owner, "1"});
        m_server.cli({"PEXPIRE", key, "600000"});
        m_server.cli({"RPUSH", QByteArray("redisson_lock_queue:{") + key + '}', uuid + waiter});
    }
    Exporter exporter(m_server);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_deadlocks"), 1.0, patienceMs);
    QCOMPARE(exporter.value("lockscope_waiters{certainty=\"exact\"}"), 2.0);
    QCOMPARE(exporter.value("lockscope_locks_by_waiters{certainty=\"exact\"}"), 2.0);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_dead_waiters"), 2.0, patienceMs);
}

/// Neither at first nor later; and it is connected to by itself.
void TestCliExport::withoutAServerNothingIsKnown()
{
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    m_server.stop();
    Exporter exporter(m_server);
    const auto isUnknown = [&] {
        const QByteArray page = exporter.fetch().body;
        return page.contains("\nlockscope_up 0\n") && !page.contains("lockscope_locks") &&
               !page.contains("lockscope_deadlocks") && !page.contains("lockscope_scan_complete");
    };
    QTRY_VERIFY(isUnknown());
    m_server.start();
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_locks{family=\"token\",state=\"held\"}"), 1.0,
                              patienceMs);
    QCOMPARE(exporter.value("lockscope_up"), 1.0);
    m_server.kill();
    QTRY_VERIFY(isUnknown());
    QCOMPARE(exporter.value("lockscope_disconnections_total"), 1.0);
    QVERIFY(!exporter.errors().isEmpty());
    m_server.start();
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_up"), 1.0, patienceMs);
    QTRY_COMPARE(exporter.value("lockscope_scan_complete"), 1.0);
}

void TestCliExport::theMonitorUserIsEnough()
{
    const Ran line = CliProgram::run({"acl", "monitor"});
    VERIFY_EXIT(line, 0);
    QCOMPARE(m_server.cli(line.out.trimmed().split(' ')), "OK");
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    m_server.cli({"ACL", "LOG", "RESET"});
    Exporter exporter(m_server, {QStringLiteral("--user"), QStringLiteral("monitor"), QStringLiteral("-a"),
                                 QStringLiteral("choose-a-password")});
    QTRY_COMPARE(exporter.value("lockscope_locks{family=\"token\",state=\"held\"}"), 1.0);
    QTRY_VERIFY(exporter.value("lockscope_scans_total") >= 2);
    QCOMPARE(exporter.value("lockscope_unreadable_keys"), 0.0);
    QCOMPARE(m_server.cli({"ACL", "LOG"}), "");
}

/// All locks are read, but not who waits for them.
void TestCliExport::whatStandsBesideCountsToo()
{
    m_server.cli({"ACL", "SETUSER", "narrow", "on", ">secret", "~lock:*", "&*", "+@all"});
    m_server.cli({"HSET", "lock:a", uuid + "1", "1"});
    m_server.cli({"PEXPIRE", "lock:a", "600000"});
    Exporter exporter(m_server,
                      {QStringLiteral("--user"), QStringLiteral("narrow"), QStringLiteral("-a"),
                       QStringLiteral("secret"), QStringLiteral("--pattern"), QStringLiteral("lock:*")});
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_scan_complete"), 0.0, patienceMs);
    QCOMPARE(exporter.value("lockscope_unreadable_keys"), 0.0);
    m_server.cli({"ACL", "DELUSER", "narrow"});
}

void TestCliExport::aCluster()
{
    RedisCluster cluster(3, false, RedisCluster::Coverage::Partial);
    for (int i = 0; i < 3; ++i)
        cluster.node(i).cli({"SET", cluster.keyOn(cluster.node(i), "lock:%1"), "tok-0123456789"});
    Exporter exporter(cluster.node(0));
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_locks{family=\"token\",state=\"held\"}"), 3.0,
                              patienceMs);
    QCOMPARE(exporter.value("lockscope_nodes{state=\"ready\"}"), 3.0);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_scan_complete"), 1.0, patienceMs);
    for (int i = 0; i < 3; ++i)
        cluster.node(i).cli({"CLUSTER", "DELSLOTS", "0"});
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_scan_complete"), 0.0, patienceMs);
    cluster.node(0).cli({"CLUSTER", "ADDSLOTS", "0"}); // the others hear of it
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_scan_complete"), 1.0, patienceMs);
    cluster.node(1).kill();
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_nodes{state=\"missing\"}"), 1.0, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_scan_complete"), 0.0, patienceMs);
    QCOMPARE(exporter.value("lockscope_up"), 1.0);
}

void TestCliExport::endsAndRefuses()
{
    Exporter exporter(m_server);
    const QByteArray port = QByteArray::number(exporter.url.port());
    const Ran taken = CliProgram::on(m_server, {"export", "--listen", "127.0.0.1:" + port});
    VERIFY_EXIT(taken, 3);
    QVERIFY2(taken.err.contains("in use"), taken.err);
    QCOMPARE(exporter.end(), 0);
    for (const QByteArray address : {"9121", "host.example:9121", "127.0.0.1:", "127.0.0.1:x", "::1:9121",
                                     "[127.0.0.1]:9121", "127.0.0.1:65536", ""})
        VERIFY_EXIT(CliProgram::on(m_server, {"export", "--listen", address}), 2);
    VERIFY_EXIT(CliProgram::on(m_server, {"export"}), 2);
    VERIFY_EXIT(CliProgram::on(m_server, {"list", "--listen", ":0"}), 2);
}

void TestCliExport::anEndlessRequestIsCutOff()
{
    Exporter exporter(m_server);
    QTcpSocket socket;
    socket.connectToHost(exporter.url.host(), quint16(exporter.url.port()));
    QVERIFY(socket.waitForConnected());
    socket.write("GET /metrics HTTP/1.1\r\nX: ");
    for (int i = 0; i < 1000 && socket.state() == QAbstractSocket::ConnectedState; ++i) {
        socket.write(QByteArray(1000, 'x'));
        QTest::qWait(1);
    }
    QTRY_COMPARE(socket.state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(exporter.fetch().status, 200);
}

/// Somebody opens connections and says nothing.
void TestCliExport::silentConnectionsMakeRoom()
{
    Exporter exporter(m_server);
    std::vector<std::unique_ptr<QTcpSocket>> silent;
    for (int i = 0; i < 80; ++i) {
        silent.push_back(std::make_unique<QTcpSocket>());
        silent.back()->connectToHost(exporter.url.host(), quint16(exporter.url.port()));
        QVERIFY(silent.back()->waitForConnected());
    }
    QCOMPARE(exporter.fetch().status, 200);
    QTRY_COMPARE(silent.front()->state(), QAbstractSocket::UnconnectedState);
}

QTEST_GUILESS_MAIN(TestCliExport)
#include "tst_cliexport.moc"

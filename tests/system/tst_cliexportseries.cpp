// SPDX-License-Identifier: GPL-3.0-or-later
// `export`: distributions, stored servers, polling clients, and the files that name its metrics.
#include "tests/support/redisserver.h"
#include "tests/system/exporter.h"

#include <QRegularExpression>

#include <vector>

using namespace lockscope;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7:";
constexpr int patienceMs = exporterPatienceMs;

QByteArray contentOf(const QString &path)
{
    QFile file(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/") + path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("can't read %s", qPrintable(path));
    return file.readAll();
}

QSet<QString> metricsIn(const QByteArray &text, const QString &pattern)
{
    QSet<QString> names;
    static const QRegularExpression ofHistogram(QStringLiteral("_(bucket|count|sum)$"));
    for (auto match = QRegularExpression(pattern, QRegularExpression::MultilineOption)
                          .globalMatch(QString::fromUtf8(text));
         match.hasNext();)
        names.insert(match.next().captured(1).remove(ofHistogram));
    return names;
}

QByteArray promtool(const QByteArrayList &arguments, const QByteArray &input = {})
{
    // From PATH, or as packaging/unpack-promtool leaves it.
    const QString own = QStringLiteral(LOCKSCOPE_SOURCE_DIR "/build/promtool/promtool");
    const Ran ran = QFile::exists(own) ? runProgram(own, arguments, input)
                                       : runProgram(QStringLiteral("/usr/bin/env"),
                                                    QByteArrayList{"promtool"} + arguments, input);
    return ran.exitCode == 0 ? QByteArray() : "run packaging/unpack-promtool? " + ran.out + ran.err;
}

/// Settings of a user's own with these servers.
QByteArray settingsWith(const QTemporaryDir &home, const QList<std::pair<QByteArray, QByteArray>> &servers)
{
    QDir(home.path()).mkpath(QStringLiteral("lockscope"));
    QFile file(home.filePath(QStringLiteral("lockscope/Lockscope.conf")));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("no settings");
    file.write("[recentServers]\n");
    int number = 0;
    for (const auto &[name, uri] : servers) {
        const QByteArray at = QByteArray::number(++number) + '\\';
        file.write(at + "name=" + name + '\n' + at + "uri=" + uri + '\n' + at + "environment=production\n");
    }
    file.write("size=" + QByteArray::number(number) + '\n');
    return QFile::encodeName(home.path());
}

} // namespace

class TestCliExportSeries : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
    }
    void documentsNameTheMetrics();
    void distributions();
    void seriesAreFew();
    void storedServers();
    void sessionsOfProbesAreFew();
    void pollers();
    void pollersOfANamedUser();
    void theAlertRules();

private:
    /// A hold of a Redisson lock seen whole, and a wait for it.
    void makeContention(Exporter &exporter)
    {
        QTRY_COMPARE(exporter.value("lockscope_scan_complete"), 1.0);
        const auto hold = [this](const QByteArray &owner) {
            m_server.cli({"HSET", "lock:busy", uuid + owner, "1"});
            m_server.cli({"PEXPIRE", "lock:busy", "60000"});
        };
        const QByteArray acquired = "lockscope_events_total{event=\"acquired\"}";
        const double before = exporter.value(acquired);
        hold("1");
        QTRY_VERIFY(exporter.value(acquired) > before);
        QTest::qWait(1000); // the queue is empty, as far as anybody reads it
        m_server.cli({"RPUSH", "redisson_lock_queue:{lock:busy}", uuid + '2'});
        QTRY_VERIFY(exporter.value("lockscope_waiters{certainty=\"exact\"}") >= 1);
        m_server.cli({"LPOP", "redisson_lock_queue:{lock:busy}"});
        m_server.cli({"DEL", "lock:busy"});
        hold("2");
        QTRY_COMPARE_WITH_TIMEOUT(
            exporter.value("lockscope_hold_seconds_count{family=\"redisson-fair\",pattern=\"lock:*\"}") +
                exporter.value("lockscope_hold_seconds_count{family=\"redisson\",pattern=\"lock:*\"}"),
            0.0, patienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(exporter.fetch().body.contains("lockscope_wait_seconds_count{"), patienceMs);
    }

    CliProgram m_program;
    RedisServer m_server;
};

void TestCliExportSeries::documentsNameTheMetrics()
{
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    Exporter exporter(m_server);
    makeContention(exporter);
    QTRY_VERIFY_WITH_TIMEOUT(exporter.value("lockscope_polling_clients") >= 0, patienceMs);
    const QSet<QString> exported =
        metricsIn(exporter.fetch().body, QStringLiteral("^(lockscope_[a-z_]+)[{ ]"));
    QVERIFY(exported.size() > 15);
    const QString anywhere = QStringLiteral("\\b(lockscope_[a-z_]+)\\b(?!=)");
    QSet<QString> documented = metricsIn(contentOf(QStringLiteral("packaging/docs/metrics.md")), anywhere);
    documented.remove(QStringLiteral("lockscope_server_evicted_keys")); // this server evicts nothing
    documented.remove(QStringLiteral("lockscope_down_reason"));         // it is connected
    QCOMPARE(documented, exported);

    const QByteArray dashboard = contentOf(QStringLiteral("packaging/grafana/lockscope.json"));
    QByteArray expressions;
    for (const QJsonValue &panel : jsonIn(dashboard)[QStringLiteral("panels")].toArray()) {
        for (const QJsonValue &target : panel[QStringLiteral("targets")].toArray())
            expressions += target[QStringLiteral("expr")].toString().toUtf8() + '\n';
    }
    QSet<QString> shown = metricsIn(expressions, QStringLiteral("\\b(lockscope_[a-z_]+)\\{"));
    shown.remove(QStringLiteral("lockscope_down_reason"));
    QCOMPARE(shown, exported);
}

void TestCliExportSeries::distributions()
{
    Exporter exporter(m_server);
    makeContention(exporter);
    const QByteArray page = exporter.fetch(QStringLiteral("/metrics"), "text/plain").body;
    for (const char *line :
         {"# TYPE lockscope_hold_seconds histogram\n", "# TYPE lockscope_wait_seconds histogram\n",
          "pattern=\"lock:*\",le=\"0.005\"} 0\n", "le=\"+Inf\"} 1\n",
          "\nlockscope_order_inversions_total 0\n"})
        QVERIFY2(page.contains(line), page);
    QCOMPARE(promtool({"check", "metrics"}, page), "");
    const Ran open =
        runProgram(QStringLiteral("/usr/bin/python3"),
                   {"-c", "import sys\n"
                          "from prometheus_client.openmetrics.parser import text_string_to_metric_families\n"
                          "print([f.name for f in text_string_to_metric_families(sys.stdin.read()) if f.type "
                          "== 'histogram'])"},
                   exporter.fetch().body);
    QCOMPARE(open.out + open.err, "['lockscope_hold_seconds', 'lockscope_wait_seconds']\n");
    const QByteArray waited = "lockscope_waited_seconds_total{";
    const qsizetype at = page.indexOf('\n' + waited);
    QVERIFY(page.mid(page.indexOf("} ", at) + 2, 8).toDouble() > 0);
    QCOMPARE(exporter.errors(), "");
}

/// Ten patterns have their own, whatever there is.
void TestCliExportSeries::seriesAreFew()
{
    QStringList options;
    for (int i = 0; i < 30; ++i)
        options += {QStringLiteral("--pattern"), QStringLiteral("p%1:*").arg(i)};
    Exporter exporter(m_server, options);
    QTRY_COMPARE(exporter.value("lockscope_scan_complete"), 1.0);
    for (int i = 0; i < 30; ++i)
        m_server.cli({"SET", "p" + QByteArray::number(i) + ":a", "another-0123456789", "PX", "600000"});
    QTRY_COMPARE(exporter.value("lockscope_events_total{event=\"acquired\"}"), 30.0);
    for (int i = 0; i < 30; ++i)
        m_server.cli({"DEL", "p" + QByteArray::number(i) + ":a"});
    const QByteArray others = "lockscope_hold_seconds_count{family=\"other\",pattern=\"other\"}";
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value(others), 20.0, patienceMs);
    const QByteArray page = exporter.fetch().body;
    QCOMPARE(page.count("lockscope_hold_seconds_count{"), 11);
    qsizetype series = 0;
    for (const QByteArray &line : page.split('\n'))
        series += !line.isEmpty() && !line.startsWith('#');
    QVERIFY2(series <= 400, QByteArray::number(series));
    QVERIFY(page.size() < 100'000);
}

void TestCliExportSeries::storedServers()
{
    const RedisServer other({QStringLiteral("--requirepass"), QStringLiteral("a-secret-word")});
    const QTemporaryDir home;
    const QByteArray configured = qgetenv("XDG_CONFIG_HOME");
    const auto there = "unix://" + QFile::encodeName(m_server.socketPath());
    const QByteArray settings =
        settingsWith(home, {{"orders", there},
                            {"locked", "redis://127.0.0.1:" + QByteArray::number(other.port())},
                            {"known", "redis://127.0.0.1:" + QByteArray::number(other.port()) + "/1"},
                            {"gone", "redis://127.0.0.1:1"}});
    QFile password(home.filePath(QStringLiteral("known")));
    QVERIFY(password.open(QIODevice::WriteOnly) && password.write("a-secret-word\n") > 0 && password.flush());
    qputenv("CREDENTIALS_DIRECTORY", QFile::encodeName(home.path()));
    qputenv("XDG_CONFIG_HOME", settings);
    m_server.cli({"SET", "lock:a", "tok-0123456789", "PX", "600000"});
    Exporter exporter(m_server, {QStringLiteral("--pattern"), QStringLiteral("none:*")});
    qunsetenv("CREDENTIALS_DIRECTORY");
    configured.isEmpty() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", configured);
    const auto pathOf = [](const QString &name) { return QStringLiteral("/probe?target=") + name; };

    const auto first = exporter.fetch(pathOf(QStringLiteral("orders")));
    QCOMPARE(first.status, 200);
    QTRY_COMPARE(exporter.value("lockscope_up", pathOf(QStringLiteral("orders"))), 1.0);
    QTRY_COMPARE(exporter.value("lockscope_scan_complete", pathOf(QStringLiteral("orders"))), 1.0);
    QCOMPARE(exporter.value("lockscope_down_reason{reason=\"connecting\"}", pathOf(QStringLiteral("orders"))),
             -1.0);
    exporter.fetch(pathOf(QStringLiteral("locked")));
    QTRY_COMPARE(exporter.value("lockscope_down_reason{reason=\"login\"}", pathOf(QStringLiteral("locked"))),
                 1.0);
    QCOMPARE(exporter.value("lockscope_up", pathOf(QStringLiteral("locked"))), 0.0);
    QTRY_COMPARE(exporter.value("lockscope_down_reason{reason=\"connection-refused\"}",
                                pathOf(QStringLiteral("gone"))),
                 1.0);
    exporter.fetch(pathOf(QStringLiteral("known")));
    QTRY_COMPARE(exporter.value("lockscope_up", pathOf(QStringLiteral("known"))), 1.0);
    const auto unknown = exporter.fetch(pathOf(QStringLiteral("nope")));
    QCOMPARE(unknown.status, 404);
    QVERIFY2(unknown.body.startsWith("Unknown target. ") && !unknown.body.contains("orders"), unknown.body);
    QCOMPARE(exporter.fetch(QStringLiteral("/probe")).status, 400);
    QCOMPARE(exporter.fetch(QStringLiteral("/probe?target=")).status, 400);
    QCOMPARE(exporter.fetch(QStringLiteral("/probe?target=%ff%00")).status, 404);
    for (const char *name : {"orders", "locked", "known", "gone"}) {
        const QByteArray page = exporter.fetch(pathOf(QString::fromLatin1(name))).body;
        QVERIFY(!page.contains("127.0.0.1") && !page.contains("secret") && !page.contains("/tmp"));
    }
    // It is connected once, however often it is asked for, and forgotten when it is stored no more.
    const QByteArray clients = m_server.cli({"CLIENT", "LIST"});
    QVERIFY2(clients.count("name=lockscope-cli ") <= 6, clients); // of two sessions
    settingsWith(home, {});
    QTRY_COMPARE(exporter.fetch(pathOf(QStringLiteral("orders"))).status, 404);
    QTRY_VERIFY(m_server.cli({"CLIENT", "LIST"}).count("name=lockscope-cli ") <
                clients.count("name=lockscope-cli "));
    QCOMPARE(exporter.value("lockscope_up"), 1.0);
}

void TestCliExportSeries::sessionsOfProbesAreFew()
{
    const QTemporaryDir home;
    const QByteArray configured = qgetenv("XDG_CONFIG_HOME");
    QList<std::pair<QByteArray, QByteArray>> servers;
    for (int i = 0; i < 33; ++i)
        servers.append({"s" + QByteArray::number(i), "redis://127.0.0.1:1/" + QByteArray::number(i)});
    qputenv("XDG_CONFIG_HOME", settingsWith(home, servers));
    Exporter exporter(m_server);
    configured.isEmpty() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", configured);
    for (int i = 0; i < 33; ++i)
        QCOMPARE(exporter.fetch(QStringLiteral("/probe?target=s%1").arg(i)).status, i < 32 ? 200 : 503);
    QCOMPARE(exporter.fetch(QStringLiteral("/probe?target=s5")).status, 200);
    QCOMPARE(exporter.end(), 0);
}

void TestCliExportSeries::pollers()
{
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    Exporter exporter(m_server);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_polling_clients"), 0.0, patienceMs);
    std::vector<std::unique_ptr<QProcess>> polling;
    for (int i = 0; i < 4; ++i) {
        polling.push_back(std::make_unique<QProcess>());
        polling.back()->start(QStringLiteral("redis-cli"),
                              {QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("-r"),
                               QStringLiteral("-1"), QStringLiteral("-i"), QStringLiteral("0.05"),
                               QStringLiteral("SET"), QStringLiteral("lock:a"), QStringLiteral("mine"),
                               QStringLiteral("NX")});
    }
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_polling_clients"), 4.0, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_polling_clients_low"), 4.0, patienceMs);
    QCOMPARE(exporter.value("lockscope_polling_clients_high"), 4.0);
    for (const auto &each : polling) {
        each->kill();
        each->waitForFinished();
    }
    QTRY_COMPARE_WITH_TIMEOUT(exporter.value("lockscope_polling_clients_high"), 0.0, patienceMs);
}

/// Only where it is asked for, and a refusal is not repeated.
void TestCliExportSeries::pollersOfANamedUser()
{
    const Ran line = CliProgram::run({"acl", "monitor"});
    m_server.cli(line.out.trimmed().split(' '));
    m_server.cli({"ACL", "LOG", "RESET"});
    m_server.cli({"SET", "lock:a", "tok-0123456789"});
    const QStringList login{QStringLiteral("--user"), QStringLiteral("monitor"), QStringLiteral("-a"),
                            QStringLiteral("choose-a-password")};
    Exporter without(m_server, login);
    Exporter with(m_server, login + QStringList{QStringLiteral("--pollers")});
    const auto refusals = [this] { return m_server.cli({"ACL", "LOG"}).count("\nclient|list\n"); };
    QTRY_COMPARE(refusals(), 1);
    for (Exporter *each : {&with, &without})
        QTRY_VERIFY(each->value("lockscope_scans_total") >= 3);
    QTest::qWait(2000);
    QCOMPARE(refusals(), 1);
    QVERIFY(m_server.cli({"ACL", "LOG"}).startsWith("count\n1\n"));
    QCOMPARE(with.value("lockscope_polling_clients"), -1.0);
    m_server.cli({"ACL", "SETUSER", "monitor", "+client|list"});
    Exporter permitted(m_server, login + QStringList{QStringLiteral("--pollers")});
    QTRY_COMPARE_WITH_TIMEOUT(permitted.value("lockscope_polling_clients"), 0.0, patienceMs);
    m_server.cli({"ACL", "DELUSER", "monitor"});
}

void TestCliExportSeries::theAlertRules()
{
    const QByteArray file = LOCKSCOPE_SOURCE_DIR "/packaging/grafana/lockscope.rules.yml";
    QCOMPARE(promtool({"check", "rules", file}), "");
    // Of metrics that there are.
    const QSet<QString> used = metricsIn(contentOf(QStringLiteral("packaging/grafana/lockscope.rules.yml")),
                                         QStringLiteral("\\b(lockscope_[a-z_]+)\\b"));
    const QSet<QString> documented = metricsIn(contentOf(QStringLiteral("packaging/docs/metrics.md")),
                                               QStringLiteral("\\b(lockscope_[a-z_]+)\\b(?!=)"));
    QVERIFY(used.size() > 8);
    QVERIFY2(documented.contains(used), qPrintable(QStringList((used - documented).values()).join(u' ')));
}

QTEST_GUILESS_MAIN(TestCliExportSeries)
#include "tst_cliexportseries.moc"

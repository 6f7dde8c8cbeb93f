// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/holderprobe.h"

#include "core/redis/connection.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

Lock lockOf(const QByteArray &owner, const OwnerFacts &facts = {})
{
    Lock lock;
    lock.address.key = LockKey("lock:a");
    lock.family = "token"_family;
    lock.type = KeyType::String;
    lock.owners = {{OwnerId(owner), {}, 1}};
    lock.owners.first().recorded = SharedValue(facts);
    return lock;
}

/// True if no such process runs; one that waits for its parent is none.
bool isGone(const QByteArray &pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(QString::fromLatin1(pid)));
    return !file.open(QIODevice::ReadOnly) || file.readAll().contains(") Z ");
}

} // namespace

class TestHolderProbe : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_directory = std::make_unique<QTemporaryDir>();
        m_audit = std::make_unique<AuditLog>(m_directory->filePath(QStringLiteral("state/audit.jsonl")));
    }

    void fillsACommandIn_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<OwnerFacts>("facts");
        QTest::addColumn<QByteArray>("owner");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const char *command, const QByteArray &host,
                            const QByteArray &process, const QByteArray &owner, const char *expected) {
            OwnerFacts facts;
            facts.host = host;
            facts.process = process;
            QTest::newRow(name) << QString::fromUtf8(command) << facts << owner
                                << QString::fromUtf8(expected);
        };
        const char *ssh = "ssh {host} kill -0 {process}";
        row("host and process", ssh, "web-1.prod", "4711", "x", "ssh web-1.prod kill -0 4711");
        row("parts", "p --of={owner}@{key} \"{family} x\"", "", "", "t0ken",
            "p --of=t0ken@lock:a \"token x\"");
        row("braces of its own", "p {host} -o jsonpath={.status.phase}", "pod-7", "", "x",
            "p pod-7 -o jsonpath={.status.phase}");
        row("no host", ssh, "", "4711", "x", "The owner tells no {host}.");
        row("a container's first process", ssh, "web-1", "1", "x", "The owner tells no {process}.");
        row("names nobody", "p {owner}", "", "", "1", "The owner tells no {owner}.");
        row("an option", ssh, "-oProxyCommand=x", "2", "x", "The owner's {host} is not safe in a command.");
        row("two words", ssh, "a b", "2", "x", "The owner's {host} is not safe in a command.");
        row("no number", ssh, "web-1", "2;x", "x", "The owner's {process} is not safe in a command.");
        for (const char *value :
             {"$(x)", "`x`",  "a|b", "a&b",    "a>b", "a\nb", "a\n",  "a*",     "~x",  "a'b", "a\"b",
              "a\\b", "../a", "/a",  "a/../b", "@a",  "-a",   "\xff", "{host}", "a=b", "#a",  "%h"})
            row(value, "p {owner}", "h", "2", value, "The owner's {owner} is not safe in a command.");
        row("too long", "p {owner}", "", "", QByteArray(257, 'a'),
            "The owner's {owner} is not safe in a command.");
        for (const char *command : {"p {pid}", "{host} x", "  "})
            row(command, command, "h", "2", "x",
                "A probe is a program, and arguments in which {host}, {process}, {thread}, {owner}, {key} "
                "and {family} may stand.");
    }
    void fillsACommandIn()
    {
        QFETCH(QString, command);
        QFETCH(OwnerFacts, facts);
        QFETCH(QByteArray, owner);
        const auto request = probeRequest(command, lockOf(owner, facts));
        const QString text = request ? request->command() : QString::fromUtf8(request.error().text());
        QTEST(text, "expected");
        if (request)
            QCOMPARE(QProcess::splitCommand(text), request->arguments);
    }

    void anEndIsToldAsItIs_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<milliseconds>("limit");
        QTest::addColumn<QByteArray>("told");
        const auto row = [](const char *name, const char *command, const char *told,
                            milliseconds limit = 60s) {
            QTest::newRow(name) << QString::fromLatin1(command) << limit << QByteArray(told);
        };
        row("alive", "printf \"\\nweb-1 Running \\n2\"", "exited 0 web-1 Running");
        row("not alive", "sh -c \"echo no pod >&2; exit 3\"", "exited 3 no pod");
        row("silent", "false", "exited 1 ");
        row("reads nothing", "cat", "exited 0 ");
        row("no secrets", "sh -c \"echo ${REDISCLI_AUTH-none}\"", "exited 0 none");
        row("a signal", "sh -c \"kill -9 $$\"", "signaled 0 ");
        row("much output", "yes", "signaled 0 y");
        row("late", "sleep 100", "timed-out 0 ", 50ms);
        row("no program", "/nonexistent/probe", "not-started 0 ");
    }
    void anEndIsToldAsItIs()
    {
        QFETCH(milliseconds, limit);
        QFETCH(QString, command);
        qputenv("REDISCLI_AUTH", "canary");
        HolderProbe probe(*m_audit, limit);
        qunsetenv("REDISCLI_AUTH");
        const auto answer = run(probe, QProcess::splitCommand(command));
        QVERIFY(answer);
        const QByteArray told =
            probeEndName(answer->end) + ' ' + QByteArray::number(answer->exitStatus) + ' ' + answer->line;
        QTEST(told, "told");
    }

    void eachRunIsRecorded()
    {
        HolderProbe probe(*m_audit);
        const Lock lock = lockOf("t0ken");
        const auto request = probeRequest(QStringLiteral("sh -c \"echo {owner}; exit 2\""), lock);
        QVERIFY(request);
        QVERIFY(waitFor(probe.run(*request, m_server)));
        QFile file(m_audit->path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject asked = QJsonDocument::fromJson(file.readLine()).object();
        const QJsonObject completed = QJsonDocument::fromJson(file.readLine()).object();
        for (const auto &[name, value] :
             {std::pair("action", "probe"), std::pair("key", "lock:a"), std::pair("owner", "t0ken"),
              std::pair("family", "token"), std::pair("command", "sh -c \"echo t0ken; exit 2\"")})
            QCOMPARE(asked[QLatin1String(name)].toString(), QLatin1String(value));
        QCOMPARE(completed[QLatin1String("request")], asked[QLatin1String("request")]);
        QCOMPARE(completed[QLatin1String("outcome")].toString(), QStringLiteral("exited"));
        QCOMPARE(completed[QLatin1String("exit_status")].toInt(), 2);
        QCOMPARE(completed[QLatin1String("message")].toString(), QStringLiteral("t0ken"));
    }

    void withoutARecordNothingRuns()
    {
        AuditLog audit(QStringLiteral("/dev/null/audit.jsonl"));
        HolderProbe probe(audit);
        const QString made = m_directory->filePath(QStringLiteral("made"));
        const auto answer = run(probe, {QStringLiteral("touch"), made});
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, ErrorKind::AuditFailed);
        QVERIFY(!QFile::exists(made));
    }

    /// With what it has started.
    void theSessionsEndKillsIt()
    {
        const QString started = m_directory->filePath(QStringLiteral("started"));
        auto probe = std::make_unique<HolderProbe>(*m_audit);
        const QString script = QStringLiteral("sleep 100 & echo $! >'%1'; wait").arg(started);
        const auto answer =
            probe->run({.arguments = {QStringLiteral("sh"), QStringLiteral("-c"), script}}, m_server);
        const auto another = run(*probe, {QStringLiteral("true")});
        QVERIFY(!another);
        QCOMPARE(another.error().text(), "Another probe is running.");
        QByteArray pid;
        QTRY_VERIFY([&] {
            QFile file(started);
            return file.open(QIODevice::ReadOnly) && (pid = file.readAll()).endsWith('\n');
        }());
        probe.reset();
        QVERIFY(answer.isFinished());
        QCOMPARE(answer.result()->end, ProbeEnd::Signaled);
        QTRY_VERIFY(isGone(pid.trimmed()));
        QFile file(m_audit->path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("\"outcome\":\"signaled\""));
    }

private:
    Result<ProbeAnswer> run(HolderProbe &probe, const QStringList &arguments)
    {
        return waitFor(probe.run({.arguments = arguments}, m_server));
    }

    Connection m_server{ServerAddress()};
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<AuditLog> m_audit;
};

QTEST_GUILESS_MAIN(TestHolderProbe)
#include "tst_holderprobe.moc"

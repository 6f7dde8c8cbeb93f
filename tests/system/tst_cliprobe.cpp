// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program asks whether a holder is alive.
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;

class TestCliProbe : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QFile file(m_families.filePath(QStringLiteral("inhouse.toml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("name = \"inhouse\"\nnames.usual = [\"inhouse/*\"]\n"
                   "form = [{ value = '{host:word}!{process:digits}' }]\n");
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_cli.emplace();
        m_server.cli({"FLUSHALL"});
        m_server.cli({"SET", "inhouse/report", "web-1!4711", "PX", "30000"});
    }
    void cleanup() { m_cli.reset(); }

    void tellsWhatTheProbeSays()
    {
        const Ran text = get("inhouse/report", {"--probe", "echo {host} {process}"});
        VERIFY_EXIT(text, 0);
        static const QRegularExpression line(QStringLiteral("^Probe +[0-9:]{8}: exit 0, web-1 4711$"),
                                             QRegularExpression::MultilineOption);
        QVERIFY2(line.match(QString::fromUtf8(text.out)).hasMatch(), reported(text));
        QVERIFY(get("inhouse/report", {"--explain", "--probe", "true"}).out.contains(": exit 0\n"));
        const Ran json = get("inhouse/report", {"--probe", "sh -c \"echo gone: {host}; exit 4\"", "--json"});
        VERIFY_EXIT(json, 0); // of the reading
        const QJsonObject probe = jsonIn(json.out)[QLatin1String("probe")].toObject();
        QCOMPARE(probe[QLatin1String("command")].toString(),
                 QStringLiteral("sh -c \"echo gone: web-1; exit 4\""));
        QCOMPARE(probe[QLatin1String("end")].toString(), QStringLiteral("exited"));
        QCOMPARE(probe[QLatin1String("exit_status")].toInt(), 4);
        QCOMPARE(probe[QLatin1String("output")].toString(), QStringLiteral("gone: web-1"));
        QCOMPARE(m_cli->auditRecords().size(), 6);
    }

    /// The lock is told nevertheless.
    void refusesWhatIsNotSafe_data()
    {
        QTest::addColumn<QByteArrayList>("options");
        QTest::addColumn<QByteArray>("why");
        const auto row = [](const char *name, const QByteArrayList &options, const char *why) {
            QTest::newRow(name) << options << QByteArray(why);
        };
        row("a shell's characters", {"lock:evil", "--probe", "touch {owner}"}, "not safe in a command");
        row("no host", {"lock:evil", "--probe", "ssh {host}"}, "The owner tells no {host}.");
        row("several owners", {"lock:two", "--probe", "true"}, "choose one with --owner");
        row("another owner", {"lock:two", "--probe", "true", "--owner", "x"}, "no such owner");
    }
    void refusesWhatIsNotSafe()
    {
        QFETCH(QByteArrayList, options);
        QFETCH(QByteArray, why);
        m_server.cli({"SET", "lock:evil", "$(reboot)0123456789", "PX", "30000"});
        m_server.cli({"HSET", "lock:two", "web-1:7", "1", "web-2:9", "1"});
        m_server.cli({"PEXPIRE", "lock:two", "30000"});
        const Ran json = get(options.takeFirst(), options + QByteArrayList{"--json"});
        VERIFY_EXIT(json, 3);
        QVERIFY2(json.err.contains(why), reported(json));
        const QJsonObject probe = jsonIn(json.out)[QLatin1String("probe")].toObject();
        QVERIFY2(probe[QLatin1String("refused")].toString().toUtf8().contains(why), reported(json));
        QVERIFY(m_cli->audit().isEmpty());
    }

    void asksOneOfSeveralOwners()
    {
        m_server.cli({"HSET", "lock:two", "web-1:7", "1", "web-2:9", "1"});
        m_server.cli({"PEXPIRE", "lock:two", "30000"});
        const Ran ran = get("lock:two", {"--probe", "echo {owner}", "--owner", "web-2:9"});
        VERIFY_EXIT(ran, 0);
        QVERIFY2(ran.out.contains("exit 0, web-2:9\n"), reported(ran));
    }

private:
    Ran get(const QByteArray &key, const QByteArrayList &options)
    {
        return CliProgram::on(m_server,
                              QByteArrayList{"--families", QFile::encodeName(m_families.path()), "get", key} +
                                  options);
    }

    QTemporaryDir m_families;
    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

QTEST_GUILESS_MAIN(TestCliProbe)
#include "tst_cliprobe.moc"

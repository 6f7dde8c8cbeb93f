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
        QCOMPARE(probe[QLatin1String("outcome")].toString(), QStringLiteral("exited"));
        QCOMPARE(probe[QLatin1String("exit_status")].toInt(), 4);
        QCOMPARE(probe[QLatin1String("message")].toString(), QStringLiteral("gone: web-1"));
        QCOMPARE(m_cli->auditRecords().size(), 6);
    }

    /// The lock is told nevertheless.
    void refusesWhatIsNotSafe()
    {
        m_server.cli({"SET", "lock:evil", "$(reboot)0123456789", "PX", "30000"});
        const Ran json = get("lock:evil", {"--probe", "touch {owner}", "--json"});
        VERIFY_EXIT(json, 3);
        QVERIFY2(json.err.contains("not safe in a command"), reported(json));
        const QJsonObject lock = jsonIn(json.out);
        QCOMPARE(lock[QLatin1String("key")].toString(), QStringLiteral("lock:evil"));
        QCOMPARE(lock[QLatin1String("probe")][QLatin1String("refused")].toString(),
                 QStringLiteral("The owner's {owner} is not safe in a command."));
        QVERIFY(m_cli->audit().isEmpty());
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

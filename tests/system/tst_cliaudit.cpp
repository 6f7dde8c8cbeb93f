// SPDX-License-Identifier: GPL-3.0-or-later
// The trail that the terminal program's actions leave, and its check.
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;

class TestCliAudit : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void recordsWhatWasSeenAskedAndAnswered();
    void verifyAcceptsTheTrail();
    void verifyFindsAChange();
    void verifyTellsUnfinishedRequests();
    void verifyNeedsAFile();

private:
    void act();
    void write(const QByteArray &content) const;

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestCliAudit::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
}

void TestCliAudit::act()
{
    VERIFY_EXIT(CliProgram::on(m_server, {"acquire", "k", "--owner", "x", "--lease", "30"}), 0);
    VERIFY_EXIT(CliProgram::on(m_server, {"force-expire", "k", "--expect-owner", "y"}), 1);
}

void TestCliAudit::write(const QByteArray &content) const
{
    QFile file(m_cli->auditPath());
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

void TestCliAudit::recordsWhatWasSeenAskedAndAnswered()
{
    act();
    const QList<QJsonObject> records = m_cli->auditRecords();
    QCOMPARE(records.size(), 4);
    const QJsonObject &asked = records[2];
    QCOMPARE(asked[QLatin1String("phase")].toString(), QStringLiteral("asked"));
    QCOMPARE(asked[QLatin1String("action")].toString(), QStringLiteral("force-expire"));
    QCOMPARE(asked[QLatin1String("expected")][0][QLatin1String("owner")].toString(), QStringLiteral("y"));
    QCOMPARE(asked[QLatin1String("seen")][QLatin1String("owners")][0][QLatin1String("owner")].toString(),
             QStringLiteral("x"));
    QCOMPARE(records[3][QLatin1String("phase")].toString(), QStringLiteral("completed"));
    QCOMPARE(records[3][QLatin1String("outcome")].toString(), QStringLiteral("owner-changed"));
    QCOMPARE(records[3][QLatin1String("request")], asked[QLatin1String("request")]);
    QCOMPARE(QFile(m_cli->auditPath()).permissions() &
                 (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
             QFile::Permissions());
}

void TestCliAudit::verifyAcceptsTheTrail()
{
    act();
    const Ran json = CliProgram::run({"audit", "verify", "--json"});
    VERIFY_EXIT(json, 0);
    QCOMPARE(json.out, "{\"records\":4,\"unfinished\":[]}\n");
    const Ran human = CliProgram::run({"audit", "verify", QFile::encodeName(m_cli->auditPath())});
    VERIFY_EXIT(human, 0);
    QVERIFY2(human.out.endsWith("hash chain intact, records: 4.\n"), human.out.constData());
}

void TestCliAudit::verifyFindsAChange()
{
    act();
    write(m_cli->audit().replace("\"lease_ms\":30000", "\"lease_ms\":30001"));
    const Ran json = CliProgram::run({"audit", "verify", "--json"});
    VERIFY_EXIT(json, 1);
    const QJsonObject verdict = jsonIn(json.out);
    QCOMPARE(verdict[QLatin1String("broken_at_line")].toInteger(), 2);
    QVERIFY(!verdict[QLatin1String("reason")].toString().isEmpty());
    const Ran human = CliProgram::run({"audit", "verify"});
    VERIFY_EXIT(human, 1);
    QVERIFY2(human.out.contains(": hash chain broken at line 2: "), human.out.constData());
}

void TestCliAudit::verifyTellsUnfinishedRequests()
{
    act();
    const QByteArray trail = m_cli->audit();
    write(trail.first(trail.indexOf('\n') + 1));
    const Ran json = CliProgram::run({"audit", "verify", "--json"});
    VERIFY_EXIT(json, 0);
    QCOMPARE(jsonIn(json.out)[QLatin1String("unfinished")].toArray().size(), 1);
    const QJsonValue request = jsonIn(json.out)[QLatin1String("unfinished_requests")][0];
    QCOMPARE(request[QLatin1String("action")].toString(), QStringLiteral("acquire"));
    QCOMPARE(request[QLatin1String("key")].toString(), QStringLiteral("k"));
    QVERIFY(!request[QLatin1String("time")].toString().isEmpty());
    const QByteArray human = CliProgram::run({"audit", "verify"}).out;
    QVERIFY2(human.contains("outcome not recorded") && human.contains("acquire of k at"), human.constData());
}

void TestCliAudit::verifyNeedsAFile()
{
    const Ran none = CliProgram::run({"audit", "verify"});
    VERIFY_EXIT(none, 3);
    QCOMPARE(none.out, "");
    QVERIFY2(none.err.startsWith("lockscope-cli: audit log not readable: "), none.err.constData());
    VERIFY_EXIT(CliProgram::run({"audit", "verify", "/"}), 3);
}

QTEST_GUILESS_MAIN(TestCliAudit)
#include "tst_cliaudit.moc"

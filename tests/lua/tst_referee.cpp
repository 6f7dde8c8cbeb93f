// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/scriptserver.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

/// lua/referee/record.lua on a real server, in the form for Redis 7 and in the one for Redis 6.
class RefereeScript : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data();
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.lines({"FLUSHALL"});
    }

    void countsAndRecords();
    void badArguments_data();
    void badArguments();

private:
    QByteArray record(const Words &arguments, const Words &keys = {"log", "inside"})
    {
        QFETCH_GLOBAL(bool, flagged);
        return m_server.lines({ScriptServer::call("referee/record", flagged, keys, arguments)}).front();
    }

    ScriptServer m_server;
};

void RefereeScript::initTestCase_data()
{
    QTest::addColumn<bool>("flagged");
    QTest::newRow("for Redis 7") << true;
    QTest::newRow("for Redis 6") << false;
}

void RefereeScript::countsAndRecords()
{
    QCOMPARE(record({"in", "0", "a 1"}), "0");
    QCOMPARE(record({"in", "0", "b"}), "1");
    QCOMPARE(record({"in", "7", "c"}), "0"); // each lock for itself
    QCOMPARE(record({"note", "0", "d"}), "2");
    QCOMPARE(record({"out", "0", "e"}), "2");
    QCOMPARE(record({"in", "0", ""}), "1");
    QCOMPARE(m_server.cli({"HGET", "inside", "0"}), "2");
    QCOMPARE(m_server.cli({"HGET", "inside", "7"}), "1");
    const Words before{"0", "1", "0", "2", "2", "1"};
    const Words rest{"a 1", "b", "c", "d", "e", ""};
    const Words log = m_server.cli({"LRANGE", "log", "0", "-1"}).split('\n');
    QCOMPARE(log.size(), 6);
    qint64 last = 0;
    for (qsizetype i = 0; i < log.size(); ++i) {
        const Words parts = log[i].split(' ');
        const qint64 at = parts[0].toLongLong() * 1'000'000 + parts[1].toLongLong();
        QVERIFY2(at > 1'500'000'000'000'000 && at >= last, log[i]);
        last = at;
        QCOMPARE(parts[2], before[i]);
        QCOMPARE(parts.mid(3).join(' '), rest[i]);
    }
}

void RefereeScript::badArguments_data()
{
    QTest::addColumn<Words>("keys");
    QTest::addColumn<Words>("arguments");
    const Words keys{"log", "inside"};
    QTest::newRow("no keys") << Words{} << Words{"in", "0", "x"};
    QTest::newRow("three keys") << Words{"a", "b", "c"} << Words{"in", "0", "x"};
    QTest::newRow("two arguments") << keys << Words{"in", "0"};
    QTest::newRow("four arguments") << keys << Words{"in", "0", "x", "y"};
    QTest::newRow("another step") << keys << Words{"enter", "0", "x"};
    QTest::newRow("no step") << keys << Words{"", "0", "x"};
}

void RefereeScript::badArguments()
{
    QFETCH(Words, keys);
    QFETCH(Words, arguments);
    const QByteArray answer = record(arguments, keys);
    QVERIFY2(answer.startsWith("ERROR"), answer);
    QCOMPARE(m_server.cli({"DBSIZE"}), "0");
}

QTEST_GUILESS_MAIN(RefereeScript)
#include "tst_referee.moc"

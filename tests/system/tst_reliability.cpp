// SPDX-License-Identifier: GPL-3.0-or-later
// A short form of each row of packaging/run-reliability: seconds, where the whole takes hours.
#include "tests/support/redisserver.h"

#include <QtTest>

using namespace lockscope;

class TestReliability : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aShortFormOfEachRow_data();
    void aShortFormOfEachRow();
};

void TestReliability::aShortFormOfEachRow_data()
{
    QTest::addColumn<QList<QByteArray>>("options");
    const auto row = [](const char *name, const QList<QByteArray> &options = {}) {
        QTest::newRow(name) << QList<QByteArray>{"--brief", name} + options;
    };
    row("races");
    row("actions");
    row("commands", {"--only", "force-expire"});
    row("faults");
    row("sustained");
    row("inputs");
}

void TestReliability::aShortFormOfEachRow()
{
    QFETCH(const QList<QByteArray>, options);
    const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/reliability"), options);
    QVERIFY2(ran.exitCode == 0, (ran.out + ran.err).constData());
    QVERIFY2(ran.out.contains("| met\n"), ran.out.constData());
}

QTEST_GUILESS_MAIN(TestReliability)
#include "tst_reliability.moc"

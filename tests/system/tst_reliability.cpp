// SPDX-License-Identifier: GPL-3.0-or-later
// A short form of each row of packaging/run-reliability: seconds, where the whole takes hours.
#include <QProcess>
#include <QtTest>

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
    QTest::addColumn<QStringList>("options");
    const auto row = [](const char *name, const QStringList &options = {}) {
        QTest::newRow(name) << QStringList{QStringLiteral("--brief"), QString::fromLatin1(name)} + options;
    };
    row("races");
    row("actions");
    row("commands", {QStringLiteral("--only"), QStringLiteral("force-expire")});
    row("faults");
    row("sustained");
    row("inputs");
    row("non-locks");
    row("ends");
    row("stuck");
}

void TestReliability::aShortFormOfEachRow()
{
    QFETCH(const QStringList, options);
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/reliability"), options);
    QVERIFY(program.waitForFinished(240'000));
    const QByteArray out = program.readAllStandardOutput();
    QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, out.constData());
    QVERIFY2(out.contains("| met\n"), out.constData());
}

QTEST_GUILESS_MAIN(TestReliability)
#include "tst_reliability.moc"

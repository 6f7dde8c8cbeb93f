// SPDX-License-Identifier: GPL-3.0-or-later
// Random input to the window, for a short time: the same inputs each time, and others. `monkey` gives 2,000.
#include "tests/support/redisserver.h"

#include <QRandomGenerator>
#include <QtTest>

#include <csignal>

#include <sys/prctl.h>

using namespace lockscope;

class MonkeyTest : public QObject
{
    Q_OBJECT

private slots:
    void nothingFoundByRandomInput_data()
    {
        QTest::addColumn<quint32>("seed");
        QTest::newRow("the same") << quint32(1);
        const quint32 other = QRandomGenerator::global()->generate();
        QTest::addRow("seed %u", other) << other;
    }
    void nothingFoundByRandomInput()
    {
        QFETCH(const quint32, seed);
        QProcess program;
        program.setProcessChannelMode(QProcess::MergedChannels);
        program.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
        program.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/monkey"),
                      {QStringLiteral("--events"), QStringLiteral("150"), QStringLiteral("--seed"),
                       QString::number(seed)});
        // Two rows within the time that ctest gives to all.
        const bool hasEnded = program.waitForFinished(120'000);
        if (!hasEnded) {
            program.terminate();
            program.waitForFinished();
        }
        const QByteArray out = program.readAllStandardOutput();
        QVERIFY2(hasEnded, out.constData());
        QVERIFY2(program.exitStatus() == QProcess::NormalExit && program.exitCode() == 0, out.constData());
        QVERIFY2(out.contains(" 0 finding(s)\n"), out.constData());
    }
};

QTEST_GUILESS_MAIN(MonkeyTest)
#include "tst_monkey.moc"

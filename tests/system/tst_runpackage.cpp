// SPDX-License-Identifier: GPL-3.0-or-later
// What packaging/run-package says before it unpacks anything; the bare Debians themselves are for its own runs.
#include "tests/support/redisserver.h"

#include <QtTest>

using namespace lockscope;

class TestRunPackage : public QObject
{
    Q_OBJECT

private slots:
    void anUnknownReleaseIsNamed()
    {
        const Ran ran =
            runProgram(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/run-package"), {"debian-11"});
        QCOMPARE(ran.exitCode, 2);
        QCOMPARE(ran.err, "==> there is no release debian-11; known: debian-12 debian-13\n");
        QCOMPARE(ran.out, "");
    }
};

QTEST_GUILESS_MAIN(TestRunPackage)
#include "tst_runpackage.moc"

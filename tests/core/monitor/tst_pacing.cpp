// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/pacer.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestPacing : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aShareOfTheServer()
    {
        const TimePoint now = Clock::now();
        Pacer pacer;
        QVERIFY(pacer.next() <= now);
        pacer.charge(10ms, 0.05, now);
        QCOMPARE(pacer.next(), now + 200ms);
        pacer.charge(1ms, 0.25, now + 50ms); // urgent work in between is charged as well
        QCOMPARE(pacer.next(), now + 204ms);
        pacer.charge(1ms, 1.0, now + 300ms);
        QCOMPARE(pacer.next(), now + 301ms);
        pacer.clearCharges();
        QVERIFY(pacer.next() <= now);
    }
};

QTEST_GUILESS_MAIN(TestPacing)
#include "tst_pacing.moc"

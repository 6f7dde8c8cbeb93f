// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workload.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestWorkload : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void someHoldTenTimesAsLong();
};

/// About as many as wanted, never one with a fault, and all else as without.
void TestWorkload::someHoldTenTimesAsLong()
{
    Plan plan;
    plan.hold = *HoldTime::parse("uniform:1..20");
    plan.locks = 7;
    plan.rest = 3ms;
    plan.crashRate = 0.2;
    const auto usual = routinesOf(plan)(3);
    plan.longHoldRate = 0.25;
    QVERIFY(!plan.validationError());
    const auto longer = routinesOf(plan)(3);
    int count = 0;
    for (int i = 0; i < 1000; ++i) {
        const Iteration expected = *usual->next();
        Iteration visit = *longer->next();
        if (visit.hold != expected.hold) {
            QCOMPARE(visit.hold, 10 * expected.hold);
            QVERIFY(visit.fault == Fault::None);
            visit.hold = expected.hold;
            ++count;
        }
        QVERIFY(visit == expected);
    }
    QVERIFY2(count > 200 && count < 300, QByteArray::number(count));
    plan.crashRate = 0.8;
    QVERIFY(plan.validationError()->inEnglish().contains(QStringLiteral("rates must not exceed 1")));
}

QTEST_GUILESS_MAIN(TestWorkload)
#include "tst_workload.moc"

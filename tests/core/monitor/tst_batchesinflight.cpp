// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/batchesinflight.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestBatchesInFlight : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theFirstDecidesHowOldTheDataAre()
    {
        const TimePoint start(1h);
        BatchesInFlight batches;
        QVERIFY(batches.isEmpty());
        batches.sent(start);
        QVERIFY(!batches.isEmpty() && !batches.hasOverlapped());
        batches.sent(start + 1s);
        QVERIFY(batches.hasOverlapped());
        QCOMPARE(batches.asOf(), start);
        batches.answered();
        QVERIFY(!batches.isEmpty());
        batches.answered();
        QVERIFY(batches.isEmpty());
        batches.sent(start + 2s);
        QVERIFY(!batches.hasOverlapped());
        QCOMPARE(batches.asOf(), start + 2s);
    }

    void anotherConnectionHasNone()
    {
        BatchesInFlight batches;
        batches.sent({});
        const int generation = batches.generation();
        batches.reset();
        QVERIFY(batches.isEmpty());
        QVERIFY(batches.generation() != generation);
    }
};

QTEST_GUILESS_MAIN(TestBatchesInFlight)
#include "tst_batchesinflight.moc"

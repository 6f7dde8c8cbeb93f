// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/loadmeter.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr double share = 0.05;

LoadMeter::Batch batch(ReadReason reason, TimePoint sentAt)
{
    return {reason, 400, reason == ReadReason::KeyspaceScan, sentAt, Budget::ownTime()};
}

/// Pages that take half a second each, until enough were scanned; after one that shows how short a round trip can be.
void scan(LoadMeter &load, ScanPace pace, TimePoint start)
{
    load.charge(batch(ReadReason::KeyspaceScan, start), pace, share, start);
    for (auto sentAt = start + 1s; sentAt < start + 99s; sentAt += 1s)
        load.charge(batch(ReadReason::KeyspaceScan, sentAt), pace, share, sentAt + 500ms);
}

} // namespace

/// Which batches wait for which budget.
class TestLoadMeter : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void changesAndScansApart()
    {
        LoadMeter load;
        const TimePoint start = Clock::now();
        load.charge(batch(ReadReason::Change, start), ScanPace::Budgeted, share, start + 1s);
        QVERIFY(load.budget().nextChanges() > TimePoint());
        QCOMPARE(load.budget().nextScan(), TimePoint());
        scan(load, ScanPace::Budgeted, start + 1s);
        QVERIFY(load.budget().nextScan() > start);
    }

    void fullSpeedIsNotCharged()
    {
        LoadMeter load;
        const TimePoint start = Clock::now();
        scan(load, ScanPace::FullSpeed, start);
        QCOMPARE(load.budget().nextScan(), TimePoint());
        load.charge(batch(ReadReason::Change, start + 99s), ScanPace::FullSpeed, share, start + 100s);
        QVERIFY(load.budget().nextChanges() > start + 99s); // they are
    }

    void slowPagesBecomeSmaller()
    {
        LoadMeter load;
        QCOMPARE(load.scanCount(), ScanCountTuner::first);
        scan(load, ScanPace::Budgeted, Clock::now());
        QCOMPARE(load.scanCount(), ScanCountTuner::least);
    }
};

QTEST_GUILESS_MAIN(TestLoadMeter)
#include "tst_loadmeter.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readschedule.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr TimePoint start(1h);

} // namespace

/// The states between the events of a connection.
class TestReadSchedule : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void coverage()
    {
        ReadSchedule schedule;
        QCOMPARE(schedule.coverage(true), Coverage::FirstScan);
        QCOMPARE(schedule.coverage(false), Coverage::KnownOnly);
        schedule.scanFailed(start, false);
        QCOMPARE(schedule.coverage(true), Coverage::FirstScan);
        schedule.scanFinished(start + 5s);
        QCOMPARE(schedule.coverage(true), Coverage::Complete);
        QCOMPARE(schedule.coverage(false), Coverage::Complete); // what was scanned stays known
        schedule.connectionBegan();
        QCOMPARE(schedule.coverage(true), Coverage::FirstScan);
        schedule.scanFailed(start, true); // what is held is kept up to date
        QCOMPARE(schedule.coverage(true), Coverage::Complete);
    }

    void fullSpeedIsForOneScan()
    {
        ReadSchedule schedule;
        QVERIFY(!schedule.isFullSpeed());
        schedule.requestFullScan();
        schedule.connectionBegan(); // requested before there was a connection
        QVERIFY(schedule.isFullSpeed());
        schedule.scanFinished(start);
        QVERIFY(!schedule.isFullSpeed());
        schedule.requestFullSpeed();
        schedule.scanFailed(start, false);
        QVERIFY(!schedule.isFullSpeed());
        schedule.requestFullSpeed();
        schedule.scanForbidden();
        QVERIFY(!schedule.isFullSpeed());
    }

    void pauses()
    {
        ReadSchedule schedule;
        QCOMPARE(schedule.facts(true).nextScanAt, TimePoint());
        schedule.scanFinished(start + 5s);
        QCOMPARE(schedule.facts(true).nextScanAt, start + 5s);
        schedule.requestScan();
        QCOMPARE(schedule.facts(true).nextScanAt, TimePoint());
        schedule.scanFailed(start, false);
        QVERIFY(schedule.isBackingOff(start + ScanBackoff::first - 1ms));
        QVERIFY(!schedule.isBackingOff(start + ScanBackoff::first));
        schedule.requestScan(); // not by a change of the server
        QCOMPARE(schedule.facts(true).nextScanAt, start + ScanBackoff::first);
        schedule.pauseUntil(start + 2s);
        QCOMPARE(schedule.facts(true).pausedUntil, start + 2s);
        schedule.requestFullScan(); // but by the user
        QCOMPARE(schedule.facts(true).nextScanAt, TimePoint());
        QCOMPARE(schedule.facts(true).pausedUntil, TimePoint());
        schedule.pauseUntil(start + 2s);
        schedule.scanFailed(start, false);
        schedule.connectionBegan();
        QCOMPARE(schedule.facts(true).nextScanAt, TimePoint());
        QCOMPARE(schedule.facts(true).pausedUntil, TimePoint());
    }

    void changesAreGathered()
    {
        ReadSchedule schedule;
        schedule.requestRush();
        QVERIFY(schedule.facts(true).isRush);
        schedule.changesTaken(start);
        QVERIFY(!schedule.facts(true).isRush);
        QCOMPARE(schedule.facts(true).nextTickAt, start + ReadSchedule::tick);
    }

    void whoseTurnItWas()
    {
        ReadSchedule schedule;
        schedule.turnGiven(ReadReason::Change);
        schedule.turnGiven(ReadReason::Change);
        QCOMPARE(schedule.facts(true).turns.changesInARow, 2);
        schedule.turnGiven(ReadReason::Reread);
        schedule.turnGiven(ReadReason::Waiters);
        const ReadTurns turns = schedule.facts(true).turns;
        QCOMPARE(turns.changesInARow, 0);
        QVERIFY(turns.lastOther == ReadReason::Waiters && turns.lastLockRead == ReadReason::Reread);
        schedule.turnGiven(ReadReason::Change);
        QVERIFY(schedule.facts(true).turns.lastOther == ReadReason::Waiters);
    }

    /// The first pass, each at full speed, and every tenth after it.
    void namesOutsideThePatterns()
    {
        ReadSchedule schedule;
        QByteArray looked;
        for (int pass = 0; pass < 25; ++pass) {
            if (pass == 23)
                schedule.requestFullScan();
            looked += schedule.shouldReadAll() ? 'o' : '-';
            if (pass == 5)
                schedule.scanFailed(start, false); // does not count
            else
                schedule.scanFinished(start);
        }
        QCOMPARE(looked, QByteArray("o----------o---------o-o-"));
    }
};

QTEST_GUILESS_MAIN(TestReadSchedule)
#include "tst_readschedule.moc"

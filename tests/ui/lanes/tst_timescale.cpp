// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/timescale.h"

#include <QtTest>

using namespace lockscope;

namespace {

constexpr qint64 origin = 1'760'000'000'000;
constexpr qint64 minute = 60'000;

TimeScale scaleOf(qint64 knownMs, qint64 spanMs = minute)
{
    TimeScale scale;
    scale.setPlace(200, 1000);
    scale.setKnown({origin, origin + knownMs});
    scale.setSpan(spanMs);
    return scale;
}

} // namespace

class TimeScaleTest : public QObject
{
    Q_OBJECT

private slots:
    void itFollowsNow()
    {
        TimeScale scale = scaleOf(10 * minute);
        QVERIFY(scale.isFollowing());
        const double now = scale.xOf(origin + 10 * minute);
        QVERIFY(now > 1150 && now < 1200); // with a little room after it
        scale.setKnown({origin, origin + 11 * minute});
        QCOMPARE(scale.xOf(origin + 11 * minute), now);
    }

    void movedBackItStandsStill()
    {
        TimeScale scale = scaleOf(10 * minute);
        scale.pan(-2 * minute);
        QVERIFY(!scale.isFollowing());
        const TimeRange shown = scale.shown();
        scale.setKnown({origin, origin + 12 * minute});
        QCOMPARE(scale.shown(), shown);
        scale.pan(20 * minute); // to its end: it follows again
        QVERIFY(scale.isFollowing());
        scale.pan(-100 * minute);
        QVERIFY(scale.shown().toMs > origin); // something of it is always seen
        scale.showFirst();
        QVERIFY(scale.shown().fromMs <= origin && scale.shown().fromMs > origin - minute);
    }

    void zoomKeepsTheMomentInItsPlace()
    {
        TimeScale scale = scaleOf(30 * minute, 10 * minute);
        scale.pan(-10 * minute);
        const qint64 at = scale.atX(500);
        scale.zoom(0.5, at);
        QCOMPARE(scale.spanMs(), 5 * minute);
        QVERIFY(std::abs(scale.xOf(at) - 500) < 0.1);
        scale.zoom(2, at);
        QVERIFY(std::abs(scale.xOf(at) - 500) < 0.1);
    }

    void spansAreBounded()
    {
        TimeScale scale = scaleOf(10 * minute);
        for (int i = 0; i < 200; ++i)
            scale.zoom(0.5, origin + 9 * minute);
        QCOMPARE(scale.spanMs(), TimeScale::leastSpanMs);
        for (int i = 0; i < 200; ++i)
            scale.zoom(2, origin + 9 * minute);
        QCOMPARE(scale.spanMs(), 60 * minute);
        scale.fit();
        QVERIFY(scale.shown().fromMs <= origin && scale.shown().toMs >= origin + 10 * minute);
    }

    void aMomentIsBroughtIntoSight()
    {
        TimeScale scale = scaleOf(30 * minute);
        scale.reveal(origin + 5 * minute);
        QVERIFY(scale.shown().fromMs < origin + 5 * minute && scale.shown().toMs > origin + 5 * minute);
        QVERIFY(!scale.isFollowing());
    }

    void labels_data()
    {
        QTest::addColumn<qint64>("span");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<QString>("label");
        QTest::newRow("100 ms") << qint64(100) << qint64(10) << QStringLiteral("08:53:20.123");
        QTest::newRow("10 s") << qint64(10'000) << qint64(1000) << QStringLiteral("08:53:20");
        QTest::newRow("5 min") << 5 * minute << qint64(30'000) << QStringLiteral("08:53:20");
        QTest::newRow("1 h") << 60 * minute << qint64(600'000) << QStringLiteral("08:53");
    }
    void labels()
    {
        QFETCH(qint64, span);
        QFETCH(qint64, step);
        qputenv("TZ", "UTC");
        QCOMPARE(scaleOf(60 * minute, span).labelStepMs(100), step);
        QTEST(TimeScale::labelOf(origin + 123, step), "label");
    }
};

QTEST_GUILESS_MAIN(TimeScaleTest)
#include "tst_timescale.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/simulation/samplerun.h"
#include "ui/simulation/metrics.h"
#include "ui/simulation/plots.h"
#include "ui/simulation/runtext.h"

#include <QSet>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class MeasuresTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aReportIsToldInFigures()
    {
        const Report report = sampleReport(StrategyKind::Handoff, 100, 1500us);
        const auto text = [&](Metric::Kind kind) { return textOf(measureOf(kind, report)); };
        QCOMPARE(text(Metric::Kind::Acquired), QStringLiteral("100"));
        QCOMPARE(text(Metric::Kind::Throughput), QStringLiteral("50/s"));
        QCOMPARE(text(Metric::Kind::Commands), QStringLiteral("4.00/acq."));
        QCOMPARE(text(Metric::Kind::Fairness), QStringLiteral("1.00"));
        QCOMPARE(text(Metric::Kind::Duration), QStringLiteral("2.00 s"));
        QCOMPARE(text(Metric::Kind::Handoff), QStringLiteral("–"));
        const double wait = *measureOf(Metric::Kind::WaitMedian, report).value;
        QVERIFY2(wait > 1450 && wait < 1550, qPrintable(QString::number(wait)));
    }

    void everyFigureHasANameAndAMeaning()
    {
        QSet<QString> names;
        for (const Metric &measure : measuresOf({})) {
            names.insert(nameOf(measure.kind));
            QVERIFY(!meaningOf(measure.kind).isEmpty());
        }
        QCOMPARE(names.size(), measuresOf({}).size());
    }

    void nothingDividesByNothing()
    {
        for (const Metric &measure : measuresOf({})) {
            QVERIFY2(!textOf(measure).contains(QStringLiteral("nan")) &&
                         !textOf(measure).contains(QStringLiteral("inf")),
                     qPrintable(nameOf(measure.kind) + textOf(measure)));
        }
    }

    void theRateIsThatOfTheLastSecond()
    {
        Rate rate;
        QCOMPARE(rate.take(0ms, 0), std::nullopt);
        for (int tenth = 1; tenth <= 20; ++tenth)
            rate.take(tenth * 100ms, tenth * 10);
        QCOMPARE(rate.take(2100ms, 210), 100.0);
        std::optional<double> last;
        for (int tenth = 22; tenth <= 32; ++tenth)
            last = rate.take(tenth * 100ms, 210);
        QCOMPARE(last, 0.0);
    }

    /// What was counted a few milliseconds after the time was read would be a rate of thousands.
    void theRateBeginsWithoutASpike()
    {
        Rate rate;
        QCOMPARE(rate.take(0ms, 0), std::nullopt);
        QCOMPARE(rate.take(2ms, 9), std::nullopt);
        QCOMPARE(rate.take(102ms, 18), std::nullopt);
        for (int tenth = 2; tenth <= 12; ++tenth) {
            const std::optional<double> now = rate.take(tenth * 100ms + 2ms, 9 + tenth * 9);
            QCOMPARE(now.has_value(), tenth >= 5);
            if (now)
                QVERIFY2(*now > 85 && *now < 115, qPrintable(QString::number(*now)));
        }
        rate.clear();
        QCOMPARE(rate.take(10ms, 9), std::nullopt);
        QCOMPARE(rate.take(600ms, 60), 100.0);
    }

    void binsHoldAllWaits()
    {
        QVERIFY(binned({}).isEmpty());
        Histogram waits;
        for (const auto wait : {0us, 1us, 3us, 900us, 1000us, 250000us})
            waits.record(wait);
        double sum = 0;
        double end = 0;
        for (const WaitBin &bin : binned(waits)) {
            QVERIFY(bin.low < bin.high);
            if (end > 0)
                QCOMPARE(bin.low, end);
            end = bin.high;
            sum += bin.percent;
        }
        QVERIFY(std::abs(sum - 100) < 1e-6);
        QVERIFY(end > 245000);
    }

    void everyStateLooksDifferent()
    {
        QSet<int> glyphs;
        QSet<QString> words;
        for (int state = 0; state <= int(WorkerState::Finished); ++state) {
            glyphs.insert(int(lookOf(WorkerState(state)).glyph));
            words.insert(lookOf(WorkerState(state)).word);
        }
        QCOMPARE(glyphs.size(), int(WorkerState::Finished) + 1);
        QCOMPARE(words.size(), int(WorkerState::Finished) + 1);
    }
};

QTEST_MAIN(MeasuresTest)
#include "tst_metrics.moc"

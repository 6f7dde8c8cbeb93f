// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/histogram.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace lockscope;

namespace {

/// By the definition, from all values.
microseconds exactPercentile(std::vector<microseconds> values, double share)
{
    std::ranges::sort(values);
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<size_t>(rank, 1) - 1];
}

} // namespace

class TestHistogram : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isEmptyAtFirst();
    void smallValuesAreExact();
    void percentilesAreWithinTheirError();
    void bucketsCoverWhatWasRecorded();
    void takesExtremes();
    void mergesAsThoughRecordedTogether();
};

void TestHistogram::isEmptyAtFirst()
{
    const Histogram histogram;
    QCOMPARE(histogram.count(), 0);
    QVERIFY(!histogram.percentile(0.5));
    QVERIFY(histogram.buckets().isEmpty());
}

void TestHistogram::smallValuesAreExact()
{
    Histogram histogram;
    for (int i = 1; i <= 100; ++i)
        histogram.record(microseconds(i));
    QCOMPARE(histogram.percentile(0), microseconds(1));
    QCOMPARE(histogram.percentile(0.5), microseconds(50));
    QCOMPARE(histogram.percentile(0.95), microseconds(95));
    QCOMPARE(histogram.percentile(1), microseconds(100));
    QCOMPARE(histogram.max(), microseconds(100));
}

void TestHistogram::percentilesAreWithinTheirError()
{
    const quint32 seed = std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    std::lognormal_distribution<double> durations(8, 3);
    std::vector<microseconds> values;
    Histogram histogram;
    for (int i = 0; i < 20'000; ++i) {
        values.emplace_back(static_cast<qint64>(durations(random)));
        histogram.record(values.back());
    }
    for (const double share : {0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
        const auto exact = exactPercentile(values, share);
        const auto found = *histogram.percentile(share);
        QVERIFY2(
            found >= exact && found <= exact + exact / 62,
            qPrintable(QStringLiteral("%1: %2 for %3").arg(share).arg(found.count()).arg(exact.count())));
    }
}

void TestHistogram::bucketsCoverWhatWasRecorded()
{
    // Both sides of every border.
    for (qint64 value = 1; value < (qint64(1) << 36); value *= 2) {
        for (const qint64 near : {value - 1, value, value + 1}) {
            Histogram histogram;
            histogram.record(microseconds(near));
            const auto buckets = histogram.buckets();
            QCOMPARE(buckets.size(), 1);
            QCOMPARE(buckets[0].count, 1);
            QVERIFY(buckets[0].low.count() <= near && near < buckets[0].high.count());
            QVERIFY(buckets[0].high.count() - buckets[0].low.count() <= std::max(qint64(1), near / 64 + 1));
        }
    }
}

void TestHistogram::takesExtremes()
{
    Histogram histogram;
    histogram.record(microseconds(-5));
    QCOMPARE(histogram.max(), microseconds(0));
    QCOMPARE(histogram.percentile(0.5), microseconds(0));
    const microseconds days = std::chrono::hours(72);
    histogram.record(days);
    QCOMPARE(histogram.max(), days);
    QCOMPARE(histogram.percentile(1), days);
    QCOMPARE(histogram.buckets().size(), 2);
    QVERIFY(histogram.buckets().back().high > days);
}

void TestHistogram::mergesAsThoughRecordedTogether()
{
    Histogram first;
    Histogram second;
    Histogram both;
    for (int i = 0; i < 1000; ++i) {
        const microseconds value(i * i);
        (i % 3 == 0 ? first : second).record(value);
        both.record(value);
    }
    first.merge(second);
    QVERIFY(first == both);
    first.merge(Histogram());
    QVERIFY(first == both);
    Histogram empty;
    empty.merge(both);
    QVERIFY(empty == both);
}

QTEST_GUILESS_MAIN(TestHistogram)
#include "tst_histogram.moc"

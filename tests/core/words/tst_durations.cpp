// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/durations.h"

#include "core/words/textlayout.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;

class DurationsTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void described_data()
    {
        QTest::addColumn<milliseconds>("duration");
        QTest::addColumn<QString>("text");

        const auto row = [](milliseconds duration, const char *text) {
            QTest::addRow("%lld ms", static_cast<long long>(duration.count()))
                << duration << QString::fromLatin1(text);
        };
        row(-5ms, "0 ms");
        row(0ms, "0 ms");
        row(850ms, "850 ms");
        row(999ms, "999 ms");
        row(1000ms, "1.0 s");
        row(2333ms, "2.3 s");
        row(9999ms, "9.9 s");
        row(10s, "10 s");
        row(59'999ms, "59 s");
        row(60s, "1 min 0 s");
        row(72s, "1 min 12 s");
        row(3h + 5min + 59s, "3 h 5 min");
        row(24h, "1 d 0 h");
        row(364 * 24h + 23h, "364 d 23 h");
        row(365 * 24h, "1 y 0 d");
        row(999 * 365 * 24h, "999 y 0 d");
        row(1000 * 365 * 24h, "more than 1,000 years");
        row(milliseconds::max(), "more than 1,000 years");
    }
    void described()
    {
        QFETCH(milliseconds, duration);
        QTEST(describe(duration), "text");
    }

    void threeDigits_data()
    {
        QTest::addColumn<microseconds>("duration");
        QTest::addColumn<QString>("text");

        const auto row = [](microseconds duration, const char *text) {
            QTest::addRow("%lld us", static_cast<long long>(duration.count()))
                << duration << QString::fromUtf8(text);
        };
        row(0us, "0 µs");
        row(340us, "340 µs");
        row(1250us, "1.25 ms");
        row(48ms, "48.0 ms");
        row(850ms, "850 ms");
        row(2040ms, "2.04 s");
        row(12'340ms, "12.3 s");
        row(192s, "3 min 12 s");
    }
    void threeDigits()
    {
        QFETCH(microseconds, duration);
        QTEST(shortTime(duration), "text");
    }

    void partsAreAlikeWhereTextsAre()
    {
        QList<milliseconds> durations{
            -1ms, 0ms, 1ms, 850ms, 999ms, 1h * 24 * 365 * 1000, 1h * 24 * 365 * 2000};
        for (const milliseconds unit : {milliseconds(1s), milliseconds(10s), milliseconds(1min),
                                        milliseconds(1h), milliseconds(24h), milliseconds(24h * 365)}) {
            for (const milliseconds more : {-1ms, 0ms, 1ms, 99ms, 100ms, 999ms, milliseconds(1s),
                                            milliseconds(59s), milliseconds(1min), milliseconds(1h)})
                durations << unit + more << 3 * unit + more;
        }
        for (const milliseconds a : std::as_const(durations)) {
            for (const milliseconds b : std::as_const(durations))
                QVERIFY2((describe(a) == describe(b)) == (describedPart(a) == describedPart(b)),
                         qPrintable(describe(a) + QStringLiteral(", ") + describe(b)));
        }
    }

    void anAxisHasWholeNumbers()
    {
        QCOMPARE(wholeTime(100us), QStringLiteral("100 µs"));
        QCOMPARE(wholeTime(10ms), QStringLiteral("10 ms"));
        QCOMPARE(wholeTime(1s), QStringLiteral("1 s"));
        QCOMPARE(wholeTime(100s), QStringLiteral("100 s"));
    }

    void theDecimalPointIsTheLocales()
    {
        const QLocale german(QLocale::German);
        QCOMPARE(shortTime(1250us, german), QStringLiteral("1,25 ms"));
        QCOMPARE(secondsText(2.5, 1, german), QStringLiteral("2,5 s"));
        QCOMPARE(secondsText(2.5, 1), QStringLiteral("2.5 s"));
    }

    void columns_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("columns");
        QTest::newRow("Latin") << QStringLiteral("lock") << 4;
        QTest::newRow("of East Asia") << QStringLiteral("锁a") << 3;
        QTest::newRow("full width") << QStringLiteral("！") << 2;
        QTest::newRow("combining") << QStringLiteral("e\u0301") << 1;
        QTest::newRow("picture") << QStringLiteral("🔒") << 2;
        QTest::newRow("not wide") << QStringLiteral("≥ …") << 3;
    }
    void columns()
    {
        QFETCH(QString, text);
        QTEST(columnsOf(text), "columns");
        QFETCH(int, columns);
        QCOMPARE(columnsOf(padded(text, 10)), 10);
        QCOMPARE(padded(text, columns), text);
    }
};

QTEST_APPLESS_MAIN(DurationsTest)
#include "tst_durations.moc"

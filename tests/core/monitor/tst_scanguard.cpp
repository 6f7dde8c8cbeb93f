// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/scanbackoff.h"
#include "core/monitor/scanguard.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// How many calls it takes until the guard gives a pass up; -1: not within so many.
template <typename Cursor>
qint64 givenUpAfter(ScanGuard &guard, qint64 most, Cursor cursorAt)
{
    for (qint64 call = 0; call < most; ++call) {
        if (!guard.take(QByteArray::number(quint64(cursorAt(call))), 0))
            return call + 1;
    }
    return -1;
}

quint32 reversed(quint32 bits)
{
    quint32 turned = 0;
    for (int i = 0; i < 32; ++i, bits >>= 1)
        turned = turned << 1 | (bits & 1);
    return turned;
}

} // namespace

class TestScanGuard : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void cursorsAreNumbers_data()
    {
        QTest::addColumn<QByteArray>("cursor");
        QTest::addColumn<bool>("isNumber");
        QTest::newRow("zero") << QByteArray("0") << true;
        QTest::newRow("64 bits") << QByteArray("18446744073709551615") << true;
        QTest::newRow("more") << QByteArray("18446744073709551616") << false;
        QTest::newRow("far more") << QByteArray(2000, '9') << false;
        QTest::newRow("word") << QByteArray("abc") << false;
        QTest::newRow("negative") << QByteArray("-1") << false;
        QTest::newRow("signed") << QByteArray("+1") << false;
        QTest::newRow("space") << QByteArray(" 1") << false;
        QTest::newRow("hexadecimal") << QByteArray("0x1") << false;
        QTest::newRow("fraction") << QByteArray("1.0") << false;
        QTest::newRow("empty") << QByteArray() << false;
        QTest::newRow("nul") << QByteArray("1\0", 2) << false;
    }
    void cursorsAreNumbers()
    {
        QFETCH(QByteArray, cursor);
        QFETCH(bool, isNumber);
        ScanGuard guard;
        const auto taken = guard.take(cursor, 0);
        QCOMPARE(taken.has_value(), isNumber);
        if (!taken)
            QCOMPARE(taken.error().kind, ErrorKind::EndlessScan);
    }

    /// Wherever a cycle begins and however long it is, it is found within a few times its length.
    void circlesAreFound()
    {
        for (const qint64 before : {0, 1, 7, 1000}) {
            for (const qint64 length : {1, 2, 3, 10, 97, 1000, 10'000}) {
                ScanGuard guard;
                const qint64 calls = givenUpAfter(guard, 100'000, [&](qint64 call) {
                    return 1 + (call < before ? call : before + (call - before) % length);
                });
                QVERIFY2(calls > 0 && calls <= 3 * (before + length) + 3,
                         QByteArray::number(calls).constData());
            }
        }
    }

    /// As real servers count: with the bits in reverse order.
    void wholePassesAreLetThrough()
    {
        ScanGuard guard;
        guard.setKeyspace(50'000'000);
        QCOMPARE(givenUpAfter(guard, 250'000, [](qint64 call) { return reversed(quint32(call + 1)); }), -1);
        QVERIFY(guard.take("0", 1000));
    }

    void passesWithoutEndAreGivenUp()
    {
        ScanGuard unknown;
        QCOMPARE(givenUpAfter(unknown, 1'000'000, [](qint64 call) { return call + 1; }), 100'000);
        ScanGuard small;
        small.setKeyspace(3);
        QCOMPARE(givenUpAfter(small, 1'000'000, [](qint64 call) { return call + 1; }), 100'000);
        ScanGuard large;
        large.setKeyspace(25'000'000);
        QCOMPARE(givenUpAfter(large, 2'000'000, [](qint64 call) { return call + 1; }), 1'100'000);
    }

    void moreNamesThanKeys()
    {
        ScanGuard guard;
        guard.setKeyspace(1000);
        QVERIFY(guard.take("1", 14'000));
        guard.setKeyspace(2000); // it grows meanwhile
        guard.setKeyspace(10);   // or shrinks
        QVERIFY(guard.take("2", 4000));
        const auto taken = guard.take("3", 1);
        QVERIFY(!taken);
        QCOMPARE(taken.error().kind, ErrorKind::EndlessScan);
        ScanGuard unknown;
        QVERIFY(unknown.take("1", 1'000'000));
    }

    void restsLongerAndLonger()
    {
        const TimePoint now = Clock::now();
        ScanBackoff backoff;
        QVERIFY(backoff.until() <= now);
        for (const auto rest : {2s, 4s, 8s, 16s, 32s, 60s, 60s}) {
            backoff.failed(now);
            QCOMPARE(backoff.until(), now + rest);
        }
        backoff.clear();
        QVERIFY(backoff.until() <= now);
        backoff.failed(now);
        QCOMPARE(backoff.until(), now + 2s);
    }
};

QTEST_GUILESS_MAIN(TestScanGuard)
#include "tst_scanguard.moc"

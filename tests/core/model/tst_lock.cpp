// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lock.h"

#include <QtTest>

#include <limits>

using namespace lockscope;
using namespace std::chrono_literals;

class TestLock : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void readsALease_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("expected"); // ms; 0: refused
        QTest::newRow("whole") << QByteArray("30") << qint64(30'000);
        QTest::newRow("fraction") << QByteArray("0.1") << qint64(100);
        QTest::newRow("no leading zero") << QByteArray(".5") << qint64(500);
        QTest::newRow("one ms") << QByteArray("0.001") << qint64(1);
        QTest::newRow("less than a ms") << QByteArray("0.0006") << qint64(0);
        QTest::newRow("longest") << QByteArray("1000000000000") << qint64(Lease::longest.count());
        for (const char *bad : {"", "0", "0.0004", "-1", "abc", "nan", "inf", "1e3", "0x10", " 1", "1 ",
                                "1..5", "1.2.3", ".", "1000000000001", "99999999999999999999999999"})
            QTest::newRow(bad) << QByteArray(bad) << qint64(0);
    }

    void readsALease()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, expected);
        const std::optional<Lease> lease = Lease::fromSeconds(text);
        QCOMPARE(lease ? lease->value().count() : 0, expected);
        if (lease)
            QCOMPARE(Lease::fromSeconds(lease->inSeconds())->value(), lease->value());
    }

    void writesALeaseInSeconds()
    {
        QCOMPARE(Lease::fromMilliseconds(30'000ms)->inSeconds(), "30");
        QCOMPARE(Lease::fromMilliseconds(100ms)->inSeconds(), "0.1");
        QCOMPARE(Lease::fromMilliseconds(1'001ms)->inSeconds(), "1.001");
        QVERIFY(!Lease::fromMilliseconds(0ms));
        QVERIFY(!Lease::fromMilliseconds(Lease::longest + 1ms));
    }

    void deadlineDoesNotOverflow()
    {
        const TimePoint now = Clock::now();
        for (const qint64 pttl : {qint64(9'000'000'000'000'000'000), std::numeric_limits<qint64>::max()}) {
            const Deadline deadline = Deadline::fromPttl(milliseconds(pttl), now, now);
            QVERIFY(deadline.latest > now + std::chrono::hours(24 * 365 * 90));
            QVERIFY(deadline.remaining(now) > 0ms);
        }
    }

    void deadlineIsAnInterval()
    {
        const TimePoint asked = Clock::now();
        const Deadline deadline = Deadline::fromPttl(1000ms, asked, asked + 20ms);
        QCOMPARE(deadline.earliest, asked + 1000ms);
        QCOMPARE(deadline.latest, asked + 1021ms);
        QCOMPARE(deadline.remaining(asked + 2s), 0ms);
        QCOMPARE(Deadline::fromPttl(0ms, asked, asked).remaining(asked),
                 1ms); // PTTL 0 is less than a ms, not gone
    }
};

QTEST_GUILESS_MAIN(TestLock)
#include "tst_lock.moc"

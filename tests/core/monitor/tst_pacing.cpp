// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/pacer.h"
#include "core/monitor/schedule.h"

#include <QRandomGenerator>
#include <QtTest>

#include <map>

#include <malloc.h>

using namespace lockscope;
using namespace std::chrono_literals;

class TestPacing : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aShareOfTheServer()
    {
        const TimePoint now = Clock::now();
        Pacer pacer;
        QVERIFY(pacer.next() <= now);
        pacer.charge(10ms, 0.05, now);
        QCOMPARE(pacer.next(), now + 200ms);
        pacer.charge(1ms, 0.25, now + 50ms); // urgent work in between is charged as well
        QCOMPARE(pacer.next(), now + 204ms);
        pacer.charge(1ms, 1.0, now + 300ms);
        QCOMPARE(pacer.next(), now + 301ms);
        pacer.forgive();
        QVERIFY(pacer.next() <= now);
    }

    /// Leases that are renewed long before they end leave nothing behind.
    void scheduleDoesNotGrow()
    {
        Schedule schedule;
        const TimePoint now = Clock::now();
        const auto before = mallinfo2().uordblks;
        for (int i = 0; i < 500'000; ++i)
            schedule.set(LockKey(QByteArray::number(i % 100)), now + 24h + std::chrono::milliseconds(i));
        QVERIFY(mallinfo2().uordblks < before + 1'000'000);
        QCOMPARE(schedule.next(), now + 24h + std::chrono::milliseconds(499'900));
        QCOMPARE(schedule.takeDue(now + 48h, 1000).size(), 100);
        QVERIFY(!schedule.next());
    }

    /// Against a plain map, with random changes.
    void scheduleKeepsOneMomentAKey()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        Schedule schedule;
        std::map<QByteArray, int> expected;
        for (int i = 0; i < 20'000; ++i) {
            const QByteArray key = QByteArray::number(random.bounded(50));
            const int when = random.bounded(1000);
            switch (random.bounded(4)) {
            case 0:
            case 1:
                schedule.set(LockKey(key), TimePoint(std::chrono::seconds(when)));
                expected[key] = when;
                break;
            case 2:
                schedule.remove(LockKey(key));
                expected.erase(key);
                break;
            case 3: {
                int last = -1;
                for (const LockKey &due : schedule.takeDue(TimePoint(std::chrono::seconds(when)), 3)) {
                    QVERIFY(expected.contains(due.bytes));
                    QVERIFY(expected[due.bytes] <= when && expected[due.bytes] >= last);
                    last = expected[due.bytes];
                    expected.erase(due.bytes);
                }
                int earliest = INT_MAX;
                for (const auto &[k, at] : expected)
                    earliest = std::min(earliest, at);
                const auto next = schedule.next();
                QCOMPARE(next.has_value(), !expected.empty());
                if (next)
                    QCOMPARE(*next, TimePoint(std::chrono::seconds(earliest)));
            }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestPacing)
#include "tst_pacing.moc"

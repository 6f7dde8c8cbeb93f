// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/budget.h"
#include "core/monitor/keyspacescan.h"
#include "core/monitor/scancounttuner.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start(1000s);

double inSeconds(Clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

/// What a server would answer to a page: this cursor, no keys.
Reply page(quint64 cursor)
{
    Reply keys;
    keys.type = Reply::Type::Array;
    Reply next;
    next.type = Reply::Type::Text;
    next.text = QByteArray::number(cursor);
    Reply reply;
    reply.type = Reply::Type::Array;
    reply.elements = {next, keys};
    return reply;
}

void learn(Budget &budget, QByteArrayView commandStats)
{
    budget.learn(commandStats, 0.05, start);
}

} // namespace

class TestBudget : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void costIsMeasuredFromOutside()
    {
        Budget budget;
        QCOMPARE(budget.measure(200us, 0us, false, 100, 0),
                 100us); // the shortest so far: what such reads cost at least
        QCOMPARE(budget.measure(500us, 0us, false, 100, 0), 300us);
        QCOMPARE(budget.measure(500us, 0us, true, 100, 0), 500us);   // no round trip in it
        QCOMPARE(budget.measure(500us, 150us, true, 100, 0), 350us); // and some of our own work
        QCOMPARE(budget.measure(1s, 0us, false, 100, 0),
                 1000us); // it waited for others: no more than reads can cost
        QCOMPARE(budget.measure(1s, 0us, false, 0, 1), 2000us);
        QCOMPARE(budget.measure(1s, 0us, false, 100, 1), 3000us);
        QCOMPARE(budget.measure(50us, 0us, false, 10, 0), 10us);
        QCOMPARE(budget.measure(250us, 0us, false, 10, 1), 200us); // beyond 50
        QCOMPARE(budget.ofPages(500us, 100), 400us);
        QCOMPARE(budget.ofPages(50us, 100), 0us);
        budget.reset();
        QCOMPARE(budget.measure(5ms, 0us, false, 10, 1), 110us);
    }

    /// Once the usual cost is known, what a reply had to wait for is not taken for work.
    void waitingIsNoWork()
    {
        Budget budget;
        budget.measure(100us, 0us, false, 1, 0);
        for (int i = 0; i < 16; ++i)
            budget.measure(i % 2 == 0 ? 300us : 5ms, 0us, false, 100, 0);
        QCOMPARE(budget.measure(8ms, 0us, false, 1000, 0), 2000us);
        for (int i = 0; i < 16; ++i)
            budget.measure(i % 2 == 0 ? 700us : 5ms, 0us, false, 100, 1);
        QCOMPARE(budget.measure(8ms, 0us, false, 0, 1), 400us);
        QCOMPARE(budget.measure(200us, 0us, false, 0, 1), 100us); // less is less
        QCOMPARE(budget.ofPages(500us, 100), 300us);
    }

    /// What the server itself has counted goes before what can be seen from outside.
    void theServersOwnCount()
    {
        Budget budget;
        learn(budget,
              "# Commandstats\r\ncmdstat_pttl:calls=1000,usec=600,usec_per_call=0.60,rejected_calls=0\r\n"
              "cmdstat_hscan:calls=1000,usec=1400,usec_per_call=1.40,rejected_calls=0\r\n"
              "cmdstat_hset:calls=9,usec=999999,usec_per_call=1,rejected_calls=0\r\n");
        QCOMPARE(budget.measure(1s, 0us, false, 100, 0), 130us); // 1 us each, and their way
        QVERIFY(budget.measure(2s, 0us, false, 100, 1) > 1ms);   // of pages nothing is known yet
        learn(budget,
              "cmdstat_pttl:calls=1010,usec=99999,usec_per_call=1\r\ncmdstat_hscan:calls=1000,usec=1400\r\n"
              "cmdstat_scan:calls=10,usec=4000,x=1\r\n");
        QCOMPARE(budget.measure(1s, 0us, false, 100, 1), 630us);
        learn(budget, "cmdstat_scan:calls=20,usec=10000,x=1");
        QCOMPARE(budget.measure(1s, 0us, false, 0, 1), 750us); // of late
        learn(budget, "cmdstat_scan:calls=1,usec=300,x=1");    // it was restarted
        QCOMPARE(budget.measure(1s, 0us, false, 0, 1), 375us);
        learn(budget, "cmdstat_scan:calls=2,usec=500,x=1");
        QCOMPARE(budget.measure(1s, 0us, false, 0, 1), 250us);
        learn(budget, "cmdstat_scan:calls=3,usec=1e300,x=1"); // no such server
        QCOMPARE(budget.measure(1s, 0us, false, 0, 1), 100ms);
        learn(budget, "cmdstat_scan:calls=2,usec=400,x=1");
        QCOMPARE(budget.measure(1s, 0us, false, 0, 1), 250us);
        learn(budget, "no such thing");
        learn(budget, "cmdstat_scan:calls=,usec=x");
        learn(budget, "cmdstat_scan:calls=inf,usec=nan");
        QCOMPARE(budget.measure(1s, 0us, false, 0, 1), 250us);
    }

    void sweepsAloneHaveTheShare()
    {
        Budget budget;
        QVERIFY(budget.nextScan() <= start);
        for (int i = 0; i < 49; ++i) // at a stretch
            budget.chargeScan(1ms, 0, 1, 0.05, start + i * 1ms);
        QVERIFY(budget.nextScan() <= start);
        budget.chargeScan(1ms, 0, 1, 0.05, start + 49ms);
        QCOMPARE(budget.nextScan(), start + 1s);
        budget.chargeScan(3ms, 0, 1, 0.05, start + 1s);
        QCOMPARE(budget.nextScan(), start + 1s);
        budget.chargeScan(47ms, 0, 1, 0.05, start + 1s + 3ms);
        QCOMPARE(budget.nextScan(), start + 2s);
        budget.clearCharges();
        QVERIFY(budget.nextScan() <= start);
    }

    /// What pages have cost is known a second later: what was charged too little is charged then, never what was too much.
    void whatWasOwedIsPaid()
    {
        const QByteArrayView cheap =
            "cmdstat_pttl:calls=1000,usec=1000,x=1\r\ncmdstat_scan:calls=10,usec=4000,x=1";
        const QByteArrayView dear =
            "cmdstat_pttl:calls=1000,usec=1000,x=1\r\ncmdstat_scan:calls=20,usec=20000,x=1";
        Budget budget;
        learn(budget, cheap);
        budget.chargeScan(50ms, 0, 100, 0.05, start);
        QCOMPARE(budget.nextScan(), start + 1s);
        budget.learn(dear, 0.05, start + 100ms); // 1.6 ms a page, and their way: 2 ms
        QCOMPARE(budget.nextScan(), start + 4s);
        budget.learn(dear, 0.05, start + 200ms); // paid once
        QCOMPARE(budget.nextScan(), start + 4s);
        budget.chargeScan(50ms, 0, 10, 0.05, start + 4s);
        budget.learn(dear, 0.05, start + 4100ms);
        QCOMPARE(budget.nextScan(), start + 5s);
    }

    void smallBurstsAtOnce()
    {
        Budget budget;
        QVERIFY(budget.nextChanges() <= start);
        budget.chargeChanges(2ms, 0.05, start); // 40 ms of the share: within the credit
        QVERIFY(budget.nextChanges() <= start);
        budget.chargeChanges(2ms, 0.05, start);
        QVERIFY(budget.nextChanges() > start && budget.nextChanges() <= start + 100ms);
    }

    /// Both want all they can get: changes have their share, scans what is left, a fifth at least.
    void changesFirst()
    {
        constexpr double share = 0.05;
        for (const double wanted : {0.0, 0.02, 0.03, 0.5}) {
            Budget budget;
            Clock::duration changes{};
            Clock::duration scans{};
            auto due = start;
            for (TimePoint now = start; now < start + 20s; now += 1ms) {
                if (wanted > 0 && now >= due && budget.nextChanges() <= now) {
                    budget.chargeChanges(500us, share, now);
                    changes += 500us;
                    due += std::chrono::duration_cast<Clock::duration>(500us / wanted);
                }
                if (budget.nextScan() <= now) {
                    budget.chargeScan(500us, 0, 1, share, now);
                    scans += 500us;
                }
            }
            const double byChanges = inSeconds(changes) / 20;
            const double bySweeps = inSeconds(scans) / 20;
            const QByteArray figures =
                QByteArray::number(byChanges, 'f', 4) + " and " + QByteArray::number(bySweeps, 'f', 4);
            QVERIFY2(std::abs(byChanges - std::min(wanted, share)) < 0.004, figures.constData());
            QVERIFY2(bySweeps > share * 0.19, figures.constData());
            QVERIFY2(bySweeps < std::max(share - wanted, share * 0.2) + 0.006, figures.constData());
        }
    }

    /// Being told costs the server something too, but nobody can say no to it: it may not use up what reading needs.
    void tellingLeavesRoomForReading()
    {
        constexpr double share = 0.05;
        Budget budget;
        Clock::duration read{};
        TimePoint now = start;
        for (; now < start + 20s; now += 1ms) {
            budget.chargePush(200us, now); // four times the share
            if (budget.nextChanges() <= now) {
                budget.chargeChanges(500us, share, now);
                read += 500us;
            }
        }
        const double byReading = inSeconds(read) / 20;
        QVERIFY2(byReading > share * 0.19 && byReading < share * 0.3,
                 QByteArray::number(byReading).constData());
        QVERIFY(budget.nextChanges() < now + 300ms); // no debt is left of a storm
    }

    void countSettles()
    {
        for (const double perKey : {0.2, 0.5, 1.0, 2.0, 5.0}) { // µs
            ScanCountTuner count;
            for (int i = 0; i < 1000; ++i) {
                QVERIFY(count.value() >= ScanCountTuner::least && count.value() <= ScanCountTuner::most);
                count.took(std::chrono::nanoseconds(qRound64(perKey * 1000 * count.value())));
            }
            const double ideal =
                std::clamp(500 / perKey, double(ScanCountTuner::least), double(ScanCountTuner::most));
            QVERIFY2(count.value() > ideal * 0.8 && count.value() < ideal * 1.25,
                     QByteArray::number(count.value()).constData());
        }
    }

    void disturbancesDoNotMoveTheCount()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        ScanCountTuner count;
        int least = ScanCountTuner::most;
        int most = 0;
        for (int i = 0; i < 4000; ++i) {
            const auto disturbance = random.bounded(100) < 30 ? 10'000'000ns : 0ns;
            count.took(std::chrono::nanoseconds(1000 * count.value()) + disturbance);
            if (i >= 500) {
                least = std::min(least, count.value());
                most = std::max(most, count.value());
            }
        }
        // All but a quarter of the samples must be disturbed for a round to go wrong, which then halves it.
        QVERIFY2(least >= 240 && most <= 630, QByteArray::number(least) + "-" + QByteArray::number(most));
    }

    void countHasBounds()
    {
        ScanCountTuner count;
        for (int i = 0; i < 1000; ++i)
            count.took(0ns);
        QCOMPARE(count.value(), ScanCountTuner::most);
        for (int i = 0; i < 1000; ++i)
            count.took(1h);
        QCOMPARE(count.value(), ScanCountTuner::least);
    }

    /// A cursor counts with its bits reversed: so the way through a table of 16 buckets, four a page.
    void progressFollowsTheCursor()
    {
        KeyNameFilter names({"lock:*"});
        KeyspaceScan scan(names, start);
        CommandBatch batch;
        scan.appendNextPage(batch, 100);
        QCOMPARE(scan.commandCount(), 2);
        Reply size;
        size.type = Reply::Type::Integer;
        size.integer = 1000;
        QVERIFY(scan.takePage(std::vector{size, page(2)}));
        QCOMPARE(scan.stats.progress, 0.25);
        QCOMPARE(scan.stats.keysScanned, 250);
        QCOMPARE(scan.commandCount(), 1);
        QVERIFY(scan.takePage(std::vector{page(1)}));
        QCOMPARE(scan.stats.progress, 0.5);
        QVERIFY(scan.takePage(std::vector{page(5)})); // the table has become larger meanwhile
        QCOMPARE(scan.stats.progress, 0.625);
        QVERIFY(scan.takePage(std::vector{page(4)})); // and smaller: it never goes back
        QCOMPARE(scan.stats.progress, 0.625);
        QVERIFY(!scan.scanned());
        QVERIFY(scan.takePage(std::vector{page(0)}));
        QVERIFY(scan.scanned());
        QCOMPARE(scan.stats.progress, 1.0);
        QCOMPARE(scan.stats.keysScanned, 1000);
    }
};

QTEST_GUILESS_MAIN(TestBudget)
#include "tst_budget.moc"

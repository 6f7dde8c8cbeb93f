// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/contentiontally.h"

#include "tests/core/history/historysample.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

#include <random>

using namespace lockscope;
using historysample::owner;
using historysample::start;
using namespace std::chrono_literals;

namespace {

const QByteArray uuid = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:";

LockEvent happened(EventKind kind, const QByteArray &key, qint64 at, const QByteArray &who = uuid + '1')
{
    LockEvent told = historysample::happened(kind, at, {owner(who)});
    told.address.key = LockKey(key);
    told.family = "redisson"_family;
    return told;
}

LockDiff waiting(const QByteArray &key, const QList<QByteArray> &queue, const QByteArray &holder = uuid + '1')
{
    WatchedLock lock = historysample::waitedOn(queue, -1, WaiterCertainty::Exact, holder);
    lock.lock.address.key = LockKey(key);
    lock.lock.family = "redisson"_family;
    LockDiff diff;
    diff.changed = {lock};
    return diff;
}

LockDiff told(const QList<LockEvent> &events)
{
    LockDiff diff;
    diff.events = events;
    return diff;
}

/// Works until all up to that moment is counted.
void count(ContentionTally &tally, qint64 at)
{
    while (!tally.work(start + at, 60s)) {
    }
}

/// A hold of a time, and somebody who waits for it so long.
void contend(ContentionTally &tally, const QByteArray &key, qint64 from, qint64 ms)
{
    tally.apply(told({happened(EventKind::Acquired, key, from)}), start + from);
    tally.apply(waiting(key, {}), start + from);
    tally.apply(waiting(key, {"waiter"}), start + from + 1);
    tally.apply(told({happened(EventKind::Released, key, from + ms)}), start + from + ms);
    LockDiff gone;
    gone.removed = {LockKey(key)};
    tally.apply(gone, start + from + ms);
}

const ContentionTally::Series *find(const std::vector<ContentionTally::Series> &all,
                                    const QByteArray &pattern)
{
    const auto found = std::ranges::find(all, pattern, &ContentionTally::Series::pattern);
    return found == all.end() ? nullptr : &*found;
}

qint64 total(const LengthHistogram &lengths)
{
    return std::accumulate(lengths.counts.begin(), lengths.counts.end(), qint64(0));
}

} // namespace

class ContentionTallyTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void bounds()
    {
        LengthHistogram lengths;
        QVERIFY(lengths.isEmpty());
        for (const qint64 ms : {0, 5, 6, 600'000, 600'001})
            lengths.add(ms, 2);
        QCOMPARE(lengths.counts, (std::array<qint64, 9>{4, 2, 0, 0, 0, 0, 0, 2, 2}));
        QCOMPARE(lengths.sumMs, 2 * (5 + 6 + 600'000 + 600'001));
    }

    void nothingHappened()
    {
        ContentionTally tally({"lock:*"});
        count(tally, 0);
        count(tally, 100'000);
        QVERIFY(tally.series().empty());
    }

    /// Whatever the moments at which is counted: each end once.
    void eachEndOnce()
    {
        for (const qint64 step : {1000, 3001, 20'000}) {
            ContentionTally tally({"lock:*"});
            count(tally, 0);
            qint64 at = 100;
            for (int i = 0; i < 500; ++i, at += 97) {
                tally.apply(told({happened(EventKind::Acquired, "lock:a", at),
                                  happened(EventKind::Released, "lock:a", at + 40)}),
                            start + at + 40);
                if (at / step != (at + 97) / step)
                    count(tally, at + 50);
            }
            count(tally, at + 10'000);
            count(tally, at + 20'000);
            const auto all = tally.series();
            QCOMPARE(all.size(), size_t(1));
            QCOMPARE(all[0].family, "redisson");
            QCOMPARE(all[0].pattern, "lock:*");
            QCOMPARE(total(all[0].counts.holds), 500);
            QCOMPARE(all[0].counts.holds.sumMs, 500 * 40);
            QCOMPARE(all[0].counts.holds.counts[2], 500);
        }
    }

    void waitsAndWaitedTime()
    {
        ContentionTally tally({"lock:*"});
        count(tally, 0);
        tally.apply(told({happened(EventKind::Acquired, "lock:a", 1000)}), start + 1000);
        tally.apply(waiting("lock:a", {}), start + 1000);
        tally.apply(waiting("lock:a", {uuid + '2'}), start + 2000);
        count(tally, 60'000); // it waits still
        auto all = tally.series();
        QCOMPARE(all.size(), size_t(1));
        QCOMPARE(all[0].counts.waitedMs, 60'000 - ContentionTally::delayMs - 2000);
        QVERIFY(all[0].counts.waits.isEmpty());
        tally.apply(told({happened(EventKind::OwnerChanged, "lock:a", 62'000, uuid + '2')}), start + 62'000);
        tally.apply(waiting("lock:a", {}, uuid + '2'), start + 62'000);
        count(tally, 80'000);
        all = tally.series();
        QCOMPARE(all[0].counts.waitedMs, 60'000);
        QCOMPARE(total(all[0].counts.waits), 1);
        QCOMPARE(all[0].counts.waits.sumMs, 60'000);
        QCOMPARE(total(all[0].counts.holds), 1);
    }

    /// As it comes, each second.
    void aLiveStream()
    {
        ContentionTally tally({"lock:*"});
        count(tally, 0);
        for (qint64 at = 1000; at < 600'000; at += 1000) {
            contend(tally, "lock:a", at, 700);
            count(tally, at + 710);
        }
        count(tally, 610'000);
        const auto all = tally.series();
        QCOMPARE(total(all[0].counts.holds), 599);
        QCOMPARE(all[0].counts.holds.sumMs, 599 * 700);
        // Of the first reading nobody knows since when somebody waits.
        QVERIFY(all[0].counts.waitedMs >= 598 * 699 && all[0].counts.waitedMs <= 599 * 699);
        count(tally, 620'000);
        QCOMPARE(tally.series()[0].counts.waitedMs, all[0].counts.waitedMs);
    }

    /// However the time is cut: waiters that are only counted, several changes in a millisecond among them.
    void countedWaiters()
    {
        for (unsigned seed = 1; seed <= 100; ++seed) {
            std::mt19937 random(seed);
            ContentionTally tally({"lock:*"});
            count(tally, 0);
            tally.apply(told({happened(EventKind::Acquired, "lock:a", 1)}), start + 1);
            qint64 at = 1, truth = 0;
            for (int step = 0, waiters = 0; step <= 200; ++step) {
                WatchedLock lock = historysample::waitedOn({}, waiters, WaiterCertainty::AtLeast, uuid + '1');
                lock.lock.address.key = LockKey("lock:a");
                LockDiff diff;
                diff.changed = {lock};
                tally.apply(diff, start + at);
                const qint64 next = at + qint64(random() % 3 == 0 ? random() % 900 : random() % 3);
                if (random() % 2 == 0)
                    count(tally, at);
                truth += waiters * (next - at);
                at = next;
                waiters = step == 199 ? 0 : int(random() % 4);
            }
            count(tally, at + 3500);
            count(tally, at + 10'000);
            QCOMPARE(tally.series().at(0).counts.waitedMs, truth);
        }
    }

    /// What is told later than it happened counts, too.
    void aLateEnd()
    {
        ContentionTally tally({"lock:*"});
        count(tally, 0);
        tally.apply(told({happened(EventKind::Acquired, "lock:a", 1000)}), start + 1000);
        LockDiff gone;
        gone.removed = {LockKey("lock:a")};
        tally.apply(gone, start + 5000);
        count(tally, 6000);
        tally.apply(told({happened(EventKind::Released, "lock:a", 5000)}), start + 6200);
        count(tally, 20'000);
        QCOMPARE(total(tally.series().at(0).counts.holds), 1);
    }

    void forcedEndsAreNoLengths()
    {
        ContentionTally tally({"lock:*"});
        count(tally, 0);
        tally.apply(told({happened(EventKind::Acquired, "lock:a", 1000),
                          happened(EventKind::Forced, "lock:a", 1500)}),
                    start + 1500);
        count(tally, 20'000);
        QVERIFY(tally.series().empty());
    }

    /// Ten groups, the others as one; nothing ever decreases, nothing is lost.
    void tenGroupsAndTheOthers()
    {
        QList<QByteArray> patterns;
        for (int i = 0; i < 15; ++i)
            patterns.append("p" + QByteArray::number(i) + ":*");
        ContentionTally tally(patterns);
        count(tally, 0);
        std::map<QByteArray, qint64> before;
        qint64 holds = 0;
        bool hasSwapped = false;
        for (qint64 minute = 0; minute < 30; ++minute) {
            const qint64 at = minute * 60'000 + 1000;
            // At first the first ones are waited for longest, later the last ones.
            for (int i = 0; i < 15; ++i, ++holds) {
                const bool isLong = minute < 10 ? i < 10 : i >= 5;
                contend(tally, patterns[i].chopped(1) + 'x', at, isLong ? 1000 + i * 10 : 10);
            }
            count(tally, at + 50'000);
            count(tally, at + 55'000);
            const auto all = tally.series();
            QVERIFY(all.size() <= ContentionTally::mostGroups + 1);
            for (const auto &series : all) {
                QVERIFY(total(series.counts.holds) >= before[series.pattern]);
                before[series.pattern] = total(series.counts.holds);
            }
            if (minute == 5) {
                QVERIFY(find(all, "p0:*") && find(all, "p9:*") && !find(all, "p14:*"));
                QCOMPARE(total(find(all, "other")->counts.holds), 5 * 6);
            }
            hasSwapped = hasSwapped || find(all, "p14:*");
        }
        QVERIFY(hasSwapped);
        const auto last = tally.series();
        QVERIFY(find(last, "p14:*") && find(last, "p10:*") && find(last, "other"));
        QVERIFY(total(find(last, "p14:*")->counts.holds) < 20); // from then on
        qint64 sum = 0;
        for (const auto &[pattern, count] : before) // also of those that are not shown any more
            sum += count;
        QCOMPARE(sum, holds);
    }

    void noPatternMatches()
    {
        ContentionTally tally({"other:*"});
        count(tally, 0);
        contend(tally, "lock:a", 1000, 100);
        count(tally, 20'000);
        QCOMPARE(tally.series().at(0).pattern, "");
    }

    void aClockThatIsSetBack()
    {
        ContentionTally tally({"lock:*"});
        count(tally, 0);
        contend(tally, "lock:a", 1000, 100);
        count(tally, 20'000);
        count(tally, -5'000'100);
        contend(tally, "lock:a", -5'000'000, 100);
        for (qint64 at = -4'990'000; at < -4'900'000; at += 10'000)
            count(tally, at);
        QCOMPARE(total(tally.series().at(0).counts.holds), 2);
    }
};

QTEST_APPLESS_MAIN(ContentionTallyTest)
#include "tst_contentiontally.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/holdtimes.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;
using namespace std::chrono_literals;

namespace {

LockEvent endOf(const QByteArray &key, std::optional<milliseconds> held, EventKind kind = EventKind::Released)
{
    LockEvent event;
    event.kind = kind;
    event.address.key = LockKey(key);
    event.held = held;
    return event;
}

} // namespace

class HoldTimesTest : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsClaimedOfFewHolds()
    {
        HoldTimes times;
        QCOMPARE(times.of(LockKey("a")).holds, 0);
        for (int i = 1; i < HoldTimeStats::fewest; ++i) {
            times.add({endOf("a", 10ms)});
            QCOMPARE(times.of(LockKey("a")).holds, i);
            QVERIFY(!times.of(LockKey("a")).isKnown());
            QVERIFY(!times.of(LockKey("a")).timesUsual(1h));
        }
        times.add({endOf("a", 10ms)});
        QVERIFY(times.of(LockKey("a")).isKnown());
        QCOMPARE(times.of(LockKey("b")).holds, 0);
    }

    /// What was not seen whole, and what was ended by force, is no hold of a usual length.
    void onlyWholeHoldsTeach()
    {
        HoldTimes times;
        times.add({endOf("a", {}), endOf("a", 10ms, EventKind::Forced)});
        QCOMPARE(times.of(LockKey("a")).holds, 0);
        times.add({endOf("a", 10ms, EventKind::Expired), endOf("a", 10ms, EventKind::OwnerChanged)});
        QCOMPARE(times.of(LockKey("a")).holds, 2);
    }

    /// Nearly: what is kept of all of them is a few bytes.
    void theUsualIsThatOfAll()
    {
        HoldTimes times;
        for (int i = 1; i <= 1000; ++i)
            times.add({endOf("a", milliseconds(i)), endOf("b", 70ms)});
        const auto isNear = [](milliseconds told, milliseconds truth) {
            return std::chrono::abs(told - truth) <= truth / 20 + 1ms;
        };
        const HoldTimeStats usual = times.of(LockKey("a"));
        QCOMPARE(usual.holds, 1000);
        QVERIFY(isNear(usual.from, 100ms));
        QVERIFY(isNear(usual.to, 900ms));
        QVERIFY(isNear(usual.median, 500ms));
        QVERIFY(isNear(usual.nearlyAll, 998ms));
        QCOMPARE(usual.longest, 1000ms);
        QCOMPARE(times.of(LockKey("b")).median, 70ms);
        QCOMPARE(times.of(LockKey("b")).to, 70ms);
    }

    /// Of very many what came long ago counts less, and the one that was long is forgotten.
    void whatIsLongAgoIsForgotten()
    {
        HoldTimes times;
        times.add({endOf("a", 1h)});
        for (int i = 0; i < 60'000; ++i)
            times.add({endOf("a", 100ms)});
        QCOMPARE(times.of(LockKey("a")).longest, 1h);
        for (int i = 0; i < 60'000; ++i)
            times.add({endOf("a", 1s)});
        QCOMPARE(times.of(LockKey("a")).holds, 120'001);
        for (int i = 0; i < 60'000; ++i)
            times.add({endOf("a", 1s)});
        const HoldTimeStats usual = times.of(LockKey("a"));
        QVERIFY(usual.holds < 180'001);
        QVERIFY(usual.longest < 2s);
        QVERIFY(std::chrono::abs(usual.median - 1s) < 400ms);
    }

    void whatIsUnusuallyLong()
    {
        HoldTimes times;
        for (int i = 0; i < 10; ++i) {
            for (const milliseconds held : {80ms, 100ms, 100ms, 100ms, 400ms})
                times.add({endOf("a", held)});
        }
        const HoldTimeStats usual = times.of(LockKey("a"));
        QVERIFY(!usual.timesUsual(900ms));  // shorter than a second
        QVERIFY(!usual.timesUsual(1199ms)); // one that was seen was nearly as long
        QVERIFY(usual.timesUsual(1200ms));
        for (int i = 0; i < HoldTimeStats::fewest; ++i)
            times.add({endOf("b", 1s), endOf("c", 0ms)});
        QVERIFY(!times.of(LockKey("b")).timesUsual(4999ms));
        QCOMPARE(times.of(LockKey("b")).timesUsual(5s), 5);
        QCOMPARE(times.of(LockKey("c")).timesUsual(2s), 2000); // of a median of less than a millisecond
    }

    void aHoldKnowsWhenItIsUnusual()
    {
        HoldTimes times;
        WatchedLock lock = reentrant("a");
        QCOMPARE(times.unusualAfter(lock), TimePoint::max());
        for (int i = 0; i < HoldTimeStats::fewest; ++i) {
            QCOMPARE(times.unusualAfter(lock), TimePoint::max());
            times.add({endOf("a", 1s)});
        }
        QCOMPARE(times.unusualAfter(lock), lock.heldSince + 5s);
        QCOMPARE(times.unusualAfter(reentrant("b")), TimePoint::max());
        lock.lock.owners.clear();
        QCOMPARE(times.unusualAfter(lock), TimePoint::max());
        for (int i = 0; i < HoldTimeStats::fewest; ++i)
            times.add({endOf("a", 2s)});
        QCOMPARE(times.unusualAfter(reentrant("a")), now - 5s + 6s); // longer than what was seen
    }

    void memoryIsBounded()
    {
        HoldTimes times(100'000);
        for (int i = 0; i < 2'000; ++i) {
            times.add({endOf("lock:" + QByteArray::number(i), 10ms)});
            times.of(LockKey("lock:0")); // what is looked at stays
        }
        QVERIFY(times.keys() > 100 && times.keys() < 600);
        QCOMPARE(times.of(LockKey("lock:0")).holds, 1);
        QCOMPARE(times.of(LockKey("lock:1")).holds, 0);
        QCOMPARE(times.of(LockKey("lock:1999")).holds, 1);
        times.add({endOf(QByteArray(200'000, 'k'), 10ms)});
        QVERIFY(times.of(LockKey("lock:1999")).holds == 1);
    }

    void enormousTimesAreNoOtherNumber()
    {
        HoldTimes times;
        for (int i = 0; i < HoldTimeStats::fewest; ++i)
            times.add({endOf("a", milliseconds(std::chrono::hours(24 * 365 * 90)))});
        QVERIFY(times.of(LockKey("a")).median > std::chrono::hours(24 * 49));
    }
};

QTEST_GUILESS_MAIN(HoldTimesTest)
#include "tst_holdtimes.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/lockstatistics.h"

#include "core/watch/holdtimes.h"
#include "tests/core/history/historysample.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

#include <algorithm>

using namespace lockscope;
using historysample::events;
using historysample::key;
using historysample::owner;
using historysample::start;
using historysample::unseen;
using historysample::waitedOn;
using namespace std::chrono_literals;

namespace {

const QByteArray web = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:1";

LockEvent happened(EventKind kind, qint64 at, const QList<LockOwner> &owners = {owner(web)}, int others = 0)
{
    LockEvent told = historysample::happened(kind, at, owners, 30'000ms, others);
    told.family = "redisson"_family;
    return told;
}

/// A hold from one moment to another.
QList<LockEvent> hold(qint64 from, qint64 to, EventKind end = EventKind::Released)
{
    return {happened(EventKind::Acquired, from), happened(end, to)};
}

LockDiff waiting(const QList<QByteArray> &queue, const QByteArray &holder = web, qint64 count = -1,
                 WaiterCertainty certainty = WaiterCertainty::Exact)
{
    WatchedLock lock = waitedOn(queue, count, certainty, holder);
    lock.lock.family = "redisson"_family;
    LockDiff diff;
    diff.changed = {lock};
    return diff;
}

LockStatistics statistics(const LockHistory &history, qint64 from = 0, qint64 to = 100'000)
{
    StatisticsRun run(history, start + from, start + to);
    if (!run.work(60s) || run.result().empty())
        return {};
    return run.result().front();
}

} // namespace

class LockStatisticsTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void wholeHoldsAndWhatIsNotWhole()
    {
        LockHistory history;
        history.apply(events(QList{happened(EventKind::Found, 0), happened(EventKind::Released, 5000)} +
                             hold(6000, 6100) + hold(7000, 7300) + hold(8000, 8200, EventKind::Expired) +
                             hold(9000, 9999, EventKind::Forced) +
                             QList{happened(EventKind::Acquired, 90'000)}),
                      start + 90'000);
        const LockStatistics told = statistics(history);
        QCOMPARE(told.acquisitions, 5);
        QCOMPARE(told.holds.count, 3);
        QCOMPARE(told.holds.p50, 200ms);
        QCOMPARE(told.holds.p95, 300ms);
        QCOMPARE(told.holds.longest, 300ms);
        QCOMPARE(told.holds.unsure, 3); // found, forced, and that which goes on
        QCOMPARE(told.holds.longestSeen, 10'000ms);
        QCOMPARE(told.observed, 100'000ms);
        QCOMPARE(*told.perSecond(), 0.05);
        // Only what ended in the time, with all of its length.
        const LockStatistics part = statistics(history, 7100, 8100);
        QCOMPARE(part.acquisitions, 1);
        QCOMPARE(part.holds.count, 1);
        QCOMPARE(part.holds.longest, 300ms);
        QCOMPARE(part.holds.unsure, 1);
        QVERIFY(statistics(history, 20'000, 30'000).isEmpty());
    }

    void reentriesAreOneHold()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 1000),
                              happened(EventKind::Reentered, 1100, {owner(web, 2)}),
                              happened(EventKind::Reentered, 1200, {owner(web, 3)}),
                              happened(EventKind::Unwound, 1300, {owner(web, 1)}),
                              happened(EventKind::Released, 1500)}),
                      start + 1500);
        const LockStatistics told = statistics(history);
        QCOMPARE(told.acquisitions, 1);
        QCOMPARE(told.reentries, 2);
        QCOMPARE(told.holds.count, 1);
        QCOMPARE(told.holds.longest, 500ms);
        // It began before that time.
        QCOMPARE(statistics(history, 1150).holds.longest, 500ms);
        QCOMPARE(statistics(history, 1150).acquisitions, 0);
        QCOMPARE(statistics(history, 1150).reentries, 1);
    }

    /// What was not seen is not said to have been quiet.
    void unseenTimeIsSubtracted()
    {
        LockHistory history;
        history.apply(events(hold(1000, 2000)), start + 2000);
        history.confirm(start + 10'000);
        history.add({MonitorEventKind::Disconnected, {}, start + 20'000, {}});
        history.add({MonitorEventKind::Reconnected, {}, start + 29'000, {}});
        history.confirm(start + 30'000);
        history.apply(events({happened(EventKind::Acquired, 40'000),
                              unseen(happened(EventKind::Released, 45'000), 2000ms)}),
                      start + 45'000);
        const LockStatistics told = statistics(history, 0, 50'000);
        // Nothing before the first event, nothing in the gap, nothing between two readings.
        QCOMPARE(told.observed, 50'000ms - 1000ms - 20'000ms - 2000ms);
        QCOMPARE(told.unseen, 23'000ms);
        QCOMPARE(told.holds.count, 1);
        QCOMPARE(told.holds.unsure, 1);
        // Two owners without a row and a gap at once are subtracted once.
        LockHistory both;
        both.apply(events({unseen(happened(EventKind::Released, 1000, {owner(web)}, 2), 0ms)}), start + 1000);
        both.confirm(start + 5000);
        both.add({MonitorEventKind::Disconnected, {}, start + 5000, {}});
        both.add({MonitorEventKind::Reconnected, {}, start + 8000, {}});
        both.confirm(start + 8000);
        both.apply(events({unseen(happened(EventKind::Acquired, 9000), 4000ms)}), start + 9000);
        QCOMPARE(statistics(both, 0, 10'000).observed, 1000ms);
        // A hold across a gap may have been two.
        LockHistory across;
        across.apply(events({happened(EventKind::Acquired, 1000)}), start + 1000);
        across.confirm(start + 2000);
        across.add({MonitorEventKind::FeedGap, {}, start + 3000, {}});
        across.confirm(start + 4000);
        across.apply(events({happened(EventKind::Released, 9000)}), start + 9000);
        QCOMPARE(statistics(across).holds.count, 0);
        QCOMPARE(statistics(across).holds.unsure, 1);
        QCOMPARE(statistics(across).holds.longestSeen, 0ms);
        // That of a lost node is subtracted from its own locks.
        LockHistory node;
        node.apply(events({happened(EventKind::Acquired, 0)}), start);
        node.confirm(start + 1000);
        SlotSet lost;
        lost.set(size_t(slotOf(key.bytes)));
        node.setUnknownSlots(std::make_shared<const SlotSet>(lost), start + 2000);
        node.setUnknownSlots(nullptr, start + 4000);
        QCOMPARE(statistics(node, 0, 10'000).observed, 7000ms);
        LockHistory elsewhere;
        elsewhere.apply(events({happened(EventKind::Acquired, 0)}), start);
        elsewhere.confirm(start + 1000);
        elsewhere.setUnknownSlots(std::make_shared<const SlotSet>(~lost), start + 2000);
        elsewhere.setUnknownSlots(nullptr, start + 4000);
        QCOMPARE(statistics(elsewhere, 0, 10'000).observed, 10'000ms);
        // Nor is anything known of a lock before it was found.
        LockHistory found;
        found.apply(events({happened(EventKind::Found, 60'000)}), start + 60'000);
        QCOMPARE(statistics(found).observed, 40'000ms);
    }

    /// Acquisitions that are seen between two readings count, so that time does, too.
    void ratesOfPolledLocks()
    {
        LockHistory history;
        QList<LockEvent> list;
        for (int i = 0; i < 10; ++i)
            list += {unseen(happened(EventKind::Acquired, 1000 + 2000 * i), 900ms),
                     unseen(happened(EventKind::Released, 2000 + 2000 * i), 900ms)};
        history.apply(events(list), start + 20'000);
        const LockStatistics told = statistics(history, 1000, 21'000);
        QCOMPARE(told.acquisitions, 10);
        QVERIFY(told.observed < 3000ms);
        QCOMPARE(told.counted, 20'000ms);
        QCOMPARE(*told.perSecond(), 0.5);
    }

    /// Nobody saw whether they waited on.
    void waitsInTimeThatNobodySaw()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 0)}), start);
        history.apply(waiting({"b"}), start + 20'000);
        history.apply(waiting({"b"}, web, 3, WaiterCertainty::AtLeast), start + 22'000);
        history.confirm(start + 23'000);
        history.add({MonitorEventKind::Disconnected, {}, start + 24'000, {}});
        history.add({MonitorEventKind::Reconnected, {}, start + 60'000, {}});
        history.confirm(start + 60'000);
        history.apply(waiting({"b"}), start + 62'000);
        history.apply(waiting({}), start + 63'000);
        // One by name, then three of whom one is named, without the gap, then one again.
        QCOMPARE(statistics(history).waited, 2000ms + 3 * (1000ms + 2000ms) + 1000ms);
    }

    void waitsAcrossPlaces()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 0)}), start);
        history.apply(waiting({"b"}), start + 20'000);
        history.apply(waiting({"b", "c"}), start + 21'000);
        history.apply(events({happened(EventKind::OwnerChanged, 22'000, {owner("b")})}), start + 22'000);
        history.apply(waiting({"c"}, "b"), start + 22'000);
        history.apply(events({happened(EventKind::OwnerChanged, 25'000, {owner("c")})}), start + 25'000);
        history.apply(waiting({}, "c"), start + 25'000);
        const LockStatistics told = statistics(history);
        QVERIFY(told.tellsWaiters);
        QCOMPARE(told.waits.count, 2);
        QCOMPARE(told.waits.p50, 2000ms);
        QCOMPARE(told.waits.longest, 4000ms); // at two places
        QCOMPARE(told.waits.unsure, 0);
        QCOMPARE(told.waited, 6000ms);
        QCOMPARE(told.acquisitions, 3);
        QCOMPARE(told.contended, 2);
        QCOMPARE(*told.contendedShare(), 2.0 / 3);
        // Of a part of that time only that part.
        QCOMPARE(statistics(history, 21'500, 22'500).waited, 500ms + 1000ms);
        QCOMPARE(statistics(history, 21'500, 22'500).waits.count, 1);
        QCOMPARE(statistics(history, 21'500, 22'500).waits.unsure, 1);
    }

    void waitersThatWereThereOrAreDead()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Found, 0)}), start);
        history.apply(waiting({"early", "!dead"}), start + 500);
        history.apply(waiting({"!dead"}), start + 3000);
        LockStatistics told = statistics(history);
        QCOMPARE(told.waits.count, 0);
        QCOMPARE(told.waits.unsure, 1);
        QCOMPARE(told.waits.longestSeen, 2500ms);
        QCOMPARE(told.waited, 2500ms);
        QCOMPARE(told.contended, 0);
        // A number alone: their time, and no length of any of them. One of them stands in a row as well.
        LockHistory counted;
        counted.apply(events({happened(EventKind::Acquired, 0)}), start);
        counted.apply(waiting({"b"}, web, 5, WaiterCertainty::AtLeast), start + 20'000);
        counted.apply(waiting({}, web, 0, WaiterCertainty::AtLeast), start + 22'000);
        told = statistics(counted);
        QCOMPARE(told.waited, 10'000ms);
        QCOMPARE(told.waits.count, 1);
    }

    /// A reading that cannot tell who waits does not end a wait, nor does the next one begin it.
    void aReadingThatCannotTellOfWaiters()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 0)}), start);
        history.apply(waiting({"w"}), start + 1000);
        history.apply(waiting({}, web, 0, WaiterCertainty::Unknown), start + 2000);
        history.apply(waiting({"w"}), start + 5000);
        history.apply(waiting({}), start + 6000);
        LockStatistics told = statistics(history);
        QCOMPARE(told.waits.count, 0);
        QCOMPARE(told.waits.unsure, 2);
        QCOMPARE(told.waited, 2000ms);
        // The next one is told from its beginning to its end.
        history.apply(waiting({"x"}), start + 7000);
        history.apply(waiting({}), start + 9000);
        told = statistics(history);
        QCOMPARE(told.waits.count, 1);
        QCOMPARE(told.waits.longest, 2000ms);
    }

    void familiesWhoseWaitersLeaveNoTrace()
    {
        LockHistory history;
        QList<LockEvent> list = hold(1000, 2000);
        for (LockEvent &event : list)
            event.family = "redis-py"_family;
        history.apply(events(list), start + 2000);
        const LockStatistics told = statistics(history);
        QVERIFY(!told.tellsWaiters);
        QVERIFY(!told.contendedShare());
        // Redisson's may not be asked for.
        history.apply(events({happened(EventKind::Acquired, 3000)}), start + 3000);
        history.apply(waiting({}, web, 0, WaiterCertainty::Unknown), start + 3000);
        QVERIFY(!statistics(history).tellsWaiters);
        history.apply(waiting({}, web, 0, WaiterCertainty::AtLeast), start + 5000);
        QVERIFY(statistics(history).tellsWaiters);
        QCOMPARE(*statistics(history).contendedShare(), 0.0);
        QVERIFY(!statistics(history, 0, 4000).tellsWaiters);
        history.apply(waiting({}, web, 0, WaiterCertainty::Unknown), start + 7000);
        QVERIFY(statistics(history, 6000).tellsWaiters);
        QVERIFY(!statistics(history, 8000).tellsWaiters);
    }

    /// Each owner's hold is one of its own.
    void semaphores()
    {
        LockHistory history;
        const auto change = [](EventKind kind, qint64 at, const QByteArray &id, int others) {
            LockEvent event = happened(kind, at, {owner(id)}, others);
            event.family = "redisson-semaphore"_family;
            return event;
        };
        history.apply(events({change(EventKind::Acquired, 1000, "permit-1", 0),
                              change(EventKind::Acquired, 1500, "permit-2", 1),
                              change(EventKind::Released, 2000, "permit-1", 1),
                              change(EventKind::Released, 4000, "permit-2", 0)}),
                      start + 4000);
        const LockStatistics told = statistics(history);
        QCOMPARE(told.acquisitions, 2);
        QCOMPARE(told.holds.count, 2);
        QCOMPARE(told.holds.p50, 1000ms);
        QCOMPARE(told.holds.longest, 2500ms);
    }

    /// Renewals and re-entries of its owner are of one hold.
    void renewedHoldsAreWhole()
    {
        LockHistory history;
        QList<LockEvent> list{happened(EventKind::Acquired, 1000)};
        for (qint64 at = 2000; at < 9000; at += 1000)
            list += happened(EventKind::Renewed, at);
        list += {happened(EventKind::Reentered, 8100, {owner(web, 2)}),
                 happened(EventKind::Renewed, 8100, {owner(web, 2)}),
                 happened(EventKind::Renewed, 8200, {owner(web, 2)}),
                 happened(EventKind::Unwound, 8300),
                 happened(EventKind::Renewed, 8300),
                 happened(EventKind::Released, 10'000)};
        history.apply(events(list), start + 10'000);
        const LockStatistics told = statistics(history);
        QCOMPARE(told.holds.count, 1);
        QCOMPARE(told.holds.longest, 9000ms);
        QCOMPARE(told.holds.unsure, 0);
    }

    /// The next holder may write the same, and one that comes back at once looks as if it had renewed.
    void holdsThatMayBeSeveral()
    {
        LockHistory history;
        QList<LockEvent> list{happened(EventKind::Acquired, 1000), happened(EventKind::Renewed, 1300),
                              happened(EventKind::Released, 2000)};
        history.apply(events(list), start + 2000);
        QCOMPARE(statistics(history).holds.count, 0);
        QCOMPARE(statistics(history).holds.unsure, 1);
        QCOMPARE(statistics(history).holds.longestSeen, 700ms);
        LockHistory constant;
        list = hold(1000, 2000);
        for (LockEvent &event : list) {
            event.family = "token"_family;
            event.owners = {owner("locked")};
        }
        constant.apply(events(list), start + 2000);
        QCOMPARE(statistics(constant).holds.count, 0);
    }

    void agreesWithHoldTimes()
    {
        LockHistory history;
        HoldTimes times;
        QList<LockEvent> list;
        for (int i = 0; i < HoldTimeStats::fewest; ++i) {
            const qint64 length = 100 + 37 * (i % 11);
            list += hold(1000 * i, 1000 * i + length, i % 3 ? EventKind::Released : EventKind::Expired);
            list.last().held = milliseconds(length);
        }
        history.apply(events(list), start + 60'000);
        times.add(list);
        const LockStatistics told = statistics(history);
        QCOMPARE(told.holds.count, qint64(times.of(key).holds));
        QCOMPARE(told.holds.longest, times.of(key).longest);
        QVERIFY(std::chrono::abs(told.holds.p50 - times.of(key).median) <= 37ms); // of an even number
    }

    /// In parts as at once, also while more comes.
    void inParts()
    {
        LockHistory history;
        QList<LockEvent> list;
        for (int i = 0; i < 200; ++i) {
            for (int lock = 0; lock < 20; ++lock) {
                QList<LockEvent> both = hold(10 * i, 10 * i + 1 + (i * lock) % 9);
                for (LockEvent &event : both)
                    event.address.key = LockKey("lock:" + QByteArray::number(lock));
                list += both;
            }
        }
        std::ranges::stable_sort(list, {}, &LockEvent::wallMs);
        history.apply(events(list), start + 2000);
        StatisticsRun whole(history, start, start + 2000), parts(history, start, start + 2000);
        QVERIFY(whole.work(60s));
        int count = 1;
        for (; !parts.work(0ms); ++count)
            history.apply(events(hold(5000 + count, 5000 + count)), start + 5000 + count);
        QVERIFY(count > 20);
        QCOMPARE(parts.result().size(), whole.result().size());
        for (const LockStatistics &one : whole.result()) {
            const auto same = std::ranges::find(parts.result(), one.key, &LockStatistics::key);
            QVERIFY(same != parts.result().end());
            QCOMPARE(same->holds, one.holds);
            QCOMPARE(same->acquisitions, one.acquisitions);
        }
    }

    void manyLengthsAreNearlyExact()
    {
        Lengths lengths;
        QCOMPARE(lengths.quantile(0.5), 0u);
        for (quint32 ms = 1; ms <= 100'000; ++ms)
            lengths.add(ms);
        QCOMPARE(lengths.count(), 100'000);
        QCOMPARE(lengths.longest(), 100'000u);
        for (const double share : {0.5, 0.95, 0.99}) {
            const double exact = share * 100'000;
            QVERIFY(lengths.quantile(share) <= exact && lengths.quantile(share) >= exact * 0.99);
        }
        Lengths extremes;
        for (size_t i = 0; i <= Lengths::maxExact; ++i)
            extremes.add(i % 2 ? 0 : ~quint32(0));
        QCOMPARE(extremes.quantile(0.1), 0u);
        QVERIFY(extremes.quantile(1) >= ~quint32(0) / 100 * 99);
    }
};

QTEST_APPLESS_MAIN(LockStatisticsTest)
#include "tst_lockstatistics.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
// Holds, leases and waiters as lanes show them, and how much of them is kept.
#include "core/history/lockhistory.h"

#include "tests/core/history/historysample.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::historysample;
using namespace std::chrono_literals;

class LockHistoryTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aHoldWithItsDepthAndLease()
    {
        LockHistory history;
        history.apply(
            events({happened(EventKind::Acquired, 100),
                    happened(EventKind::Reentered, 200, {owner("web-1", 2)}),
                    happened(EventKind::Renewed, 250), happened(EventKind::Unwound, 300, {owner("web-1", 1)}),
                    happened(EventKind::Released, 400)}),
            start + 400);
        QCOMPARE(shown(history), (QStringList{QStringLiteral("hold0 100-200 web-1, changed"),
                                              QStringLiteral("hold0 200-300 web-1 x2, changed"),
                                              QStringLiteral("hold0 300-400 web-1, released"),
                                              QStringLiteral("lease0 100-250 30000 ms, changed"),
                                              QStringLiteral("lease0 250-400 30000 ms, released")}));
        const LaneState then = history.stateAt(key, start + 310, start + 900);
        QVERIFY(then.isKnown);
        QCOMPARE(then.holders.size(), 1);
        QCOMPARE(then.holders[0].holdCount, 1);
        QCOMPARE(then.holders[0].sinceMs, start + 100);
        QVERIFY(!then.holders[0].isLate);
        QCOMPARE(then.leftMs, std::optional<qint64>(30'000 - 60));
        QVERIFY(history.stateAt(key, start + 500, start + 900).holders.isEmpty());
        QVERIFY(history.stateAt(key, start + 500, start + 900).isKnown);
        QVERIFY(!history.stateAt(key, start + 50, start + 900).isKnown); // before anybody looked
    }

    void itIsDestroyedPieceByPiece()
    {
        LockHistory history;
        for (int i = 0; i < 2000; ++i) {
            LockEvent event = happened(EventKind::Acquired, 100);
            event.address.key = LockKey("lock:" + QByteArray::number(i));
            history.apply(events({event}), start + 100);
        }
        QCOMPARE(history.store().laneCount(), 2000);
        int pieces = 1;
        while (history.shed())
            ++pieces;
        QVERIFY2(pieces > 2 && pieces < 2000, qPrintable(QString::number(pieces)));
    }

    void whatWasFoundHadBegunBefore()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Found, 100, {owner("web-1", 3)}, {})}), start + 100);
        QCOMPARE(shown(history, 0, 500), (QStringList{QStringLiteral("unknown0 0-100, goes on"),
                                                      QStringLiteral("hold0 100-500 web-1 x3, goes on"),
                                                      QStringLiteral("lease0 100-500 endless, goes on")}));
        const LaneState now = history.stateAt(key, start + 300, start + 500);
        QVERIFY(now.isEndless && !now.leftMs && now.holders[0].isLate);
    }

    void howAHoldEnded_data()
    {
        QTest::addColumn<EventKind>("kind");
        QTest::addColumn<QString>("end");
        QTest::addColumn<bool>("isMarked");
        QTest::newRow("released") << EventKind::Released << QStringLiteral("released") << false;
        QTest::newRow("expired") << EventKind::Expired << QStringLiteral("expired") << true;
        QTest::newRow("forced") << EventKind::Forced << QStringLiteral("forced") << true;
        QTest::newRow("vanished") << EventKind::Vanished << QStringLiteral("vanished") << true;
    }
    void howAHoldEnded()
    {
        QFETCH(EventKind, kind);
        QFETCH(QString, end);
        QFETCH(bool, isMarked);
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100), happened(kind, 200)}), start + 200);
        QCOMPARE(only(shown(history), "hold"), QStringList{QStringLiteral("hold0 100-200 web-1, ") + end});
        QCOMPARE(only(shown(history), "mark").size(), isMarked ? 1 : 0);
    }

    /// Events are held back for a moment, the removal of their lock is not.
    void anEventAfterItsRemoval()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100, {owner("a")}),
                              happened(EventKind::Acquired, 150, {owner("b")}, 30'000ms, 1)}),
                      start + 150);
        LockDiff gone;
        gone.removed = {key};
        history.apply(gone, start + 300);
        history.apply(events({happened(EventKind::Released, 200, {owner("a")}, {}, 1)}), start + 400);
        QVERIFY(!history.stateAt(key, start + 350, start + 1000).isKnown);
        history.apply(events({happened(EventKind::Forced, 250, {owner("b")})}), start + 500);
        QCOMPARE(only(shown(history), "hold"), (QStringList{QStringLiteral("hold0 100-200 a, released"),
                                                            QStringLiteral("hold1 150-250 b, forced")}));
        QCOMPARE(only(shown(history), "lease").last(), QStringLiteral("lease0 150-250 30000 ms, forced"));
        QCOMPARE(only(shown(history), "mark").size(), 1);
        QVERIFY(only(shown(history), "unknown").isEmpty());
        QVERIFY(history.stateAt(key, start + 350, start + 1000).isKnown);
    }

    /// What went before the end, too: a renewal, a re-entry, another owner.
    void eventsAfterTheRemoval()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100, {owner("a")})}), start + 100);
        LockDiff gone;
        gone.removed = {key};
        history.apply(gone, start + 600);
        history.apply(events({happened(EventKind::Renewed, 200, {owner("a")})}), start + 650);
        QCOMPARE(only(shown(history), "hold"), QStringList{QStringLiteral("hold0 100-600 a, unwatched")});
        history.apply(events({happened(EventKind::Reentered, 250, {owner("a", 2)}),
                              happened(EventKind::OwnerChanged, 300, {owner("b")}),
                              happened(EventKind::Released, 400, {owner("b")}),
                              happened(EventKind::Acquired, 500, {owner("c")})}),
                      start + 700);
        QCOMPARE(only(shown(history, 0, 1000), "hold"),
                 (QStringList{QStringLiteral("hold0 100-250 a, changed"),
                              QStringLiteral("hold0 250-300 a x2, owner changed"),
                              QStringLiteral("hold0 300-400 b, released"),
                              QStringLiteral("hold0 500-1000 c, goes on")}));
        QCOMPARE(only(shown(history, 0, 1000), "lease").size(), 4);
    }

    /// Watches that tell of one moment may differ by a little: what begins is no part of what was before.
    void whatIsFoundAgainGoesOn()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100, {owner("a")})}), start + 100);
        LockDiff gone;
        gone.removed = {key};
        history.apply(gone, start + 600);
        history.apply(events({happened(EventKind::Found, 590, {owner("a")})}), start + 610);
        QVERIFY(history.stateAt(key, start + 800, start + 1000).isKnown);
        QVERIFY(only(shown(history, 0, 1000), "hold").last().endsWith(QStringLiteral("goes on")));
    }

    /// Of the end of what nobody saw there is no slice.
    void aLaneWithoutSlicesGoes()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Released, 100)}), start + 100);
        QVERIFY(history.isEmpty());
    }

    void severalOwnersHaveRows()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100, {owner("a")}),
                              happened(EventKind::Acquired, 200, {owner("b")}, 30'000ms, 1),
                              happened(EventKind::Released, 300, {owner("a")}, {}, 1),
                              happened(EventKind::Acquired, 350, {owner("c")}, 30'000ms, 1),
                              happened(EventKind::Released, 400, {owner("b")}, {}, 1)}),
                      start + 400);
        QCOMPARE(only(shown(history, 0, 500), "hold"),
                 (QStringList{QStringLiteral("hold0 100-300 a, released"),
                              QStringLiteral("hold0 350-500 c, goes on"),
                              QStringLiteral("hold1 200-400 b, released")}));
        QCOMPARE(history.store().at(key).holdRows, 2);
    }

    /// Those without a row may hold it still where all that have one are gone.
    void moreOwnersThanRows()
    {
        LockHistory history;
        const int owners = LockHistory::maxRows + 2;
        for (int i = 0; i < owners; ++i)
            history.apply(
                events({happened(EventKind::Acquired, 100 + i, {owner(QByteArray::number(i))}, 30'000ms, i)}),
                start + 100 + i);
        QCOMPARE(history.stateAt(key, start + 150, start + 1000).holders.size(), LockHistory::maxRows);
        for (int i = 0; i < owners; ++i)
            history.apply(events({happened(EventKind::Released, 200 + i, {owner(QByteArray::number(i))}, {},
                                           owners - i - 1)}),
                          start + 200 + i);
        QVERIFY(history.stateAt(key, start + 206, start + 1000).isKnown);
        QVERIFY(!history.stateAt(key, start + 207, start + 1000).isKnown);
        QVERIFY(!history.stateAt(key, start + 208, start + 1000).isKnown);
        QVERIFY(history.stateAt(key, start + 209, start + 1000).isKnown);
    }

    void waitersInTheOrderOfTheirQueue()
    {
        LockHistory history;
        LockDiff diff = events({happened(EventKind::Acquired, 100)});
        diff.changed = {waitedOn({"x", "y"})};
        history.apply(diff, start + 100);
        diff = events({happened(EventKind::OwnerChanged, 200, {owner("x")})});
        diff.changed = {waitedOn({"y", "z"}, -1, WaiterCertainty::Exact, "x")};
        history.apply(diff, start + 200);
        diff = {};
        diff.changed = {waitedOn({}, -1, WaiterCertainty::Exact, "x")};
        history.apply(diff, start + 300);
        QCOMPARE(only(shown(history), "wait"), (QStringList{QStringLiteral("wait0 100-200 x, acquired"),
                                                            QStringLiteral("wait0 200-300 y, left"),
                                                            QStringLiteral("wait1 100-200 y, changed"),
                                                            QStringLiteral("wait1 200-300 z, left")}));
        const LaneState then = history.stateAt(key, start + 250, start + 400);
        QCOMPARE(then.queue.size(), 2);
        QCOMPARE(then.queue[1].waiter, OwnerId("z"));
        QCOMPARE(then.waiters, 2);
        QCOMPARE(then.certainty, WaiterCertainty::Exact);
        QCOMPARE(history.store().at(key).waitRows(), 2);
    }

    void countedWaiters()
    {
        LockHistory history;
        LockDiff diff = events({happened(EventKind::Acquired, 100)});
        diff.changed = {waitedOn({}, 3, WaiterCertainty::AtLeast)};
        history.apply(diff, start + 100);
        diff.events = {};
        history.apply(diff, start + 150); // no change
        diff.changed = {waitedOn({}, 0, WaiterCertainty::AtLeast)};
        history.apply(diff, start + 200);
        QCOMPARE(only(shown(history), "count"), QStringList{QStringLiteral("count0 100-200 3, changed")});
        const LaneState then = history.stateAt(key, start + 180, start + 400);
        QCOMPARE(then.waiters, 3);
        QCOMPARE(then.certainty, WaiterCertainty::AtLeast);
        QCOMPARE(history.stateAt(key, start + 300, start + 400).waiters, 0);
    }

    /// A row for their number would stay beside those of the queue.
    void aNumberThatIsKnownBeforeTheQueueLeavesNoRow()
    {
        LockHistory history;
        LockDiff diff = events({happened(EventKind::Acquired, 100)});
        diff.changed = {waitedOn({}, 1, WaiterCertainty::AtLeast)};
        history.apply(diff, start + 100);
        QCOMPARE(history.store().at(key).waitRows(), 1);
        diff = {};
        diff.changed = {waitedOn({"x", "y"})};
        history.apply(diff, start + 120);
        QCOMPARE(history.store().at(key).waitRows(), 2);
        QCOMPARE(only(shown(history, 0, 1000), "count"), QStringList());
        QCOMPARE(history.stateAt(key, start + 150, start + 200).waiters, 2);
        diff.changed = {waitedOn({}, 0)};
        history.apply(diff, start + 200);
        // One that was told for longer was so.
        diff.changed = {waitedOn({}, 1, WaiterCertainty::AtLeast)};
        history.apply(diff, start + 300);
        diff.changed = {waitedOn({"x"})};
        history.apply(diff, start + 5300);
        QCOMPARE(only(shown(history), "count"), QStringList{QStringLiteral("count0 300-5300 1, changed")});
        QCOMPARE(history.store().at(key).waitRows(), 3);
    }

    /// Some may wait, for all that is known: that is no bar, and no number.
    void aNumberOfUnknownCertaintyIsNone()
    {
        LockHistory history;
        LockDiff diff = events({happened(EventKind::Acquired, 100)});
        diff.changed = {waitedOn({}, 2, WaiterCertainty::Unknown)};
        history.apply(diff, start + 100);
        QCOMPARE(history.store().at(key).waitRows(), 0);
        diff = {};
        diff.changed = {waitedOn({}, 3, WaiterCertainty::AtLeast)};
        history.apply(diff, start + 200);
        diff.changed = {waitedOn({}, 3, WaiterCertainty::Unknown)};
        history.apply(diff, start + 300);
        QCOMPARE(only(shown(history), "count"), QStringList{QStringLiteral("count0 200-300 3, unwatched")});
        QCOMPARE(history.stateAt(key, start + 350, start + 400).waiters, 0);
    }

    /// Each process that listens may have more waiting threads than the one in its row.
    void waitersInRowsAreNotAllWhereTheyAreNotExact()
    {
        LockHistory history;
        LockDiff diff = events({happened(EventKind::Acquired, 100)});
        diff.changed = {waitedOn({"x", "y"}, 2, WaiterCertainty::AtLeast)};
        history.apply(diff, start + 100);
        const LaneState then = history.stateAt(key, start + 180, start + 400);
        QCOMPARE(then.queue.size(), 2);
        QCOMPARE(then.waiters, 2);
        QCOMPARE(then.certainty, WaiterCertainty::AtLeast);
    }

    /// What is thinner than a step is one; what is longer stays by itself, and both ends are right.
    void thinSlicesMerge()
    {
        LockHistory history;
        QList<LockEvent> list;
        for (int i = 0; i < 1000; ++i)
            list << happened(EventKind::Acquired, 1000 + i * 10)
                 << happened(EventKind::Released, 1005 + i * 10);
        list << happened(EventKind::Acquired, 11'001) << happened(EventKind::Released, 15'000);
        history.apply(events(list), start + 15'000);
        const QStringList merged = only(shown(history, 0, 20'000, 1000), "hold");
        QCOMPARE(merged.size(), 11);
        QVERIFY2(merged[0].endsWith(QStringLiteral("of 100, released")), qPrintable(merged[0]));
        QCOMPARE(merged.last(), QStringLiteral("hold0 11001-15000 web-1, released"));
        QCOMPARE(only(shown(history, 2000, 2100, 1), "hold").size(), 10);
        QVERIFY(history.isTouched(key, start + 14'000, start + 14'001));
        QVERIFY(!history.isTouched(key, start + 16'000, start + 17'000));
        QVERIFY(!history.isTouched(LockKey("other"), start, start + 17'000));
    }

    /// The oldest goes first, but not what goes on; what is told is from when on it is whole.
    void theOldestIsDropped()
    {
        LockHistory history(20);
        LockEvent standing = happened(EventKind::Acquired, 50, {owner("standing")});
        standing.address.key = LockKey("lock:b");
        history.apply(events({standing}), start + 50);
        for (int i = 0; i < 100; ++i)
            history.apply(events({happened(EventKind::Acquired, 100 + i * 10, {owner(QByteArray::number(i))}),
                                  happened(EventKind::Released, 105 + i * 10)}),
                          start + 105 + i * 10);
        QCOMPARE(history.store().slices(), 20);
        QVERIFY(history.store().dropped() > 0);
        QVERIFY(history.firstMs() > start + 100);
        QCOMPARE(history.stateAt(LockKey("lock:b"), start + 1100, start + 1200).holders.size(), 1);
        const QStringList holds = only(shown(history), "hold");
        QCOMPARE(holds.last(), QStringLiteral("hold0 1090-1095 99, released"));
        QCOMPARE(holds.size(), 9);
    }

    /// However many there are: their lanes would say that nobody holds the lock.
    void whatGoesOnIsNotDropped()
    {
        LockHistory history(20);
        for (int i = 0; i < 10; ++i) { // a hold and a lease each
            LockEvent standing = happened(EventKind::Acquired, i);
            standing.address.key = LockKey("standing:" + QByteArray::number(i));
            history.apply(events({standing}), start + i);
        }
        for (int i = 0; i < 100; ++i)
            history.apply(events({happened(EventKind::Acquired, 100 + i * 10),
                                  happened(EventKind::Released, 105 + i * 10)}),
                          start + 105 + i * 10);
        QCOMPARE(history.store().slices(), 20);
        QVERIFY(!history.store().find(key));
        for (int i = 0; i < 10; ++i) {
            const LaneState now =
                history.stateAt(LockKey("standing:" + QByteArray::number(i)), start + 1150, start + 1200);
            QVERIFY(now.isKnown);
            QCOMPARE(now.holders.size(), 1);
        }
    }

    /// Where there is nothing else, a lane goes as a whole.
    void whatGoesOnIsBounded()
    {
        LockHistory history(20);
        for (int i = 0; i < 30; ++i) {
            LockEvent standing = happened(EventKind::Acquired, i);
            standing.address.key = LockKey("standing:" + QByteArray::number(i));
            history.apply(events({standing}), start + i);
        }
        QCOMPARE(history.store().slices(), 20);
        QCOMPARE(history.store().laneCount(), 10);
        for (int i = 0; i < 30; ++i) {
            const LaneState now =
                history.stateAt(LockKey("standing:" + QByteArray::number(i)), start + 50, start + 60);
            QCOMPARE(now.holders.size(), now.isKnown ? 1 : 0);
        }
    }

    /// It goes on from where it was, and tells what the clock said.
    void aClockThatIsSetBack()
    {
        LockHistory history;
        constexpr qint64 hour = 3'600'000;
        history.apply(events({happened(EventKind::Acquired, hour)}), start + hour);
        history.apply(events({happened(EventKind::Released, 500)}), start + 500);
        history.apply(events({happened(EventKind::Acquired, 900, {owner("web-2")})}), start + 900);
        const QStringList holds = only(shown(history, 0, 2 * hour), "hold");
        QCOMPARE(holds[0], QStringLiteral("hold0 3600000-3600000 web-1, released"));
        QVERIFY2(holds[1].startsWith(QStringLiteral("hold0 3600400-")), qPrintable(holds[1]));
        QCOMPARE(history.clock().wallAt(start + hour + 400), start + 900);
        QCOMPARE(history.clock().wallAt(start + 10), start + 10);
        QCOMPARE(history.clock().now(start + 950), start + hour + 450);
    }

    /// Who was busy hears late of what happened: that is no clock that was set back.
    void whatIsToldLate()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100)}), start + 9000);
        history.add({MonitorEventKind::FeedChanged, {}, start + 9001, {}});
        history.apply(events({happened(EventKind::Released, 200)}), start + 9002);
        QCOMPARE(only(shown(history), "hold"), QStringList{QStringLiteral("hold0 100-200 web-1, released")});
        QCOMPARE(history.clock().wallAt(start + 500), start + 500);
    }

    void aHistoryOfMonths()
    {
        LockHistory history;
        constexpr qint64 day = 86'400'000;
        history.apply(events({happened(EventKind::Acquired, 0), happened(EventKind::Released, 1000)}),
                      start + 1000);
        for (int i = 1; i < 100; ++i)
            history.apply(events({happened(EventKind::Acquired, i * day),
                                  happened(EventKind::Released, i * day + 1000)}),
                          start + i * day + 1000);
        const QStringList holds = only(shown(history, 90 * day, 100 * day), "hold");
        QCOMPARE(holds.size(), 10);
        QCOMPARE(holds.last(),
                 QStringLiteral("hold0 %1-%2 web-1, released").arg(99 * day).arg(99 * day + 1000));
        // Nothing for a year, as between two runs of a recording.
        const qint64 later = 500 * day;
        history.apply(
            events({happened(EventKind::Acquired, later), happened(EventKind::Released, later + 1000)}),
            start + later + 1000);
        QCOMPARE(only(shown(history, later - day, later + day), "hold"),
                 QStringList{QStringLiteral("hold0 %1-%2 web-1, released").arg(later).arg(later + 1000)});
    }

    /// Also of a lock that was watched no longer when the times of all moved.
    void aLateEndAfterWeeks()
    {
        LockHistory history;
        constexpr qint64 day = 86'400'000;
        history.apply(events({happened(EventKind::Acquired, 0), happened(EventKind::Released, 1000)}),
                      start + 1000);
        LockDiff gone = events({happened(EventKind::Acquired, 24 * day)});
        gone.removed = {key};
        history.apply(gone, start + 24 * day + 1000);
        LockEvent other = happened(EventKind::Acquired, 25 * day);
        other.address.key = LockKey("lock:b");
        history.apply(events({other}), start + 25 * day);
        history.apply(events({happened(EventKind::Released, 25 * day + 1),
                              happened(EventKind::Acquired, 25 * day + 2000),
                              happened(EventKind::Released, 25 * day + 3000)}),
                      start + 25 * day + 3000);
        QCOMPARE(
            only(shown(history, 25 * day + 1500, 25 * day + 5000), "hold"),
            QStringList{
                QStringLiteral("hold0 %1-%2 web-1, released").arg(25 * day + 2000).arg(25 * day + 3000)});
    }
};

QTEST_APPLESS_MAIN(LockHistoryTest)
#include "tst_lockhistory.moc"

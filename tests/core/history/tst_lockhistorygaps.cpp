// SPDX-License-Identifier: GPL-3.0-or-later
// What a history knows where nobody looked: gaps, lost nodes, changes between two readings.
#include "core/history/lockhistory.h"

#include "tests/core/history/historysample.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::historysample;
using namespace std::chrono_literals;

namespace {

SharedSlots slotsOf(const QList<LockKey> &keys)
{
    SlotSet found;
    for (const LockKey &each : keys)
        found.set(size_t(slotOf(each.bytes)));
    return std::make_shared<const SlotSet>(found);
}

} // namespace

class LockHistoryGapsTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Of a change that nobody was told of only two readings are known.
    void betweenTwoReadingsNothingIsKnown()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100),
                              unseen(happened(EventKind::OwnerChanged, 500, {owner("web-2")}), 300ms),
                              unseen(happened(EventKind::Released, 900, {owner("web-2")}), 5'000ms)}),
                      start + 900);
        QCOMPARE(only(shown(history), "hold"),
                 (QStringList{QStringLiteral("hold0 100-200 web-1, owner changed"),
                              QStringLiteral("hold0 500-500 web-2, released")}));
        QCOMPARE(only(shown(history), "unknown"), (QStringList{QStringLiteral("unknown0 200-500, goes on"),
                                                               QStringLiteral("unknown0 500-900, goes on")}));
        QVERIFY(!history.stateAt(key, start + 300, start + 950).isKnown);
    }

    void acrossAGapNothingIsKnown()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100)}), start + 100);
        history.add({MonitorEventKind::Disconnected, {}, start + 200, {}});
        history.confirm(start + 250); // not while it is disconnected
        history.add({MonitorEventKind::Reconnected, {}, start + 300, {}});
        history.apply(events({happened(EventKind::Vanished, 400)}), start + 400);
        history.confirm(start + 500);
        QCOMPARE(only(shown(history), "hold"), QStringList{QStringLiteral("hold0 100-200 web-1, vanished")});
        QCOMPARE(only(shown(history), "unknown"), QStringList{QStringLiteral("unknown0 200-400, goes on")});
        QCOMPARE(history.gaps().size(), size_t(1));
        QCOMPARE(history.gaps().front().toMs, std::optional<qint64>(start + 500));
        QVERIFY(history.stateAt(key, start + 600, start + 700).isKnown);
        QCOMPARE(history.moments().size(), size_t(2));
    }

    /// What goes on over a gap is drawn as it is, but not said to be known in it.
    void aHoldThatGoesOnOverAGap()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100)}), start + 100);
        history.add({MonitorEventKind::FeedGap, {}, start + 200, {}});
        QVERIFY(!history.stateAt(key, start + 250, start + 250).isKnown);
        history.confirm(start + 300);
        QCOMPARE(only(shown(history, 0, 400), "hold"),
                 QStringList{QStringLiteral("hold0 100-400 web-1, goes on")});
        QVERIFY(!history.stateAt(key, start + 250, start + 400).isKnown);
        QVERIFY(history.stateAt(key, start + 350, start + 400).isKnown);
    }

    void whatIsNotWatchedIsNotKnown()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100)}), start + 100);
        LockDiff gone;
        gone.removed = {key};
        history.apply(gone, start + 200); // without an event: other patterns
        QCOMPARE(only(shown(history, 0, 400), "hold"),
                 QStringList{QStringLiteral("hold0 100-200 web-1, unwatched")});
        QVERIFY(!history.stateAt(key, start + 300, start + 400).isKnown);
        history.apply(events({happened(EventKind::Found, 500, {owner("web-2")})}), start + 500);
        QVERIFY(!history.stateAt(key, start + 300, start + 600).isKnown);
        QVERIFY(history.stateAt(key, start + 550, start + 600).isKnown);
    }

    /// What is lost was so before it is told: since all was known last.
    void aGapBeginsWhereAllWasKnownLast()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 100)}), start + 100);
        history.confirm(start + 150);
        history.add({MonitorEventKind::FeedGap, {}, start + 200, {}});
        QCOMPARE(history.gaps().back().fromMs, start + 150);
        history.confirm(start + 180);
        QVERIFY(!history.gaps().back().toMs);
        history.apply(events({happened(EventKind::Vanished, 400)}), start + 400);
        history.confirm(start + 500);
        QCOMPARE(only(shown(history), "hold"), QStringList{QStringLiteral("hold0 100-150 web-1, vanished")});
        QCOMPARE(history.gaps().back().toMs, std::optional<qint64>(start + 500));
    }

    /// Locks of the other nodes go on being read.
    void aLostNodeIsAGapOfItsOwnLocks()
    {
        const LockKey other("lock:b");
        LockHistory history;
        LockEvent elsewhere = happened(EventKind::Acquired, 100);
        elsewhere.address.key = other;
        history.apply(events({happened(EventKind::Acquired, 100), elsewhere}), start + 100);
        history.confirm(start + 150);
        history.setUnknownSlots(slotsOf({key}), start + 200);
        history.confirm(start + 250); // of the nodes that are ready
        QVERIFY(history.gaps().empty());
        QVERIFY(!history.stateAt(key, start + 300, start + 300).isKnown);
        QVERIFY(history.stateAt(other, start + 300, start + 300).isKnown);
        // Another one is lost: what is said of the first one stays as it is.
        history.setUnknownSlots(slotsOf({key, LockKey("lock:c")}), start + 300);
        history.apply(events({happened(EventKind::Vanished, 400)}), start + 400);
        elsewhere.kind = EventKind::Released;
        elsewhere.wallMs = start + 400;
        history.apply(events({elsewhere}), start + 400);
        history.setUnknownSlots(nullptr, start + 500);
        history.confirm(start + 600);
        QCOMPARE(only(shown(history), "hold"), QStringList{QStringLiteral("hold0 100-150 web-1, vanished")});
        QCOMPARE(only(shown(history), "unknown"), (QStringList{QStringLiteral("unknown0 150-400, goes on"),
                                                               QStringLiteral("unknown0 150-500, goes on")}));
        QVERIFY(!history.stateAt(key, start + 450, start + 700).isKnown);
        QVERIFY(history.stateAt(key, start + 550, start + 700).isKnown);
        QVERIFY(history.stateAt(other, start + 350, start + 700).isKnown);
        QCOMPARE(history.stateAt(other, start + 350, start + 700).holders.size(), 1);
        QVERIFY(history.isTouched(key, start + 420, start + 480));
        QVERIFY(!history.isTouched(other, start + 420, start + 480));
        QCOMPARE(history.gapsOf(key).size(), size_t(1));
        QCOMPARE(history.gapsOf(key).front().fromMs, start + 150);
        QCOMPARE(history.gapsOf(key).front().toMs, std::optional<qint64>(start + 500));
        QVERIFY(history.gapsOf(other).empty());
        QCOMPARE(history.gapsOfAny().size(), size_t(1));
    }

    /// What was before a gap of which nothing is kept any more is not said to have been seen.
    void oneGapTooMany()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Acquired, 0)}), start);
        for (int i = 0; i <= 1'000; ++i) {
            history.setUnknownSlots(slotsOf({key}), start + 100 + 10 * i);
            history.setUnknownSlots(nullptr, start + 105 + 10 * i);
        }
        QVERIFY(!history.stateAt(key, start + 103, start + 20'000).isKnown);
        QVERIFY(history.stateAt(key, start + 107, start + 20'000).isKnown);
    }

    void whatWasNotSeenIsTouched()
    {
        LockHistory history;
        history.apply(events({happened(EventKind::Found, 100), happened(EventKind::Released, 200)}),
                      start + 200);
        QVERIFY(history.isTouched(key, start, start + 50));
        QVERIFY(!history.isTouched(key, start + 300, start + 400));
        history.add({MonitorEventKind::FeedGap, {}, start + 350, {}});
        QVERIFY(history.isTouched(key, start + 300, start + 400));
        QVERIFY(!history.isTouched(key, start + 300, start + 350));
    }
};

QTEST_APPLESS_MAIN(LockHistoryGapsTest)
#include "tst_lockhistorygaps.moc"

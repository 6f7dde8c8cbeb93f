// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/endcauseresolver.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

using Evicts = ServerCounters::Evicts;

/// Moments are seconds after an epoch: the lock was last seen at 10, and gone at 12.
class TestEndJudge : public QObject
{
    Q_OBJECT

private slots:
    void tellsTheOnlyCause_data();
    void tellsTheOnlyCause();
    void namesAllThatIsPossible();
    void anUnseenEndMayHaveBeenBroughtForward();
    void remembersTheLastSecondsExactlyAndOlderOnesRoughly();
    void whatTheServerNeverDidItDidNotDo();
    void aSpareKeyIsNotEvicted();
    void waitsForTheNextCounters();
    void keepsTheOrder();
    void tellsAllWithoutCounters();
    void comparesNothingAcrossAnotherProcess();
    void believesANotification();
    void saysHowTheHoldBeforeEnded();
    void leavesTheRestAlone();

private:
    static TimePoint at(double seconds)
    {
        return TimePoint(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
    }
    static ServerCounters counters(double seconds, ServerCounters of = {})
    {
        of.at = at(seconds);
        return of;
    }
    /// Seen gone where its changes are pushed.
    static LockEvent gone(EventKind kind = EventKind::Released)
    {
        LockEvent event;
        event.kind = kind;
        event.address = {LockKey("lock:a"), 0};
        event.at = at(12);
        event.seenAt = at(10);
        event.hadLease = true;
        event.possible.set(EventKind::Expired, kind == EventKind::Expired);
        return event;
    }
    /// With these counters before and after.
    static LockEvent judged(const LockEvent &event, const ServerCounters &before, const ServerCounters &after)
    {
        EndCauseResolver judge;
        judge.setCounts(true);
        judge.take(counters(1));
        judge.take(counters(9, before));
        const QList<LockEvent> early = judge.settle({event});
        judge.take(counters(12, after));
        const QList<LockEvent> events = early + judge.settle({});
        return events.size() == 1 ? events.first() : LockEvent();
    }
};

void TestEndJudge::tellsTheOnlyCause_data()
{
    QTest::addColumn<EventKind>("seen");
    QTest::addColumn<ServerCounters>("after");
    QTest::addColumn<EventKind>("told");
    const auto row = [](const char *name, EventKind seen, const ServerCounters &after, EventKind told) {
        QTest::newRow(name) << seen << after << told;
    };
    row("deleted", EventKind::Released, {.deletions = 1}, EventKind::Released);
    row("evicted", EventKind::Released, {.evicted = 1, .evicts = Evicts::AnyKey}, EventKind::Evicted);
    row("evicted by a policy of the meantime", EventKind::Released, {.evicted = 1}, EventKind::Evicted);
    row("flushed", EventKind::Released, {.flushes = 1}, EventKind::Flushed);
    row("renamed", EventKind::Released, {.renames = 1}, EventKind::Renamed);
    row("swapped away", EventKind::Released, {.swaps = 1}, EventKind::Renamed);
    row("expired", EventKind::Expired, {.expired = 1}, EventKind::Expired);
    row("expired beside deletions", EventKind::Expired, {.expired = 1, .deletions = 7}, EventKind::Expired);
    row("deleted just before its end", EventKind::Expired, {.deletions = 1}, EventKind::Released);
    row("across a gap", EventKind::Vanished, {.deletions = 3}, EventKind::Released);
    row("nothing that we know, while others expired", EventKind::Released, {.expired = 1},
        EventKind::Vanished);
    row("nothing that we know", EventKind::Released, {}, EventKind::Vanished);
}

void TestEndJudge::tellsTheOnlyCause()
{
    QFETCH(EventKind, seen);
    QFETCH(ServerCounters, after);
    QFETCH(EventKind, told);
    const LockEvent event = judged(gone(seen), {}, after);
    QCOMPARE(event.kind, told);
    QCOMPARE(event.possible.isEmpty(), told != EventKind::Vanished);
}

void TestEndJudge::namesAllThatIsPossible()
{
    const ServerCounters before{.evicted = 3, .deletions = 5, .evicts = Evicts::AnyKey};
    const ServerCounters after{.evicted = 4, .deletions = 6, .evicts = Evicts::AnyKey};
    const LockEvent event = judged(gone(), before, after);
    QCOMPARE(event.kind, EventKind::Vanished);
    QCOMPARE(event.possible, (EndKinds{EventKind::Released, EventKind::Evicted}));

    const LockEvent fast = judged(gone(), {}, {.expired = 1, .renames = 1, .deletions = 1});
    QCOMPARE(fast.possible, (EndKinds{EventKind::Released, EventKind::Expired, EventKind::Renamed}));

    LockEvent polled = gone(EventKind::Expired);
    polled.unseenFor = 2s; // it may have been deleted before its end
    const LockEvent unclear = judged(polled, {}, {.expired = 1, .deletions = 1});
    QCOMPARE(unclear.kind, EventKind::Vanished);
    QCOMPARE(unclear.possible, (EndKinds{EventKind::Released, EventKind::Expired}));
}

/// PEXPIRE deletes as well, where its end is in the past.
void TestEndJudge::anUnseenEndMayHaveBeenBroughtForward()
{
    const ServerCounters after{.expired = 1, .deletions = 1};
    QCOMPARE(judged(gone(), {}, after).kind, EventKind::Released);
    LockEvent polled = gone();
    polled.unseenFor = 2s;
    QCOMPARE(judged(polled, {}, after).possible, (EndKinds{EventKind::Released, EventKind::Expired}));
    QCOMPARE(judged(polled, {}, {.expired = 1}).kind, EventKind::Expired);
    QCOMPARE(judged(polled, {}, {.deletions = 1}).kind, EventKind::Released);
}

void TestEndJudge::remembersTheLastSecondsExactlyAndOlderOnesRoughly()
{
    EndCauseResolver judge;
    judge.setCounts(true);
    constexpr int samples = 5000;
    for (int i = 0; i <= samples; ++i) // one deletion, and all else is an eviction at each of them
        judge.take(counters(i * 0.1, {.evicted = i, .deletions = i < samples ? 7 : 8}));
    LockEvent last = gone();
    last.seenAt = at((samples - 1) * 0.1 + 0.05);
    last.at = at(samples * 0.1);
    QCOMPARE(judge.settle({last}).value(0).possible, (EndKinds{EventKind::Released, EventKind::Evicted}));
    last.at = at((samples - 1) * 0.1);
    last.seenAt = at((samples - 2) * 0.1 + 0.05);
    QCOMPARE(judge.settle({last}).value(0).kind, EventKind::Evicted);
    LockEvent old = gone(); // of long ago: what the server had counted before is known still
    old.seenAt = at(0.2 * samples * 0.1);
    old.at = old.seenAt + 1s;
    QCOMPARE(judge.settle({old}).value(0).kind, EventKind::Evicted);
}

void TestEndJudge::whatTheServerNeverDidItDidNotDo()
{
    EndCauseResolver judge;
    judge.setCounts(true);
    judge.take(counters(12, {.deletions = 9}));
    QCOMPARE(judge.settle({gone()}).value(0).kind, EventKind::Released);
    judge.take(counters(13, {.evicted = 1, .deletions = 9, .evicts = Evicts::AnyKey})); // when, nobody knows
    LockEvent later = gone();
    later.at = at(13);
    later.seenAt = at(11);
    QCOMPARE(judge.settle({later}).value(0).possible, (EndKinds{EventKind::Released, EventKind::Evicted}));
}

void TestEndJudge::aSpareKeyIsNotEvicted()
{
    LockEvent endless = gone();
    endless.hadLease = false;
    const ServerCounters before{.evicts = Evicts::KeysWithTtl};
    QCOMPARE(judged(endless, before, {.evicted = 5, .deletions = 1, .evicts = Evicts::KeysWithTtl}).kind,
             EventKind::Released);
    QCOMPARE(judged(endless, before, {.evicted = 5, .deletions = 1, .evicts = Evicts::AnyKey}).kind,
             EventKind::Vanished);
}

void TestEndJudge::waitsForTheNextCounters()
{
    EndCauseResolver judge;
    judge.setCounts(true);
    judge.take(counters(9));
    QVERIFY(judge.settle({gone()}).isEmpty());
    QVERIFY(judge.isWaiting());
    judge.take(counters(11.9, {.deletions = 1})); // asked before it was seen gone
    QVERIFY(judge.settle({}).isEmpty());
    judge.take(counters(12, {.deletions = 1})); // asked behind the reading
    QCOMPARE(judge.settle({}).size(), 1);
    QVERIFY(!judge.isWaiting());
}

void TestEndJudge::keepsTheOrder()
{
    EndCauseResolver judge;
    judge.setCounts(true);
    LockEvent before = gone(EventKind::Acquired), after = gone(EventKind::Acquired);
    before.seenAt = after.seenAt = {};
    before.address.key = LockKey("1");
    after.address.key = LockKey("3");
    QCOMPARE(judge.settle({before, gone(), after}).size(), 1);
    judge.take(counters(12, {.deletions = 1}));
    const QList<LockEvent> rest = judge.settle({});
    QCOMPARE(rest.size(), 2);
    QCOMPARE(rest.last().address.key, LockKey("3"));
}

void TestEndJudge::tellsAllWithoutCounters()
{
    EndCauseResolver judge;
    LockEvent event = judge.settle({gone()}).value(0);
    QCOMPARE(event.kind, EventKind::Vanished);
    QCOMPARE(event.possible,
             (EndKinds{EventKind::Released, EventKind::Evicted, EventKind::Flushed, EventKind::Renamed}));
    QCOMPARE(judge.settle({gone(EventKind::Expired)}).value(0).kind, EventKind::Expired);
    judge.setCounts(true);
    QVERIFY(judge.settle({gone()}).isEmpty());
    QCOMPARE(judge.settleAll().size(), 1); // the connection is gone
}

void TestEndJudge::comparesNothingAcrossAnotherProcess()
{
    EndCauseResolver judge;
    judge.setCounts(true);
    judge.take(counters(9));
    judge.connected(false, at(11));
    judge.take(counters(12, {.deletions = 1}));
    QCOMPARE(judge.settle({gone(EventKind::Vanished)}).value(0).kind, EventKind::Vanished);

    EndCauseResolver reset;
    reset.setCounts(true);
    reset.take(counters(9, {.evicted = 8, .deletions = 8}));
    reset.take(counters(12, {.deletions = 1})); // CONFIG RESETSTAT: what was counted before it is not known
    QCOMPARE(reset.settle({gone()}).value(0).kind, EventKind::Vanished);
}

void TestEndJudge::believesANotification()
{
    EndCauseResolver judge;
    judge.setCounts(true);
    judge.take(counters(9));
    judge.note(LockKey("lock:a"), EventKind::Evicted, at(11));
    judge.take(counters(12, {.evicted = 50, .deletions = 50, .evicts = Evicts::AnyKey}));
    QCOMPARE(judge.settle({gone()}).value(0).kind, EventKind::Evicted);
    LockEvent next = gone();
    next.seenAt = at(11.5); // it was there again
    QCOMPARE(judge.settle({next}).value(0).kind, EventKind::Vanished);
}

void TestEndJudge::saysHowTheHoldBeforeEnded()
{
    LockEvent event = gone(EventKind::OwnerChanged);
    event.possible = {EventKind::Overwritten};
    const LockEvent written = judged(event, {}, {});
    QCOMPARE(written.kind, EventKind::OwnerChanged);
    QCOMPARE(written.possible.single(), EventKind::Overwritten);
    QVERIFY(!judged(event, {}, {.deletions = 1}).possible.single());
}

void TestEndJudge::leavesTheRestAlone()
{
    LockEvent one = gone();
    one.seenAt = {}; // one of several owners: the others hold the lock still
    QCOMPARE(judged(one, {}, {.evicted = 1, .evicts = Evicts::AnyKey}).kind, EventKind::Released);
    QCOMPARE(judged(gone(EventKind::Forced), {}, {.evicted = 1}).kind, EventKind::Forced);
}

QTEST_GUILESS_MAIN(TestEndJudge)
#include "tst_endcauseresolver.moc"

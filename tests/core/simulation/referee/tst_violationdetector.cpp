// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/violationdetector.h"
#include "core/words/phrases.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;
using Kind = RefereeEvent::Kind;

namespace {

/// A history as it is told: one call an event, times in milliseconds.
class History
{
public:
    History &enter(int worker, int at, int leaseEnds = 1000, qint64 fence = -1, int asked = -1)
    {
        RefereeEvent event = made(Kind::Enter, worker, at);
        event.leaseEnds = milliseconds(leaseEnds);
        event.asked = milliseconds(asked < 0 ? at : asked);
        event.fence = fence;
        return take(event);
    }
    History &enterAfterWait(int worker, int at, int waited, bool byTimer = false, int granted = 0,
                            qint64 fence = -1)
    {
        RefereeEvent event = made(Kind::Enter, worker, at);
        event.waited = milliseconds(waited);
        event.byTimer = byTimer;
        event.granted = milliseconds(granted);
        event.fence = fence;
        event.asked = milliseconds(at - (byTimer ? m_wayIn : waited));
        event.leaseEnds = milliseconds(granted > 0 ? 0 : 1000);
        return take(event);
    }
    /// How long those who come in by their own timer take for it.
    History &withWayIn(int takes)
    {
        m_wayIn = takes;
        return *this;
    }
    History &is(Kind kind, int worker, int at) { return take(made(kind, worker, at)); }
    History &renewed(int worker, int at, int leaseEnds)
    {
        RefereeEvent event = made(Kind::Renewed, worker, at);
        event.leaseEnds = milliseconds(leaseEnds);
        return take(event);
    }

    const Findings &findings() const { return m_detector.findings(); }

private:
    using milliseconds = std::chrono::milliseconds;

    static RefereeEvent made(Kind kind, int worker, int at)
    {
        RefereeEvent event;
        event.kind = kind;
        event.worker = worker;
        event.at = milliseconds(at);
        return event;
    }
    History &take(const RefereeEvent &event)
    {
        m_detector.take(event);
        return *this;
    }

    ViolationDetector m_detector;
    int m_wayIn = 0;
};

} // namespace

class TestViolationDetector : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void oneAfterTheOther();
    void overlaps();
    void anEndedLeaseExplains();
    void aRenewedLeaseDoesNot();
    void aHandedOverLeaseBeginsAfterTheLeave();
    void aHandOverThatCameBeforeALateLeave();
    void aGrantReadTooLateIsLate();
    void onesOwnEndedLeaseExplains();
    void anExplanationHoldsForAllInside();
    void lostDataExplains();
    void foreignReleases();
    void aDeleteAfterOnesOwnLeaveIsNone();
    void handOffs();
    void lostWakeUps();
    void fencingTokens();
    void staleWrites();
    void theDeadWriteNothing();
    void leaks();
    void locksAreJudgedApart();
    void storiesAreToldAndBounded();
};

void TestViolationDetector::oneAfterTheOther()
{
    History history;
    history.enter(0, 0).is(Kind::Leave, 0, 10).is(Kind::Deleted, 0, 11);
    history.enter(1, 12).is(Kind::Leave, 1, 20).is(Kind::Deleted, 1, 21);
    QVERIFY(history.findings().isClean());
    QCOMPARE(history.findings().handoff.count(), 0); // nobody had waited
}

void TestViolationDetector::overlaps()
{
    History history;
    history.enter(0, 0).enter(1, 10).enter(2, 20);
    QCOMPARE(history.findings().overlaps, 2);
    QCOMPARE(history.findings().unexplainedOverlaps, 2);
    const Violation second = history.findings().examples[1];
    QCOMPARE(second.holder, 1);
    QCOMPARE(second.intruder, 2);
    QCOMPARE(second.holderEntered, microseconds(10ms));
    QCOMPARE(second.at, microseconds(20ms));
}

void TestViolationDetector::anEndedLeaseExplains()
{
    History history;
    history.enter(0, 0, 100).enter(1, 100);
    QCOMPARE(history.findings().overlaps, 1);
    QCOMPARE(history.findings().unexplainedOverlaps, 0);
    QCOMPARE(history.findings().examples[0].explanation, OverlapCause::LeaseEnded);
    QCOMPARE(history.findings().examples[0].since, microseconds(0));

    History tooEarly;
    tooEarly.enter(0, 0, 100).enter(1, 99);
    QCOMPARE(tooEarly.findings().unexplainedOverlaps, 1);
}

void TestViolationDetector::aRenewedLeaseDoesNot()
{
    History history;
    history.enter(0, 0, 100).renewed(0, 50, 150).enter(1, 120);
    QCOMPARE(history.findings().unexplainedOverlaps, 1);
}

void TestViolationDetector::aHandedOverLeaseBeginsAfterTheLeave()
{
    History history;
    history.enter(0, 0).is(Kind::Leave, 0, 500).enterAfterWait(1, 501, 300, false, 100);
    history.enter(2, 590); // 90 ms after the leave: the lease of 100 ms can't have ended
    QCOMPARE(history.findings().unexplainedOverlaps, 1);
    History later;
    later.enter(0, 0).is(Kind::Leave, 0, 500).enterAfterWait(1, 501, 300, false, 100).enter(2, 600);
    QCOMPARE(later.findings().overlaps, 1);
    QCOMPARE(later.findings().unexplainedOverlaps, 0);
}

/// The lease had ended under the first: the second may have been given the lock before the first one left.
void TestViolationDetector::aHandOverThatCameBeforeALateLeave()
{
    History history;
    history.enter(0, 0, 490).is(Kind::Leave, 0, 500).enterAfterWait(1, 501, 300, false, 100);
    history.enter(2, 595); // 95 ms after the leave, but 105 ms after the lease
    QCOMPARE(history.findings().overlaps, 1);
    QCOMPARE(history.findings().unexplainedOverlaps, 0);
}

/// Its process stood still with the message unread; others have had the lock since, and have left it in time.
void TestViolationDetector::aGrantReadTooLateIsLate()
{
    History history;
    history.enter(0, 0, 100, 5).is(Kind::Leave, 0, 10); // handed over to 1, who does not see it
    history.enter(2, 120, 300, 7).is(Kind::Leave, 2, 130).enter(3, 131, 300, 8);
    history.enterAfterWait(1, 132, 125, false, 100, 6);
    QCOMPARE(history.findings().overlaps, 1);
    QCOMPARE(history.findings().unexplainedOverlaps, 0);
    QCOMPARE(history.findings().fenceViolations, 0);

    History alone; // where nobody is inside any more
    alone.enter(0, 0, 100, 5).is(Kind::Leave, 0, 10).enter(2, 120, 300, 7).is(Kind::Leave, 2, 130);
    alone.enterAfterWait(1, 132, 125, false, 100, 6).is(Kind::Leave, 1, 140);
    QVERIFY(alone.findings().isClean());
    QCOMPARE(alone.findings().rejectedWrites, 1);
}

/// The answer reached it when its lease was over, and the next one was inside already.
void TestViolationDetector::onesOwnEndedLeaseExplains()
{
    History history;
    history.enter(1, 120, 1000, 6).enter(0, 130, 100, 5, 0);
    QCOMPARE(history.findings().overlaps, 1);
    QCOMPARE(history.findings().unexplainedOverlaps, 0);
    QCOMPARE(history.findings().examples[0].explanation, OverlapCause::CameLate);
    QCOMPARE(history.findings().examples[0].since, microseconds(30ms));
    QVERIFY(inWords(storyOf(history.findings().examples[0], {"sim:a:1"}))
                .contains(QStringLiteral("second lease")));
    QCOMPARE(history.findings().fenceViolations, 0);
    history.is(Kind::Leave, 1, 140); // the rightful one's write is not stale
    QCOMPARE(history.findings().staleWrites, 0);
    QCOMPARE(history.findings().rejectedWrites, 0);
    history.is(Kind::Leave, 0, 150);
    QCOMPARE(history.findings().rejectedWrites, 1);

    History bare;
    bare.enter(1, 120).enter(0, 130, 100, -1, 0).is(Kind::Leave, 0, 140).is(Kind::Leave, 1, 150);
    QCOMPARE(bare.findings().staleWrites, 1);
}

void TestViolationDetector::anExplanationHoldsForAllInside()
{
    History history; // the third one: the second's lease had ended, the first one's had not
    history.enter(0, 0)
        .is(Kind::ServerLosing, 0, 5)
        .is(Kind::ServerLost, 0, 6)
        .enter(1, 10, 20)
        .renewed(0, 12, 900);
    QCOMPARE(history.findings().unexplainedOverlaps, 0);
    history.enter(2, 30);
    QCOMPARE(history.findings().unexplainedOverlaps, 0); // the server had lost that of the first
    History worse;
    worse.enter(0, 0).enter(1, 10, 20).enter(2, 30);
    QCOMPARE(worse.findings().overlaps, 2);
    QCOMPARE(worse.findings().unexplainedOverlaps, 2);
    QCOMPARE(worse.findings().examples[1].holder, 0);
}

void TestViolationDetector::lostDataExplains()
{
    History onItsWay; // it had the lock before the loss, and heard of it after that
    onItsWay.is(Kind::ServerLosing, 0, 10).is(Kind::ServerLost, 0, 20).enter(0, 22, 1000, -1, 9).enter(1, 30);
    QCOMPARE(onItsWay.findings().unexplainedOverlaps, 0);
    History during;
    during.enter(0, 0).is(Kind::ServerLosing, 0, 10).enter(1, 12);
    QCOMPARE(during.findings().examples[0].explanation, OverlapCause::ServerLostData);
    History after;
    after.enter(0, 0).is(Kind::ServerLosing, 0, 10).is(Kind::ServerLost, 0, 20).enter(1, 30);
    QCOMPARE(after.findings().unexplainedOverlaps, 0);
    History before; // what was entered after the loss is not explained by it
    before.is(Kind::ServerLosing, 0, 10).is(Kind::ServerLost, 0, 20).enter(0, 30).enter(1, 40);
    QCOMPARE(before.findings().unexplainedOverlaps, 1);
}

void TestViolationDetector::foreignReleases()
{
    History late;
    late.enter(0, 0, 100).enter(1, 110).is(Kind::Leave, 0, 120).is(Kind::Deleted, 0, 121);
    QCOMPARE(late.findings().foreignReleases, 1);
    QCOMPARE(late.findings().examples.last().holder, 1);
    QCOMPARE(late.findings().examples.last().intruder, 0);

    // The comparison was true, then the lease ended and another entered before the delete.
    History between;
    between.enter(0, 0, 100)
        .is(Kind::Leave, 0, 90)
        .enter(1, 110)
        .is(Kind::Deleting, 0, 120)
        .is(Kind::Deleted, 0, 121);
    QCOMPARE(between.findings().foreignReleases, 1);
}

void TestViolationDetector::aDeleteAfterOnesOwnLeaveIsNone()
{
    // The next one enters before the first has been told that its delete succeeded.
    History history;
    history.enter(0, 0).is(Kind::Leave, 0, 10).enter(1, 11).is(Kind::Deleted, 0, 12);
    QVERIFY(history.findings().isClean());
    // What was not deleted was not another's either.
    History refused;
    refused.enter(0, 0, 5).enter(1, 10).is(Kind::Leave, 0, 20);
    QCOMPARE(refused.findings().foreignReleases, 0);
}

void TestViolationDetector::handOffs()
{
    History history;
    history.enter(0, 0).is(Kind::Leave, 0, 100).enterAfterWait(1, 103, 50);
    QCOMPARE(history.findings().handoff.count(), 1);
    QCOMPARE(history.findings().handoff.max(), microseconds(3ms));
    history.is(Kind::Leave, 1, 110).enterAfterWait(2, 130, 10); // came after the leave
    QCOMPARE(history.findings().handoff.count(), 1);
    history.is(Kind::Crash, 2, 140).enterAfterWait(3, 500, 400); // nobody handed it over
    QCOMPARE(history.findings().handoff.count(), 1);
}

void TestViolationDetector::lostWakeUps()
{
    History lost;
    lost.enter(0, 0).is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101).enterAfterWait(1, 401, 350, true);
    QCOMPARE(lost.findings().lostWakeUps, 1);
    QCOMPARE(lost.findings().examples[0].since, microseconds(300ms));
    History woken;
    woken.enter(0, 0).is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101).enterAfterWait(1, 400, 350, false);
    QCOMPARE(woken.findings().lostWakeUps, 0);
    for (const int free : {19, 20, 21}) { // below 20 ms the message was on its way
        History close;
        close.enter(0, 0).is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101);
        close.enterAfterWait(1, 101 + free, 60, true);
        QCOMPARE(close.findings().lostWakeUps, free < 20 ? 0 : 1);
    }
    // Its timer had ended when the lock was released, and then its thread had no turn.
    for (const int wayIn : {281, 280}) {
        History slow;
        slow.withWayIn(wayIn).enter(0, 0).is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101);
        slow.enterAfterWait(1, 401, 350, true);
        QCOMPARE(slow.findings().lostWakeUps, wayIn == 281 ? 0 : 1);
    }
    History unanswered; // a server that stands still has not freed anything
    unanswered.enter(0, 0)
        .is(Kind::Leave, 0, 100)
        .enterAfterWait(1, 400, 350, true)
        .is(Kind::Deleted, 0, 402);
    QCOMPARE(unanswered.findings().lostWakeUps, 0);
    History dead; // nobody was there to wake it
    dead.enter(0, 0).is(Kind::Crash, 0, 100).enterAfterWait(1, 400, 350, true);
    QCOMPARE(dead.findings().lostWakeUps, 0);
    // What was published may have been lost with the data; but not by a loss that was over before.
    History flushed;
    flushed.enter(0, 0).is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101);
    flushed.is(Kind::ServerLosing, 0, 105).is(Kind::ServerLost, 0, 106).enterAfterWait(1, 401, 350, true);
    QCOMPARE(flushed.findings().lostWakeUps, 0);
    History queueLost; // another came in and left after that, and knew nobody to wake
    queueLost.enter(0, 0).is(Kind::ServerLosing, 0, 50).is(Kind::ServerLost, 0, 51).is(Kind::Leave, 0, 60);
    queueLost.enter(2, 100).is(Kind::Leave, 2, 200).is(Kind::Deleted, 2, 201);
    queueLost.enterAfterWait(1, 501, 460, true);
    QCOMPARE(queueLost.findings().lostWakeUps, 0);
    // It may have reached a process that stood still; not one that went on before the leave.
    for (const int resumed : {99, 100, 300, 0}) {
        History stalled;
        stalled.enter(0, 0).is(Kind::ProcessStalled, 0, 50);
        if (resumed == 99)
            stalled.is(Kind::ProcessResumed, 0, resumed);
        stalled.is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101);
        if (resumed >= 100)
            stalled.is(Kind::ProcessResumed, 0, resumed);
        stalled.enterAfterWait(1, 401, 350, true);
        QCOMPARE(stalled.findings().lostWakeUps, resumed == 99 ? 1 : 0);
    }
    History away;
    away.enter(0, 0).is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101);
    away.is(Kind::ServerLosing, 0, 105).enterAfterWait(1, 401, 350, true);
    QCOMPARE(away.findings().lostWakeUps, 0);
    History before;
    before.is(Kind::ServerLosing, 0, 10).is(Kind::ServerLost, 0, 20);
    before.enter(0, 30).is(Kind::Leave, 0, 100).is(Kind::Deleted, 0, 101).enterAfterWait(1, 401, 350, true);
    QCOMPARE(before.findings().lostWakeUps, 1);
}

void TestViolationDetector::fencingTokens()
{
    History history;
    history.enter(0, 0, 1000, 7).is(Kind::Leave, 0, 10).enter(1, 20, 1000, 8).is(Kind::Leave, 1, 30);
    QCOMPARE(history.findings().fenceViolations, 0);
    history.enter(2, 40, 1000, 8);
    QCOMPARE(history.findings().fenceViolations, 1);
    QCOMPARE(history.findings().examples[0].fenceBefore, 8);
}

void TestViolationDetector::staleWrites()
{
    History fenced;
    fenced.enter(0, 0, 100, 1).enter(1, 110, 1000, 2).is(Kind::Leave, 0, 120);
    QCOMPARE(fenced.findings().staleWrites, 0);
    QCOMPARE(fenced.findings().rejectedWrites, 1);
    History bare;
    bare.enter(0, 0, 100).enter(1, 110).is(Kind::Leave, 1, 115).is(Kind::Leave, 0, 120);
    QCOMPARE(bare.findings().staleWrites, 1);
    QCOMPARE(bare.findings().rejectedWrites, 0);
}

void TestViolationDetector::theDeadWriteNothing()
{
    History history;
    history.enter(0, 0, 100).is(Kind::Crash, 0, 10).enter(1, 110).is(Kind::Leave, 1, 120);
    QVERIFY(history.findings().isClean());
}

void TestViolationDetector::leaks()
{
    History history;
    history.enter(0, 0).is(Kind::Leave, 0, 10).is(Kind::Leaked, 0, 12);
    QCOMPARE(history.findings().leaks, 1);
    QVERIFY(!history.findings().isClean());
}

void TestViolationDetector::locksAreJudgedApart()
{
    ViolationDetector judge;
    for (int lock = 0; lock < 3; ++lock) {
        RefereeEvent event;
        event.lock = lock;
        event.worker = lock;
        judge.take(event);
    }
    QVERIFY(judge.findings().isClean());
}

void TestViolationDetector::storiesAreToldAndBounded()
{
    History history;
    history.enter(0, 0, 100);
    for (int i = 1; i < 300; ++i)
        history.enter(i, 100 + i);
    QCOMPARE(history.findings().overlaps, 299);
    QCOMPARE(history.findings().examples.size(), 100);
    history.is(Kind::Leaked, 299, 500)
        .is(Kind::Leaked, 299, 501); // the first of another sort is told all the same
    QCOMPARE(history.findings().examples.size(), 101);
    const QString story = inWords(storyOf(history.findings().examples[0], {"sim:a\x1b[31m:1"}));
    QCOMPARE(story, QStringLiteral("W1 held sim:a\\x1b[31m:1 since 0.000 s; W2 entered at 0.101 s. The first "
                                   "lease had expired 1.0 ms earlier."));
    for (const ViolationKind kind :
         {ViolationKind::Overlap, ViolationKind::ForeignRelease, ViolationKind::Orphan,
          ViolationKind::LostWakeUp, ViolationKind::FenceRepeated, ViolationKind::StaleWrite,
          ViolationKind::Leak})
        QVERIFY(inWords(storyOf(Violation{kind}, {"sim:a:1"})).contains(QStringLiteral("sim:a:1")));
}

QTEST_GUILESS_MAIN(TestViolationDetector)
#include "tst_violationdetector.moc"

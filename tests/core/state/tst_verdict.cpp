// SPDX-License-Identifier: GPL-3.0-or-later
// Why a lock is held: what each state of it may be said to prove, and no more.
#include "core/state/verdict.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

QByteArray why(const WatchedLock &lock)
{
    return holdReasonName(verdictOf(lock, now).why);
}

} // namespace

class TestVerdict : public QObject
{
    Q_OBJECT

private slots:
    void aRenewalProvesLife()
    {
        WatchedLock lock = token("lock:a", 29s);
        QCOMPARE(why(lock), "lease-running");
        QVERIFY(verdictOf(lock, now).possible.contains(HoldReason::HolderDead));
        lock.renewals = 2;
        QCOMPARE(why(lock), "renewed");
        lock.unusualAfter = now - 1s;
        QCOMPARE(why(lock), "slow");
        lock.lock.owners.first().owner = OwnerId("1"); // any holder writes it
        QCOMPARE(why(lock), "unknown");
    }

    void oneReadingProvesNothing()
    {
        WatchedLock lock = token("lock:a", 29s);
        lock.isReadOnce = true;
        QCOMPARE(why(lock), "unknown");
        QCOMPARE(verdictOf(lock, now).signs, QList{Sign::OneReading});
    }

    void withoutAnEnd()
    {
        WatchedLock lock = token("lock:a", 29s);
        lock = endless(lock);
        QCOMPARE(why(lock), "never-ends");
        lock.isReadOnce = true;
        QCOMPARE(why(lock), "never-ends");
        QCOMPARE(verdictOf(lock, now).signs, QList{Sign::NoExpiry});
        lock.lock.owners.first().owner = OwnerId("1795737600000"); // of the acquisition, or of the end
        QCOMPARE(verdictOf(lock, now).signs, (QList{Sign::NoExpiry, Sign::StoredTime}));
        lock.setProblem(Problem::Unreadable, true);
        QCOMPARE(why(lock), "unknown");
    }

    void aHeartbeatTellsOfItsHolder()
    {
        WatchedLock lock = endless(token("lock:a", 29s));
        const auto read = [&lock](Heartbeat::State state) {
            CompanionState companions;
            companions.heartbeat.state = state;
            lock.lock.companions = CompanionStatePtr(companions);
            lock.lock.problems.setFlag(Problem::HolderDead, state == Heartbeat::State::Dead);
        };
        QVERIFY(verdictOf(lock, now).possible.contains(HoldReason::HolderDead));
        read(Heartbeat::State::Alive);
        QCOMPARE(why(lock), "never-ends");
        QVERIFY(verdictOf(lock, now).signs.contains(Sign::Heartbeat));
        QVERIFY(!verdictOf(lock, now).possible.contains(HoldReason::HolderDead));
        read(Heartbeat::State::Dead);
        QCOMPARE(why(lock), "holder-dead");
        QCOMPARE(verdictOf(lock, now).possible, QList{HoldReason::NeverEnds}); // one reading proves nothing
        CompanionState late = *lock.lock.companions;
        late.heartbeat.isDoubtful = true;
        lock.lock.companions = CompanionStatePtr(late);
        lock.lock.problems = {};
        QCOMPARE(why(lock), "never-ends");
        QVERIFY(verdictOf(lock, now).possible.contains(HoldReason::HolderDead));
        lock.lock.problems = Problem::HolderDead;
        lock.lock.companions = {}; // as in a recording
        QCOMPARE(why(lock), "holder-dead");
        WatchedLock renewed = token("lock:a", 29s);
        renewed.renewals = 2;
        renewed.lock.problems = Problem::HolderDead;
        QCOMPARE(why(renewed), "renewed"); // by somebody
        QVERIFY(verdictOf(renewed, now).possible.contains(HoldReason::HolderDead));
    }

    void whoWaitsForNobody()
    {
        WatchedLock lock = token("lock:a", 29s);
        lock.lock.problems = Problem::Orphaned;
        lock.lock.owners.clear();
        QCOMPARE(why(lock), "blocked-by-dead");
        QVERIFY(verdictOf(lock, now).signs.isEmpty());
    }

    void whatIsOnlyPossible()
    {
        WatchedLock lock = token("lock:a", 29s);
        lock.lock.family = {};
        lock.lock.evidence = Evidence::Name;
        QCOMPARE(why(lock), "unknown");
        QCOMPARE(verdictOf(lock, now).signs, QList{Sign::UnknownContent});
    }
};

QTEST_GUILESS_MAIN(TestVerdict)
#include "tst_verdict.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/renewalhealth.h"
#include "core/family/weaktoken.h"
#include "tests/core/alerts/watchedlocks.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

LockEvent hold(const QByteArray &key, milliseconds held)
{
    LockEvent event;
    event.kind = EventKind::Released;
    event.address.key = LockKey(key);
    event.held = held;
    return event;
}

} // namespace

class TstAlertWatch : public QObject
{
    Q_OBJECT

private slots:
    void aProblemIsRaisedAndEnds();
    void whatMayBeALockIsOpen();
    void timeAloneRaises();
    void anotherOwnersHoldIsAnotherAlert();
    void unusualIsWhatWasNeverSeen();
    void waitersCountAsFarAsTheyAreKnown();
    void deadWaitersAreCounted();
    void aStalledHolderIsToldOnlyWhereOthersWait();
    void problemsOfALockAreTold();
    void deadlocksAreToldOnceEach();
    void aResetIsOverAtOnce();
    void oppositeOrdersAreOverAtOnce();
    void whatComesAgainSoonIsTheSameAlert();
    void thereIsALimit();
    void rulesChangeWhileItRuns();
    void aHoldIsNotToldBeyondItsLease();
    void whoMayHaveChangedIsNotSaidToHoldOn();
    void aBusyLockIsOneAlert();
};

void TstAlertWatch::aProblemIsRaisedAndEnds()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::NoExpiry].emplace(); }));
    WatchedLock lock = lockOf("a");
    watch.take(changed({lock, lockOf("b")}), start);
    QCOMPARE(reported(watch), QStringList());
    lock.lock.problems = Problem::NoExpiry;
    watch.take(changed({lock}), start);
    watch.take(changed({lock}), start + 1s); // it is told once
    QCOMPARE(reported(watch), lines({"+no-expiry a"}));
    QCOMPARE(watch.open().size(), 1);
    watch.take(removed("a"), start + 2s);
    watch.advance(start + 2s);
    QCOMPARE(reported(watch), QStringList()); // it may come back at once
    watch.advance(start + 2s + AlertWatch::settleTime);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().what, What::Ended);
    QCOMPARE(*changes.first().alert.endedAt, start + 2s);
    QVERIFY(watch.open().isEmpty());
}

/// As check says it: without an expiry it is a finding, with one it is none.
void TstAlertWatch::whatMayBeALockIsOpen()
{
    FedAlerts watch{AlertRules()};
    WatchedLock possible = lockOf("a");
    possible.lock.family = {};
    possible.lock.evidence = {Evidence::Name};
    watch.take(changed({possible}), start);
    QCOMPARE(reported(watch), QStringList());
    possible.lock.deadline.reset();
    watch.take(changed({possible}), start);
    QCOMPARE(reported(watch), lines({"+open-no-expiry a"}));
    possible.lock.deadline = Deadline{start + 1000h, start + 1000h};
    watch.take(changed({possible}), start + 1s);
    watch.advance(start + 1s + AlertWatch::settleTime);
    QCOMPARE(reported(watch), lines({"-open-no-expiry a"}));
}

void TstAlertWatch::timeAloneRaises()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    watch.take(changed({lockOf("a"), lockOf("b", start - 4s)}), start);
    watch.advance(start + 5999ms);
    QCOMPARE(reported(watch), QStringList());
    watch.advance(start + 6s);
    QCOMPARE(reported(watch), lines({"+max-held b"}));
    watch.advance(start + 20s);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.held, milliseconds(20s));
    QCOMPARE(changes.first().alert.limit, milliseconds(10s));
    QCOMPARE(changes.first().alert.owners.first().owner, OwnerId("me"));
    // A lock that nobody holds, as a queue that was left, is not held long.
    WatchedLock free = lockOf("c", start - 1h);
    free.lock.owners.clear();
    watch.take(changed({free}), start + 20s);
    QCOMPARE(reported(watch), QStringList());
    // Nor does a limit beyond all time turn around.
    FedAlerts patient(
        only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = milliseconds::max().count(); }));
    patient.take(changed({lockOf("a", start - 1h)}), start);
    patient.advance(start + 100h);
    QCOMPARE(reported(patient), QStringList());
}

void TstAlertWatch::anotherOwnersHoldIsAnotherAlert()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    watch.take(changed({lockOf("a", start - 11s)}), start);
    watch.take(changed({lockOf("a", start, "you")}), start + 1s);
    QCOMPARE(reported(watch), lines({"+max-held a", "-max-held a"}));
    watch.advance(start + 10s);
    QCOMPARE(reported(watch), lines({"*max-held a"}));
}

void TstAlertWatch::unusualIsWhatWasNeverSeen()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldUnusuallyLong] = 10; }));
    for (int i = 1; i < HoldTimeStats::fewest; ++i)
        watch.take(LockDiff{{}, {}, {hold("a", 200ms)}}, start);
    watch.take(changed({lockOf("a")}), start);
    watch.advance(start + 1h); // so few holds teach nothing
    QCOMPARE(reported(watch), QStringList());
    watch.take(LockDiff{{}, {}, {hold("a", 5s)}}, start);
    watch.take(changed({lockOf("a"), lockOf("unknown")}), start);
    QCOMPARE(reported(watch), QStringList());
    watch.advance(start + 15s - 1ms); // one was nearly as long
    QCOMPARE(reported(watch), QStringList());
    watch.advance(start + 15s);
    const QList<AlertWatch::Change> raised = watch.takeChanges();
    QCOMPARE(raised.size(), 1);
    QCOMPARE(evidenceOf(raised.first().alert).inEnglish(),
             QStringLiteral("Held by me for at least 15,000 ms; unusual from 15,000 ms. Of 50 "
                            "holds, 99.8% lasted at most 5,000 ms."));
}

void TstAlertWatch::waitersCountAsFarAsTheyAreKnown()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::ManyWaiters] = 2; }));
    watch.take(changed({awaited(lockOf("few"), 2), awaited(lockOf("exact"), 3),
                        awaited(lockOf("least"), 4, WaiterCertainty::AtLeast),
                        awaited(lockOf("unknown"), 100, WaiterCertainty::Unknown)}),
               start);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[0].alert.waiters, 3);
    QVERIFY(!changes[0].alert.isAtLeast);
    QCOMPARE(changes[1].alert.waiters, 4);
    QVERIFY(changes[1].alert.isAtLeast);
    // Of a number that is no longer known nothing is said; a lower one ends it.
    watch.take(changed({awaited(lockOf("exact"), 0, WaiterCertainty::Unknown)}), start);
    watch.advance(start + 1h);
    QCOMPARE(reported(watch), QStringList());
    watch.take(changed({awaited(lockOf("exact"), 2)}), start + 1h);
    watch.advance(start + 2h);
    QCOMPARE(reported(watch), lines({"-max-waiters exact"}));
}

void TstAlertWatch::deadWaitersAreCounted()
{
    const auto queued = [](const QByteArray &owner, int dead, qint64 count) {
        WatchedLock watched = lockOf("a", start, owner);
        CompanionState companions;
        companions.waiters.certainty = WaiterCertainty::Exact;
        companions.waiters.count = count;
        companions.waiters.queue.resize(3);
        for (int place = 0; place < dead; ++place)
            companions.waiters.queue[place].isDead = true;
        watched.lock.companions = CompanionStatePtr(companions);
        return changed({watched});
    };
    QCOMPARE(AlertRules()[AlertKind::DeadWaiters], std::optional<qint64>(0));
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::DeadWaiters] = 1; }));
    watch.take(queued("me", 1, 3), start);
    QCOMPARE(reported(watch), QStringList());
    watch.take(queued("me", 2, 3), start);
    const QList<AlertWatch::Change> raised = watch.takeChanges();
    QCOMPARE(raised.size(), 1);
    const Alert &alert = raised.first().alert;
    QCOMPARE(alert.waiters, 2);
    QVERIFY(!alert.isAtLeast);
    QVERIFY(evidenceOf(alert).inEnglish().startsWith(QStringLiteral("2 dead waiter(s) in the queue.")));
    QVERIFY(evidenceOf(alert).inEnglish().endsWith(QStringLiteral(" Held by me.")));
    // Whoever holds it then, they are as dead.
    watch.take(queued("you", 2, 3), start + 1s);
    watch.take(queued("you", 1, 3), start + 2s);
    watch.advance(start + 1min);
    QCOMPARE(reported(watch), lines({"-dead-waiters a"}));
    // Only the head of a long queue is read.
    watch.take(queued("you", 3, 100), start + 1min);
    QVERIFY(watch.takeChanges().value(0).alert.isAtLeast);
}

void TstAlertWatch::aStalledHolderIsToldOnlyWhereOthersWait()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::StalledHolder].emplace(); }));
    WatchedLock renewed = lockOf("a");
    renewed.maxObservedTtl = 30s;
    renewed.renewals = 5;
    renewed.minRenewalShare = 170;
    renewed.lastRenewal = start;
    renewed.lock.deadline = Deadline{start + 30s, start + 30s};
    const TimePoint overdue = overdueAfter(renewed);
    QVERIFY(overdue > start && overdue < start + 30s);
    watch.take(changed({renewed}), start);
    watch.advance(start + 30s);
    QCOMPARE(reported(watch), QStringList());
    watch.take(changed({awaited(renewed, 1)}), start);
    watch.advance(overdue - 1ms);
    QCOMPARE(reported(watch), QStringList());
    watch.advance(overdue);
    QCOMPARE(reported(watch), lines({"+stalled-holder a"}));
}

/// As it is judged elsewhere; nobody has to hold it.
void TstAlertWatch::problemsOfALockAreTold()
{
    FedAlerts watch{AlertRules()};
    const auto with = [](const QByteArray &key, Problem problem) {
        WatchedLock watched = lockOf(key);
        watched.lock.problems = problem;
        return watched;
    };
    WatchedLock orphan = with("queue", Problem::Orphaned);
    orphan.lock.owners.clear();
    WatchedLock stalled = lockOf("stalled");
    stalled.maxObservedTtl = 30s;
    stalled.renewals = 5;
    stalled.minRenewalShare = 170;
    stalled.lock.deadline = Deadline{start + 15s, start + 15s};
    watch.take(
        changed({with("several", Problem::SeveralOwners), with("group", Problem::NoQuorum), orphan, stalled,
                 with("count", Problem::BadCount), with("differ", Problem::OwnersDiffer),
                 with("dead", Problem::HolderDead), with("back", Problem::RewrittenByOwner), lockOf("well")}),
        start);
    watch.advance(start);
    QCOMPARE(reported(watch), lines({"+several-owners several", "+no-quorum group", "+orphaned-queue queue",
                                     "+stalled-without-waiters stalled", "+bad-count count",
                                     "+owners-differ differ", "+holder-dead dead", "+came-back back"}));
    watch.take(changed({lockOf("several"), lockOf("group"), lockOf("queue"), awaited(stalled, 1),
                        lockOf("count"), lockOf("differ"), lockOf("dead"), lockOf("back")}),
               start);
    watch.advance(start + 3s);
    QStringList ended = reported(watch);
    ended.sort();
    QCOMPARE(ended,
             lines({"+stalled-holder stalled", "-bad-count count", "-came-back back", "-holder-dead dead",
                    "-no-quorum group", "-orphaned-queue queue", "-owners-differ differ",
                    "-several-owners several", "-stalled-without-waiters stalled"}));
}

void TstAlertWatch::deadlocksAreToldOnceEach()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::Deadlock].emplace(); }));
    watch.take(QList<Deadlock>{deadlockOf("a", "b")}, start);
    watch.take(QList<Deadlock>{deadlockOf("a", "b"), deadlockOf("c", "d")}, start + 1s);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[1].alert.cycle, QList<LockKey>({LockKey("c"), LockKey("d")}));
    watch.take(QList<Deadlock>{deadlockOf("c", "d")}, start + 2s);
    QCOMPARE(reported(watch), lines({"-deadlock a"}));
}

void TstAlertWatch::oppositeOrdersAreOverAtOnce()
{
    const QByteArray process = "3b2c1a09-8f7e-4d6c-9b5a-493827160504:";
    TimePoint now = start;
    const auto take = [&](FedAlerts &watch, const QByteArray &thread, const QByteArrayList &keys) {
        for (const QByteArray &key : keys) {
            const WatchedLock lock = lockOf(key, now, process + thread);
            LockEvent acquired;
            acquired.kind = EventKind::Acquired;
            acquired.address.key = LockKey(key);
            acquired.at = now;
            watch.take(LockDiff{{lock}, {}, {acquired}}, now);
            now += 1s;
        }
        for (const QByteArray &key : keys)
            watch.take(removed(key), now);
        now += 1s;
    };
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::Inversion].emplace(); }));
    take(watch, "1", {"a", "b"});
    QVERIFY(watch.takeChanges().isEmpty());
    take(watch, "2", {"b", "a"});
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    const Alert &alert = changes.first().alert;
    QCOMPARE(alert.kind, AlertKind::Inversion);
    QCOMPARE(alert.cycle, QList<LockKey>({LockKey("b"), LockKey("a")}));
    QCOMPARE(alert.owners.first().owner.bytes, process + "2");
    QCOMPARE(alert.owners.last().owner.bytes, process + "1");
    QVERIFY(alert.endedAt && watch.open().isEmpty());
}

void TstAlertWatch::aResetIsOverAtOnce()
{
    FedAlerts watch{AlertRules()};
    ServerReset reset;
    reset.cause = ServerReset::Cause::Flush;
    reset.locks = 7;
    reset.at = start;
    watch.take(reset, start);
    const QList<AlertWatch::Change> changes = watch.takeChanges();
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.first().alert.resetOf->locks, 7);
    QVERIFY(changes.first().alert.endedAt);
    QVERIFY(watch.open().isEmpty());
}

void TstAlertWatch::whatComesAgainSoonIsTheSameAlert()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::ManyWaiters] = 2; }));
    const auto raise = [&](TimePoint at) {
        watch.take(changed({awaited(lockOf("a"), 3)}), at);
        return watch.takeChanges().last();
    };
    const auto end = [&](TimePoint at) {
        watch.take(changed({awaited(lockOf("a"), 0)}), at);
        watch.advance(at + AlertWatch::settleTime);
        watch.takeChanges();
    };
    const AlertWatch::Change first = raise(start);
    end(start + 1s);
    const AlertWatch::Change again = raise(start + 4s);
    QCOMPARE(again.what, What::RaisedAgain);
    QCOMPARE(again.alert.number, first.alert.number);
    QCOMPARE(again.alert.times, 2);
    end(start + 5s);
    const AlertWatch::Change late = raise(start + 5s + AlertWatch::sameAlert);
    QCOMPARE(late.what, What::Raised);
    QVERIFY(late.alert.number != first.alert.number);
}

void TstAlertWatch::thereIsALimit()
{
    FedAlerts watch(only([](AlertRules &rules) {
        rules[AlertKind::NoExpiry].emplace();
        rules[AlertKind::ConnectionLost].emplace();
    }));
    QList<WatchedLock> locks;
    for (qsizetype i = 0; i < AlertWatch::maxOpen + 5; ++i) {
        locks.append(lockOf("k" + QByteArray::number(i)));
        locks.last().lock.problems = Problem::NoExpiry;
    }
    watch.take(changed(locks), start);
    QCOMPARE(watch.open().size(), AlertWatch::maxOpen);
    QCOMPARE(watch.notRaised(), 5);
    // Neither a deadlock nor a lost connection waits for room; a lock's alert does.
    watch.takeConnection(false, start - AlertWatch::settleTime);
    watch.advance(start);
    QCOMPARE(watch.open().size(), AlertWatch::maxOpen + 1);
    watch.takeConnection(true, start);
    watch.take(wholeScan(), start);
    watch.takeChanges();
    watch.take(removed("k0"), start);
    watch.advance(start + AlertWatch::settleTime);
    const QStringList changes = reported(watch);
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes[0], QStringLiteral("-no-expiry k0"));
    QVERIFY(changes[1].startsWith(QStringLiteral("+no-expiry k100")));
    QCOMPARE(watch.notRaised(), 4);
}

void TstAlertWatch::rulesChangeWhileItRuns()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    const QList<WatchedLock> locks{lockOf("a", start - 20s), awaited(lockOf("b", start - 5s), 4)};
    watch.take(changed(locks), start);
    QCOMPARE(reported(watch), lines({"+max-held a"}));
    watch.setRules(only([](AlertRules &rules) { rules[AlertKind::ManyWaiters] = 3; }), locks, start);
    QCOMPARE(reported(watch), lines({"-max-held a", "+max-waiters b"}));
    watch.advance(start + 1h);
    QCOMPARE(reported(watch), QStringList());
}

void TstAlertWatch::aHoldIsNotToldBeyondItsLease()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    WatchedLock lock = lockOf("a");
    lock.lock.deadline = Deadline{start + 10s, start + 10s};
    watch.take(changed({lock}), start);
    watch.advance(start + 10s); // its lease is over, and nobody has looked yet
    QCOMPARE(reported(watch), QStringList());
    lock.lock.deadline = Deadline{start + 20s, start + 20s};
    watch.take(changed({lock}), start + 10s);
    QCOMPARE(reported(watch), lines({"+max-held a"}));
}

void TstAlertWatch::whoMayHaveChangedIsNotSaidToHoldOn()
{
    FedAlerts watch(only([](AlertRules &rules) { rules[AlertKind::HeldTooLong] = 10'000; }));
    WatchedLock weak = lockOf("weak", start, "1");
    weak.lock.family = "token"_family;
    weak.lock.type = KeyType::String;
    QVERIFY(mayRepeat(weak.lock));
    WatchedLock semaphore = lockOf("permits", start, "10");
    semaphore.lock.family = "redisson-semaphore"_family;
    semaphore.lock.type = KeyType::String;
    watch.take(changed({weak, semaphore}), start);
    watch.advance(start + 30s);
    QCOMPARE(reported(watch), QStringList());
}

void TstAlertWatch::aBusyLockIsOneAlert()
{
    FedAlerts watch(only([](AlertRules &rules) {
        rules[AlertKind::ManyWaiters] = 2;
        rules[AlertKind::NoExpiry].emplace();
    }));
    TimePoint at = start;
    for (int i = 0; i < 20; ++i, at += 500ms) {
        WatchedLock lock = awaited(lockOf("a", at, "owner" + QByteArray::number(i)), 5);
        lock.lock.problems = Problem::NoExpiry;
        watch.take(changed({lock}), at);
        watch.advance(at + 250ms);
        if (i % 2 == 0) // else the next owner has it at once
            watch.take(removed("a"), at + 400ms);
    }
    QCOMPARE(reported(watch), lines({"+no-expiry a", "+max-waiters a"}));
    // The next owner gave it an expiry.
    watch.take(changed({awaited(lockOf("a", at), 5)}), at);
    watch.advance(at + AlertWatch::settleTime);
    QCOMPARE(reported(watch), lines({"-no-expiry a"}));
}

QTEST_GUILESS_MAIN(TstAlertWatch)
#include "tst_alertwatch.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/lockstate.h"

#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class LockStateTest : public QObject
{
    Q_OBJECT

    static constexpr qint64 wallMs = 1'769'829'180'000; // 2026-01-31T03:13:00Z

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void state_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<QByteArray>("state");
        // 30 s is the longest TTL seen of each.
        QTest::newRow("fresh") << reentrant("a", 29s) << QByteArray("held");
        QTest::newRow("a fifth left") << reentrant("a", 6s) << QByteArray("held");
        QTest::newRow("less than a fifth left") << reentrant("a", 5999ms) << QByteArray("expiring");
        QTest::newRow("renewed") << renewed(reentrant("a", 20s)) << QByteArray("renewed");
        QTest::newRow("renewed once, then two missed") << renewed(reentrant("a", 9s)) << QByteArray("held");
        QTest::newRow("renewed once, now dying") << renewed(reentrant("a", 2s)) << QByteArray("expiring");
        QTest::newRow("run out") << reentrant("a", 0s) << QByteArray("ended");
        QTest::newRow("no expiry") << endless(token("a")) << QByteArray("no-expiry");
        QTest::newRow("bad count") << withProblem(reentrant("a"), Problem::BadCount) << QByteArray("corrupt");
        QTest::newRow("several owners")
            << withProblem(reentrant("a"), Problem::SeveralOwners) << QByteArray("corrupt");
        QTest::newRow("wrong type") << withProblem(endless(reentrant("a")), Problem::WrongType)
                                    << QByteArray("corrupt");
        QTest::newRow("too big is no corruption")
            << withProblem(reentrant("a"), Problem::TooBig) << QByteArray("held");
        QTest::newRow("not renewed") << stalled("a") << QByteArray("stalled");
        QTest::newRow("in a circle") << seenWith(redisson("a"), Problem::Deadlock) << QByteArray("deadlock");
        QTest::newRow("in a circle, and corrupt")
            << seenWith(withProblem(redisson("a"), Problem::BadCount), Problem::Deadlock)
            << QByteArray("deadlock");
        WatchedLock queue = queued(endless(redisson("a", {}, "redisson-fair"_family)), {client + ":3"});
        queue.lock.owners.clear();
        QTest::newRow("a queue alone") << withProblem(queue, Problem::Orphaned) << QByteArray("orphaned");
        QTest::newRow("a dead waiter is its queue's")
            << queued(redisson("a"), {"!" + client + ":3"}) << QByteArray("held");
        WatchedLock usual = endless(token("a"));
        usual.lock.family = "redis-py"_family;
        usual.lock.problems = {};
        QTest::newRow("no expiry where that is usual") << usual << QByteArray("held");
    }
    void state()
    {
        QFETCH(WatchedLock, lock);
        QFETCH(QByteArray, state);
        QCOMPARE(stateName.valueOf(state), stateOf(lock, now));
        QVERIFY(!stateName.valueOf("stuck"));
    }

    void whatTheStateDoesNotSay()
    {
        const WatchedLock lock = seenWith(withProblem(redisson("a"), Problem::BadCount), Problem::DeadWaiter);
        QCOMPARE(unsaidProblems(lock, stateOf(lock, now)), Problems(Problem::DeadWaiter));
        QCOMPARE(unsaidProblems(endless(lock), LockState::NoExpiry),
                 Problems(Problem::DeadWaiter) | Problem::BadCount);
    }

    void noTimeLeftIsATime()
    {
        WatchedLock lock = reentrant("lock:a");
        lock.lock.ttl = 0ms;
        lock.lock.deadline = Deadline::fromPttl(0ms, now, now);
        QCOMPARE(stateOf(lock, now), LockState::Expiring);
        QCOMPARE(stateOf(lock, now + 1s), LockState::Ended);
    }

    void theLongestTtlThereIs()
    {
        WatchedLock lock = reentrant("lock:a");
        lock.lock.ttl = lock.maxObservedTtl = milliseconds::max();
        lock.lock.deadline = Deadline::fromPttl(milliseconds::max(), now, now + 5ms);
        QVERIFY(lock.lock.deadline->earliest <= lock.lock.deadline->latest);
        QCOMPARE(lock.lock.deadline->remaining(now), Deadline::horizon + 6ms);
        QCOMPARE(stateOf(lock, now), LockState::Held);
        QVERIFY(lockscope::leaseLeft(lock, now) > 0.99);
        QVERIFY(expiringTime(lock) > 0ms && expiringTime(lock) < Deadline::horizon);
    }

    void whatLacksAnExpiry()
    {
        Lock lock = reentrant("a").lock;
        QVERIFY(!lacksExpiry(lock));
        lock.deadline.reset();
        QVERIFY(lacksExpiry(lock));
        lock.leaseOf = LeaseOf::Unknown;
        QVERIFY(!lacksExpiry(lock));
        lock.leaseOf = LeaseOf::Key;
        lock.owners.clear();
        QVERIFY(!lacksExpiry(lock));
    }

    void heldTimes_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<int>("atLeast"); // -1: not known
        QTest::addColumn<int>("atMost");
        WatchedLock late = reentrant("a"); // held for 5 s
        late.hasSeenAcquisition = false;
        WatchedLock weak = token("a", 20s, "locked");
        WatchedLock nobody = reentrant("a");
        nobody.lock.owners.clear();
        const auto stored = [](const QByteArray &owner, Family family) {
            WatchedLock lock = token("a", 20s, owner);
            lock.lock.family = family;
            return readOnce(lock.lock, now, wallMs);
        };
        QTest::newRow("seen") << reentrant("a") << 5000 << 5000;
        QTest::newRow("found") << late << 5000 << -1;
        QTest::newRow("a token of all") << weak << -1 << 5000;
        QTest::newRow("nobody") << nobody << -1 << -1;
        QTest::newRow("a queue alone") << withProblem(reentrant("a"), Problem::Orphaned) << -1 << -1;
        QTest::newRow("read once") << readOnce(reentrant("a").lock, now, wallMs) << -1 << -1;
        QTest::newRow("stored") << stored("ADDED:2026-01-31T03:12:00.000Z@host", "shedlock"_family) << 60000
                                << 60000;
        QTest::newRow("stored by a clock ahead")
            << stored("ADDED:2026-01-31T03:14:00.000Z@host", "shedlock"_family) << -1 << -1;
        QTest::newRow("stored by a clock that was never set")
            << stored("ADDED:1970-01-31T03:12:00.000Z@host", "shedlock"_family) << -1 << -1;
        Lock record = reentrant("a").lock;
        OwnerFacts facts;
        facts.sinceMs = wallMs - 7000;
        record.owners.first().recorded = SharedValue(facts);
        QTest::newRow("stored beside the owner") << readOnce(record, now, wallMs) << 7000 << 7000;
        // UUID of version 1, made when its owner began to try.
        QTest::newRow("began to try")
            << stored("9b9cc000fe5211f09b2a0242ac120002", "redis-py"_family) << -1 << 60000;
    }
    void heldTimes()
    {
        QFETCH(WatchedLock, lock);
        const HeldTime held = heldTime(lock, now, wallMs);
        QTEST(held.atLeast ? int(held.atLeast->count()) : -1, "atLeast");
        QTEST(held.atMost ? int(held.atMost->count()) : -1, "atMost");
    }

    /// A clock of its holder tells more than the moment at which somebody came to watch, unless it tells less.
    void aHoldBeganWhenItsOwnerSays()
    {
        WatchedLock late = reentrant("a"); // held for 5 s
        late.hasSeenAcquisition = false;
        late.lock.readAt = now;
        const TimePoint found = late.heldSince;
        const auto since = [&](qint64 ms, bool isTry = false) {
            WatchedLock lock = late;
            OwnerFacts facts;
            facts.sinceMs = ms;
            facts.sinceIsTry = isTry;
            lock.lock.owners.first().recorded = SharedValue(facts);
            useStoredBegin(lock, wallMs);
            return lock.heldSince;
        };
        QCOMPARE(since(wallMs - 60'000), now - 60s);
        QCOMPARE(since(wallMs - 4'000), found);
        QCOMPARE(since(wallMs + 4'000), found);
        QCOMPARE(since(wallMs - 60'000, true), found);
        late.hasSeenAcquisition = true;
        QCOMPARE(since(wallMs - 60'000), found);
    }

    void leaseLeft_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<double>("left");
        QTest::newRow("half") << reentrant("a", 15s) << 0.5;
        QTest::newRow("none") << reentrant("a", 0s) << 0.0;
        QTest::newRow("no expiry") << endless(reentrant("a")) << 0.0;
        WatchedLock unknown = reentrant("a", 10s);
        unknown.maxObservedTtl = 0ms;
        QTest::newRow("lease not known") << unknown << 1.0;
    }
    void leaseLeft()
    {
        QFETCH(WatchedLock, lock);
        QFETCH(double, left);
        QCOMPARE(lockscope::leaseLeft(lock, now), left);
    }
};

QTEST_GUILESS_MAIN(LockStateTest)
#include "tst_lockstate.moc"

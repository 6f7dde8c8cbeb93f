// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/crashaftermath.h"

#include "core/monitor/livenesssigns.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

namespace {

const QByteArray a = client + ":1", b = client + ":2", other = otherClient + ":1";
constexpr qint64 wall = 1'700'000'000'000;

bool isOfClient(const Lock &, const OwnerId &id)
{
    return id.bytes.startsWith(client);
}

CrashAftermath aftermathOf(const QList<WatchedLock> &locks)
{
    CrashAftermath aftermath(now, wall);
    for (const WatchedLock &lock : locks)
        aftermath.add(lock, isOfClient);
    return aftermath;
}

LivenessSigns signsOf(const QList<WatchedLock> &locks, TimePoint at = now)
{
    LivenessSigns signs;
    for (const WatchedLock &lock : locks)
        signs.add(lock, isOfClient, at);
    return signs;
}

WatchedLock withOwners(WatchedLock watched, const QList<QByteArray> &owners)
{
    watched.lock.owners.clear();
    for (const QByteArray &owner : owners)
        watched.lock.owners.append({OwnerId(owner), "1", 1, HoldMode::Read});
    return watched;
}

} // namespace

class CrashAftermathTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void leasesEndAndOthersStay()
    {
        WatchedLock unread = redisson("unread", a);
        unread.lock.deadline.reset();
        unread.lock.leaseOf = LeaseOf::Unknown;
        const CrashAftermath aftermath = aftermathOf(
            {redisson("x", a), reentrant("y", 40s, b), endless(redisson("z", a)), unread,
             seenWith(redisson("forbidden", a), Problem::Unreadable), redisson("another's", other)});
        QCOMPARE(aftermath.own().expiring.locks, 2);
        QCOMPARE(aftermath.own().expiring.latest, now + 40s);
        QCOMPARE(aftermath.own().endless, 1);
        QCOMPARE(aftermath.endlessLocks(), QList{LockKey("z")});
        QCOMPARE(aftermath.own().unknown, 2);
        QCOMPARE(aftermath.shared(), CrashAftermath::Fates());
        QVERIFY(!aftermath.isEmpty());
        QVERIFY(aftermathOf({redisson("another's", other)}).isEmpty());
    }

    /// What others renew stays, however short the lease is; a permit ends by itself.
    void sharesOfLocksThatOthersHold()
    {
        const WatchedLock readers = withOwners(redisson("rw", a, "redisson-read-write"_family), {a, other});
        QCOMPARE(aftermathOf({readers}).shared().unknown, 1);
        QCOMPARE(aftermathOf({readers}).own().locks(), 0);
        // Two threads of the process, and nobody else.
        QCOMPARE(aftermathOf({withOwners(readers, {a, b})}).own().expiring.locks, 1);

        const QByteArray mine = client.left(16), theirs = otherClient.left(16);
        WatchedLock semaphore = withOwners(redisson("sem", a, "redisson-semaphore"_family), {mine, theirs});
        CompanionState companions;
        companions.permits = {{OwnerId(mine), wall + 7000}, {OwnerId(theirs), {}}};
        semaphore.lock.companions = CompanionStatePtr(companions);
        CrashAftermath aftermath(now, wall);
        aftermath.add(semaphore, [&](const Lock &, const OwnerId &id) { return id.bytes == mine; });
        QCOMPARE(aftermath.shared().expiring.locks, 1);
        QCOMPARE(aftermath.shared().expiring.latest, now + 7s);
        CrashAftermath endlessOnes(now, wall);
        endlessOnes.add(semaphore, [&](const Lock &, const OwnerId &id) { return id.bytes == theirs; });
        QCOMPARE(endlessOnes.shared().endless, 1);
        // The counter is there for all: with the only permit, too.
        CrashAftermath last(now, wall);
        last.add(withOwners(semaphore, {theirs}), [](const Lock &, const OwnerId &) { return true; });
        QCOMPARE(last.own().locks(), 0);
    }

    void waitersAreThoseThatLive()
    {
        const CrashAftermath aftermath = aftermathOf(
            {queued(redisson("x", a), {other, "!" + otherClient + ":9", b, otherClient + ":3"}),
             queued(endless(redisson("y", a)), {otherClient + ":4"}), listenedTo(redisson("z", a), 3)});
        QCOMPARE(aftermath.waiting().named, 3); // not the dead one, and not their own
        QCOMPARE(aftermath.waiting().dead, 1);
        QCOMPARE(aftermath.waiting().subscribed, 3);
        QVERIFY(aftermath.waiting().isUnknown);
        QCOMPARE(aftermath.waitedFor().locks(), 3);
        QCOMPARE(aftermath.waitedFor().endless, 1);
        QCOMPARE(aftermath.waitedFor().expiring.latest, now + 20s);
        // A queue that names all of them is exact, and one that was read in part is not.
        WatchedLock all = queued(redisson("x", a), {other});
        QVERIFY(!aftermathOf({all}).waiting().isUnknown);
        CompanionState more = *all.lock.companions;
        more.waiters.count = 100;
        all.lock.companions = CompanionStatePtr(more);
        QVERIFY(aftermathOf({all}).waiting().isUnknown);
        QVERIFY(aftermathOf({redisson("polled", a)}).waiting().isUnknown);
        // Whoever is dead, or one of them, would not be blocked.
        QCOMPARE(aftermathOf({queued(redisson("x", a), {"!" + other, b})}).waitedFor().locks(), 0);
    }

    void theirPlacesHoldOthersUp()
    {
        WatchedLock lock = queued(redisson("x", other), {otherClient + ":2", a, otherClient + ":3",
                                                         "!" + otherClient + ":4", otherClient + ":5"});
        CrashAftermath aftermath = aftermathOf({lock});
        QCOMPARE(aftermath.deadPlaces(), 1);
        QCOMPARE(aftermath.heldUp(), 2);
        QVERIFY(!aftermath.skippedFromMs());                      // nothing says when it is skipped
        QCOMPARE(aftermath.waiting(), CrashAftermath::Waiting()); // for a lock of another
        QVERIFY(!aftermath.isEmpty());
        CompanionState timed = *lock.lock.companions;
        timed.waiters.queue[1].timeoutAtMs = wall + 5000;
        lock.lock.companions = CompanionStatePtr(timed);
        aftermath = aftermathOf({lock, queued(redisson("y", other), {otherClient + ":2"})});
        QCOMPARE(*aftermath.skippedFromMs(), wall + 5000);
        QVERIFY(!aftermathOf({}).skippedFromMs());
    }

    void silenceIsLikelyDeath()
    {
        using Verdict = LivenessSigns::Verdict;
        const auto verdict = [](const QList<WatchedLock> &locks, TimePoint at = now) {
            return signsOf(locks, at).verdict(at);
        };
        WatchedLock plain = redisson("plain", a);
        plain.hasSeenAcquisition = false;
        QCOMPARE(verdict({}), Verdict::Unknown);
        QCOMPARE(verdict({plain}), Verdict::Unknown);
        WatchedLock overdue = stalled("late");
        overdue.lastRenewal = now - 18s;
        overdue.hasSeenAcquisition = false;
        QCOMPARE(signsOf({overdue}).overdue, 1);
        QCOMPARE(verdict({overdue}), Verdict::LikelyDead);
        QCOMPARE(verdict({queued(redisson("other's", other), {"!" + a})}), Verdict::LikelyDead);
        QCOMPARE(verdict({queued(redisson("other's", other), {a})}), Verdict::Alive);
        // One thread waits and is subscribed, so the process lives, whatever its watchdog does.
        QCOMPARE(verdict({overdue, queued(redisson("other's", other), {b})}), Verdict::Unknown);
        QCOMPARE(verdict({overdue, renewed(redisson("fresh", a))}), Verdict::Unknown);
        QCOMPARE(verdict({renewed(redisson("fresh", a))}), Verdict::Alive);
        // A renewal long ago is no sign of life now.
        WatchedLock old = renewed(plain);
        old.lastRenewal = now - 60s;
        QCOMPARE(verdict({old}), Verdict::Unknown);
        // One process of a host is no sign for the others.
        LivenessSigns host = signsOf({overdue});
        host.isOfSeveral = true;
        QCOMPARE(host.verdict(now), Verdict::Unknown);
        // Who of several owners renews is not known.
        QCOMPARE(verdict({withOwners(renewed(plain), {a, other})}), Verdict::Unknown);
    }

    /// One of them says nothing of the others.
    void eachProcessOfAHost()
    {
        const auto hold = [](WatchedLock watched, const QByteArray &process) {
            watched.lock.family = "node-resque-leader"_family;
            watched.lock.type = KeyType::String;
            watched.lock.owners = {{OwnerId("shop-7:" + process), {}, {}}};
            watched.hasSeenAcquisition = false;
            return watched;
        };
        const auto isOfHost = [](const Lock &, const OwnerId &id) { return id.bytes.startsWith("shop-7:"); };
        WatchedLock late = hold(stalled("late"), "4");
        late.lastRenewal = now - 18s;
        SignsOfProcesses host;
        host.add(hold(token("quiet"), "2"), isOfHost, now);
        host.add(hold(renewed(token("fresh")), "3"), isOfHost, now);
        host.add(hold(token("fresh too"), "3"), isOfHost, now);
        host.add(late, isOfHost, now);
        host.add(hold(renewed(token("of a lost node")), "5"), isOfHost, std::nullopt);
        host.add(hold(token("in a container"), "1"), isOfHost, now);
        host.add(redisson("of another", other), isOfHost, now);
        QCOMPARE(host.count(now), (SignsOfProcesses::Count{.alive = 1, .likelyDead = 1, .unknown = 2}));
        QCOMPARE(host.untold(), 1);
    }
};

QTEST_APPLESS_MAIN(CrashAftermathTest)
#include "tst_crashaftermath.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/quorumtable.h"

#include "core/model/names.h"
#include "tests/support/familyliteral.h"
#include "tests/support/picture.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint(24h);

WatchedLock reading(const QByteArray &owner, milliseconds ttl, TimePoint at)
{
    WatchedLock lock;
    lock.lock.address.key = LockKey("lock:x");
    lock.lock.family = "token"_family;
    lock.lock.type = KeyType::String;
    lock.lock.owners = {{OwnerId(owner), {}, 1}};
    lock.lock.ttl = ttl;
    lock.lock.deadline = Deadline::fromPttl(ttl, at, at);
    lock.lock.readAt = at;
    return lock;
}

/// A table of three servers, whose monitors we play.
struct Group : DisplayedState
{
    explicit Group(bool areKnown = true)
    {
        for (int i = 0; i < 3 && areKnown; ++i)
            take(table.setKnown(i, true, now));
    }

    void has(int server, const QByteArray &owner, EventKind told = EventKind::Acquired,
             milliseconds ttl = 30s)
    {
        LockDiff diff;
        diff.changed = {reading(owner, ttl, now)};
        diff.events = {event(told)};
        take(table.apply(server, diff, now));
    }
    void lost(int server, EventKind told = EventKind::Released)
    {
        LockDiff diff;
        diff.removed = {LockKey("lock:x")};
        diff.events = {event(told)};
        take(table.apply(server, diff, now));
    }
    static LockEvent event(EventKind kind)
    {
        LockEvent event;
        event.kind = kind;
        event.address.key = LockKey("lock:x");
        return event;
    }
    void pass(milliseconds time)
    {
        now += time;
        take(table.confirm(now, now));
    }
    QByteArray reported()
    {
        QByteArrayList words;
        for (const QByteArray &line : std::exchange(events, {}))
            words << line.left(line.indexOf(' '));
        return words.join(' ');
    }
    QByteArray problems() const
    {
        QByteArrayList names;
        if (locks.contains("lock:x")) {
            for (const Problem problem : problemList(locks["lock:x"].problems()))
                names << problemName(problem);
        }
        return names.join(' ');
    }

    TimePoint now = start;
    QuorumTable table{3};
};

} // namespace

class TestQuorumTable : public QObject
{
    Q_OBJECT

private slots:
    void aMajorityAcquiresAndReleases();
    void anAttemptIsNoEvent();
    void whatIsThereAtFirstIsFound();
    void aLeaseRunsOut();
    void aRenewalIsToldOnce();
    void anotherOwner();
    void aLostQuorumIsAProblemAfterASecond();
    void differentOwnersAreAProblem();
    void aServerThatIsLostEndsNothing();
    void oneThatComesBackEmptyMayEndIt();
    void doubtsAreReadEverywhere();
    void aForcedEndIsToldAsThat();
    void whatMayNotBeReadMayBeThere();
    void keysHaveACeiling();
};

void TestQuorumTable::aMajorityAcquiresAndReleases()
{
    Group group;
    group.has(0, "a");
    QCOMPARE(group.reported(), ""); // it may still fail
    QVERIFY(!group.locks["lock:x"].lock.quorum->isHeld);
    group.has(1, "a");
    QCOMPARE(group.reported(), "acquired");
    group.has(2, "a");
    QCOMPARE(group.reported(), "");
    QCOMPARE(group.locks["lock:x"].lock.quorum->agreeing, 3);
    group.lost(2);
    QCOMPARE(group.reported(), "");
    group.lost(0);
    QCOMPARE(group.reported(), "released");
    group.lost(1);
    QCOMPARE(group.reported(), "");
    QVERIFY(group.locks.isEmpty());
    QCOMPARE(group.table.size(), 0);
    group.pass(5s);
    QVERIFY(group.locks.isEmpty());
}

/// A contender takes what it can get, finds that it is too little, and gives it back.
void TestQuorumTable::anAttemptIsNoEvent()
{
    Group group;
    group.has(2, "b");
    group.pass(200ms);
    QCOMPARE(group.problems(), "");
    group.lost(2);
    group.pass(5s);
    QCOMPARE(group.reported(), "");
    QVERIFY(group.locks.isEmpty());
}

void TestQuorumTable::whatIsThereAtFirstIsFound()
{
    Group group(false);
    group.has(0, "a", EventKind::Found);
    group.has(1, "a", EventKind::Found);
    QCOMPARE(group.reported(), "");
    QVERIFY(!group.locks["lock:x"].lock.quorum->isLost());
    group.take(group.table.setKnown(0, true, group.now));
    QCOMPARE(group.reported(), "");
    group.take(group.table.setKnown(1, true, group.now));
    QCOMPARE(group.reported(), "found");
    group.take(group.table.setKnown(2, true, group.now));
    QCOMPARE(group.reported(), "");
}

void TestQuorumTable::aLeaseRunsOut()
{
    Group group;
    for (int i = 0; i < 3; ++i)
        group.has(i, "a");
    group.reported();
    for (int i = 0; i < 3; ++i)
        group.lost(i, EventKind::Expired);
    QCOMPARE(group.reported(), "expired");
}

/// Servers are renewed one after the other.
void TestQuorumTable::aRenewalIsToldOnce()
{
    Group group;
    for (int i = 0; i < 3; ++i)
        group.has(i, "a");
    group.reported();
    group.pass(10s);
    for (int i = 0; i < 3; ++i) {
        group.now += 4ms;
        group.has(i, "a", EventKind::Renewed);
    }
    QCOMPARE(group.reported(), "renewed");
}

void TestQuorumTable::anotherOwner()
{
    Group group;
    for (int i = 0; i < 3; ++i)
        group.has(i, "a");
    group.reported();
    group.has(0, "b", EventKind::OwnerChanged);
    QCOMPARE(group.reported(), "");
    group.has(1, "b", EventKind::OwnerChanged);
    QCOMPARE(group.reported(), "owner-changed");
    QCOMPARE(group.locks["lock:x"].lock.owners.first().owner.bytes, "b");
}

void TestQuorumTable::aLostQuorumIsAProblemAfterASecond()
{
    Group group;
    for (int i = 0; i < 3; ++i)
        group.has(i, "a");
    group.reported();
    group.lost(0, EventKind::Vanished);
    QCOMPARE(group.problems(), "");
    group.lost(1, EventKind::Vanished);
    QCOMPARE(group.reported(), "vanished");
    QVERIFY(group.table.hasDoubts());
    group.pass(900ms);
    QCOMPARE(group.problems(), "");
    group.pass(200ms);
    QCOMPARE(group.problems(), "no-quorum");
    QVERIFY(!group.table.hasDoubts());
    // Mended: by a renewal that writes it anew, say.
    group.has(0, "a");
    QCOMPARE(group.problems(), "");
    QCOMPARE(group.reported(), "acquired");
}

void TestQuorumTable::differentOwnersAreAProblem()
{
    Group group;
    group.has(0, "a");
    group.has(1, "a");
    group.has(2, "b");
    group.reported();
    group.pass(1100ms);
    QCOMPARE(group.problems(), "owners-differ");
    // What changes is another doubt.
    group.has(2, "c", EventKind::OwnerChanged);
    QCOMPARE(group.problems(), "");
    group.pass(1100ms);
    QCOMPARE(group.problems(), "owners-differ");
    group.lost(2);
    QCOMPARE(group.problems(), "");
    QCOMPARE(group.reported(), "");
}

void TestQuorumTable::aServerThatIsLostEndsNothing()
{
    Group group;
    for (int i = 0; i < 3; ++i)
        group.has(i, "a");
    group.reported();
    group.take(group.table.setKnown(0, false, group.now));
    group.take(group.table.setKnown(1, false, group.now));
    QCOMPARE(group.reported(), "");
    const Quorum &quorum = *group.locks["lock:x"].lock.quorum;
    QVERIFY(!quorum.isHeld && !quorum.isLost());
    group.pass(5s);
    QCOMPARE(group.problems(), "");
    group.take(group.table.setKnown(0, true, group.now));
    group.take(group.table.setKnown(1, true, group.now));
    QCOMPARE(group.reported(), ""); // as before
    QVERIFY(group.locks["lock:x"].lock.quorum->isHeld);
}

/// Redis without persistence, restarted: the published weakness of the algorithm.
void TestQuorumTable::oneThatComesBackEmptyMayEndIt()
{
    Group group;
    group.has(0, "a");
    group.has(1, "a");
    group.reported();
    group.take(group.table.setKnown(1, false, group.now));
    group.lost(1, EventKind::Vanished);
    QCOMPARE(group.reported(), ""); // it is not known yet what there is
    group.take(group.table.setKnown(1, true, group.now));
    QCOMPARE(group.reported(), "vanished");
    group.pass(1100ms);
    QCOMPARE(group.problems(), "no-quorum");
}

void TestQuorumTable::doubtsAreReadEverywhere()
{
    Group group;
    group.has(0, "a");
    QCOMPARE(group.table.takeDoubts(), QList<LockKey>{LockKey("lock:x")});
    QCOMPARE(group.table.takeDoubts(), QList<LockKey>());
    group.has(0, "a", EventKind::Renewed);
    QCOMPARE(group.table.takeDoubts(), QList<LockKey>()); // the same
}

/// A monitor tells it before it reads that the lock is gone.
void TestQuorumTable::aForcedEndIsToldAsThat()
{
    Group group;
    for (int i = 0; i < 3; ++i)
        group.has(i, "a");
    group.reported();
    const auto end = [&group](int server) {
        LockDiff forced;
        forced.events = {Group::event(EventKind::Forced)};
        group.take(group.table.apply(server, forced, group.now));
        LockDiff gone;
        gone.removed = {LockKey("lock:x")};
        group.take(group.table.apply(server, gone, group.now));
    };
    end(0);
    QCOMPARE(group.reported(), "");
    end(1);
    QCOMPARE(group.reported(), "forced");
    end(2);
    QCOMPARE(group.reported(), "");
    // The next one is another.
    for (int i = 0; i < 2; ++i)
        group.has(i, "b");
    group.lost(0);
    QCOMPARE(group.reported(), "acquired released");
}

void TestQuorumTable::whatMayNotBeReadMayBeThere()
{
    Group group(false);
    bool isForbidden = true;
    group.table =
        QuorumTable(3, 10, [&](qsizetype server, const LockKey &) { return isForbidden && server > 0; });
    for (int i = 0; i < 3; ++i)
        group.take(group.table.setKnown(i, true, group.now));
    group.has(0, "a");
    QCOMPARE(group.locks["lock:x"].lock.quorum->unknown, 2);
    group.pass(5s);
    QCOMPARE(group.problems(), "");
    // Permitted, read, and not there.
    isForbidden = false;
    group.has(0, "a", EventKind::Renewed);
    group.pass(1100ms);
    QCOMPARE(group.problems(), "no-quorum");
}

void TestQuorumTable::keysHaveACeiling()
{
    QuorumTable table(3, 2);
    LockDiff diff;
    for (int i = 0; i < 3; ++i) {
        diff.changed.append(reading("a", 30s, start));
        diff.changed.last().lock.address.key = LockKey("lock:" + QByteArray::number(i));
    }
    QCOMPARE(table.apply(0, diff, start).changed.size(), 2);
    QCOMPARE(table.size(), 2);
    QVERIFY(table.takeOverflow());
    QVERIFY(!table.takeOverflow());
    QCOMPARE(table.apply(1, diff, start).changed.size(), 2); // those that it has
}

QTEST_GUILESS_MAIN(TestQuorumTable)
#include "tst_quorumtable.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/packedlocks.h"

#include "core/model/quorum.h"
#include "tests/support/familyliteral.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;

namespace {

Lock lockOf(const QByteArray &key, const QList<LockOwner> &owners)
{
    Lock lock;
    lock.address = {LockKey(key), 3};
    lock.owners = owners;
    lock.ttl = milliseconds(5000);
    lock.readAt = Clock::now();
    lock.deadline = Deadline::fromPttl(*lock.ttl, lock.readAt, lock.readAt);
    lock.problems = Problem::HolderDead | Problem::Unreadable;
    lock.type = KeyType::Hash;
    lock.family = "reentrant"_family;
    lock.evidence = {Evidence::Name, Evidence::Content};
    lock.leaseOf = LeaseOf::Fields;
    return lock;
}

LockOwner ownerOf(const QByteArray &id, const QByteArray &count = "2")
{
    OwnerFacts facts;
    facts.host = "web-1";
    return {OwnerId(id), count, 2, HoldMode::Read, SharedValue(facts)};
}

bool areSame(const Lock &a, const Lock &b)
{
    return a.address == b.address && a.owners == b.owners && a.ttl == b.ttl && a.deadline == b.deadline &&
           a.readAt == b.readAt && a.problems == b.problems && a.type == b.type && a.family == b.family &&
           a.evidence == b.evidence && a.leaseOf == b.leaseOf && a.companions == b.companions &&
           bool(a.quorum) == bool(b.quorum);
}

} // namespace

class PackedLocksTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void keepsAllOfThem()
    {
        CompanionState state;
        state.fencingToken = "7";
        Lock companions = lockOf("b", {ownerOf("x")});
        companions.companions = CompanionStatePtr(state);
        Lock group = lockOf("c", {ownerOf("x")});
        group.quorum = QuorumPtr(new Quorum);
        Lock endless = lockOf(QByteArray("d\0\xff", 3), {});
        endless.ttl.reset();
        endless.deadline.reset();
        const QList<Lock> all{lockOf("a", {ownerOf("x"), ownerOf("y")}),
                              companions,
                              group,
                              endless,
                              lockOf("e", {ownerOf({}, {})}),
                              lockOf("f", {ownerOf(QByteArray(3'000'000, 'o'))})};
        PackedLocks locks;
        for (const Lock &lock : all)
            locks.add(lock);
        locks.sort();
        QCOMPARE(locks.size(), all.size());
        qsizetype place = 0;
        for (const Lock &lock : locks) {
            QVERIFY2(areSame(lock, all[place]), qPrintable(QString::number(place)));
            ++place;
        }
        QVERIFY(locks.bytes() > 3'000'000);
        locks.add(all[2]); // a Redlock group tells a lock once for each server
        const qint64 twice = locks.bytes();
        locks.sort();
        QVERIFY(locks.bytes() < twice);
        QCOMPARE(locks.size(), all.size());
    }

    /// A key may be told twice, or be gone again.
    void theLastOfAKeyCounts()
    {
        PackedLocks locks;
        locks.add(lockOf("b", {ownerOf("first")}));
        locks.add(lockOf("a", {ownerOf("x")}));
        locks.add(lockOf("b", {ownerOf("second")}));
        locks.add(lockOf("c", {ownerOf("x")}));
        locks.remove(LockKey("c"));
        locks.remove(LockKey("nowhere"));
        locks.sort();
        QCOMPARE(locks.size(), 2);
        QCOMPARE(locks.at(1).owners.first().owner.bytes, "second");
        QCOMPARE(locks.at(1).key().bytes, "b");
    }

    /// Each server of a Redlock group tells its locks anew: more records than a sort of few keeps in order by chance.
    void theLastOfManyGroupReadingsCounts()
    {
        PackedLocks locks;
        for (int agreeing = 1; agreeing <= 5; ++agreeing) {
            for (int i = 0; i < 50; ++i) {
                Lock lock = lockOf("lock:" + QByteArray::number(i), {ownerOf("x")});
                auto *quorum = new Quorum;
                quorum->agreeing = agreeing;
                lock.quorum = QuorumPtr(quorum);
                locks.add(lock);
            }
        }
        locks.remove(LockKey("lock:7"));
        locks.add(lockOf("lock:7", {ownerOf("x"), ownerOf("y")}));
        locks.sort();
        QCOMPARE(locks.size(), 50);
        for (const Lock &lock : locks)
            QCOMPARE(lock.quorum ? lock.quorum->agreeing : 5, 5);
    }

    void replacesAndRemoves()
    {
        PackedLocks locks;
        for (const char *key : {"a", "b", "c"})
            locks.add(lockOf(key, {ownerOf("x")}));
        locks.sort();
        Lock other = lockOf("b", {ownerOf("y")});
        locks.replace(1, other);
        QVERIFY(areSame(locks.at(1), other));
        other.owners = {ownerOf("y"), ownerOf("z")};
        locks.replace(1, other);
        QVERIFY(areSame(locks.at(1), other));
        Lock named = locks.at(0);
        named.family = "token"_family;
        named.evidence = {};
        named.problems = {};
        locks.replace(0, named);
        QVERIFY(areSame(locks.at(0), named));
        QCOMPARE(locks.removeIf([](const Lock &lock) { return lock.key().bytes == "a"; }), 1);
        QCOMPARE(locks.size(), 2);
        QVERIFY(areSame(locks.at(0), other));
    }
};

QTEST_APPLESS_MAIN(PackedLocksTest)
#include "tst_packedlocks.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/companionremnants.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint(24h);
const LockKey key("lock:a");

CompanionState queueOf(const QByteArrayList &ids)
{
    CompanionState state;
    state.implied.insert("redisson-fair"_family);
    for (const QByteArray &id : ids) {
        Waiter waiter;
        waiter.id = OwnerId(id);
        state.waiters.queue.append(waiter);
    }
    state.waiters.count = ids.size();
    return state;
}

Lock fairLock(const QByteArrayList &waiters)
{
    Lock lock;
    lock.address.key = key;
    lock.family = "redisson-fair"_family;
    lock.type = KeyType::Hash;
    lock.owners = {{OwnerId("anna"), "1", 1}};
    lock.ttl = milliseconds(30s);
    lock.companions = CompanionStatePtr(queueOf(waiters));
    return lock;
}

} // namespace

class TestCompanionRemnants : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void keptForTheReturnOfTheLock()
    {
        CompanionRemnants remnants;
        QVERIFY(!remnants.takeState(key));
        remnants.keep(fairLock({"otto"}), start);
        QCOMPARE(remnants.takeState(key)->waiters.count, 1);
        QVERIFY(!remnants.takeState(key)); // once
    }

    void aPlainLockLeavesNothing()
    {
        CompanionRemnants remnants;
        Lock plain = fairLock({});
        plain.companions = {};
        remnants.keep(plain, start);
        QVERIFY(!remnants.takeState(key));
    }

    /// A candidate is one with somebody in its queue; suspected only after two readings and two seconds.
    void suspectedAfterASecondReading()
    {
        CompanionRemnants remnants;
        remnants.keep(fairLock({"otto"}), start);
        QCOMPARE(remnants.orphanCandidates(9).size(), 1);
        QVERIFY(remnants.orphanCandidates(9).front().owners.isEmpty()); // they went with the lock
        remnants.apply(key, queueOf({"otto"}), start + 1s);
        remnants.apply(key, queueOf({"otto"}), start + 1999ms);
        QVERIFY(remnants.takeSuspectedOrphans().isEmpty());
        QVERIFY(!remnants.takeOrphan(key, start + 2s)); // not suspected
        remnants.apply(key, queueOf({"otto"}), start + 2s);
        QCOMPARE(remnants.takeSuspectedOrphans(), QList<LockKey>{key});
        QVERIFY(remnants.takeSuspectedOrphans().isEmpty());
        const auto orphan = remnants.takeOrphan(key, start + 3s);
        QVERIFY(orphan);
        QVERIFY(orphan->problems.testFlag(Problem::Orphaned));
        QCOMPARE(orphan->readAt, start + 3s);
        QVERIFY(!remnants.takeOrphan(key, start + 3s));
    }

    void anEmptyQueueIsNone()
    {
        CompanionRemnants remnants;
        remnants.keep(fairLock({"otto"}), start);
        for (int second = 1; second < 9; ++second)
            remnants.apply(key, queueOf({}), start + second * 1s);
        QVERIFY(remnants.takeSuspectedOrphans().isEmpty());
        QVERIFY(remnants.orphanCandidates(9).isEmpty());
    }

    /// The reading of the key may be lost: it is asked for again, and given up at last.
    void askedForAgain()
    {
        CompanionRemnants remnants;
        remnants.keep(fairLock({"otto"}), start);
        int asked = 0;
        for (int second = 1; second < 99; ++second) {
            remnants.apply(key, queueOf({"otto"}), start + second * 1s);
            asked += static_cast<int>(remnants.takeSuspectedOrphans().size());
        }
        QCOMPARE(asked, 4); // the 2nd, 16th, 32nd and 48th reading
        QVERIFY(remnants.orphanCandidates(9).isEmpty());
    }

    void aQueueThatAScanHasMet()
    {
        CompanionRemnants remnants;
        remnants.recordQueue({key, 0}, "redisson-fair"_family, start);
        QCOMPARE(remnants.orphanCandidates(9).size(), 1);
        remnants.forget(key);
        QVERIFY(remnants.orphanCandidates(9).isEmpty());
        remnants.recordQueue({key, 0}, "redisson-fair"_family, start);
        remnants.clear();
        QVERIFY(remnants.orphanCandidates(9).isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCompanionRemnants)
#include "tst_companionremnants.moc"

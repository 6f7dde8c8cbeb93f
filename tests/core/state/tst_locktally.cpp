// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/certainty.h"
#include "core/family/renewalhealth.h"
#include "core/model/names.h"
#include "core/state/locktally.h"
#include "tests/support/familyliteral.h"

#include <QRandomGenerator>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const TimePoint start = TimePoint() + 1000h;

WatchedLock lockOf(const QByteArray &key, TimePoint heldSince, Family family = "reentrant"_family)
{
    WatchedLock watched;
    watched.lock.address.key = LockKey(key);
    watched.lock.family = family;
    watched.lock.type = KeyType::Hash;
    watched.lock.owners.append({OwnerId("me"), "1", 1});
    watched.lock.deadline = Deadline{start + 60s, start + 60s};
    watched.heldSince = heldSince;
    return watched;
}

/// Whatever a lock can be.
WatchedLock randomLock(const QByteArray &key, QRandomGenerator &random)
{
    const std::array families{"reentrant"_family, "token"_family, Family()};
    WatchedLock watched = lockOf(key, start - milliseconds(random.bounded(200'000'000)),
                                 families[random.bounded(quint32(families.size()))]);
    if (random.bounded(4) == 0)
        watched.lock.deadline = {};
    if (random.bounded(6) == 0)
        watched.lock.owners.clear();
    watched.lock.problems = Problems::fromInt(random.bounded(3) == 0 ? 1U << random.bounded(9) : 0U);
    watched.setProblem(Problem::Unreadable, random.bounded(8) == 0);
    watched.maxObservedTtl = 30s;
    watched.renewals = random.bounded(5);
    watched.minRenewalShare = quint8(random.bounded(256));
    watched.lastRenewal = start;
    watched.lock.deadline = random.bounded(3) == 0 ? Deadline{start + 5s, start + 5s} : watched.lock.deadline;
    CompanionState companions;
    companions.waiters.certainty = static_cast<WaiterCertainty>(random.bounded(3));
    companions.waiters.count = random.bounded(50);
    companions.waiters.queue.resize(random.bounded(3));
    for (Waiter &waiter : companions.waiters.queue)
        waiter.isDead = random.bounded(2) == 0;
    watched.lock.companions = CompanionStatePtr(companions);
    return watched;
}

/// The same by going through all of them.
LockCounts countAll(const QHash<QByteArray, WatchedLock> &locks, TimePoint now)
{
    LockCounts counts;
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    for (const WatchedLock &watched : locks) {
        const Lock &lock = watched.lock;
        if (isHidden(lock)) {
            ++counts.hidden;
            continue;
        }
        counts.openExpiry += noExpiryOf(lock) == NoExpiry::Open ? 1 : 0;
        const TimePoint overdue = overdueAfter(watched);
        const bool isStalled =
            overdue != TimePoint::max() && std::chrono::ceil<std::chrono::seconds>(overdue) < second;
        const auto state = watched.problems() ? LockCounts::Problem
                           : isStalled        ? LockCounts::Stalled
                                              : LockCounts::Held;
        ++counts.byFamily[lock.family][state];
        for (const Problem problem : problemList(watched.problems()))
            ++counts.byProblem[problem];
        const Waiters &waiters = lock.companions->waiters;
        ++counts.byWaiterCertainty[size_t(waiters.certainty)];
        if (waiters.certainty != WaiterCertainty::Unknown)
            counts.waiters[size_t(waiters.certainty)] += waiters.count;
        counts.deadWaiters += std::ranges::count(waiters.queue, true, &Waiter::isDead);
        counts.withoutExpiry += !lock.deadline && !lock.owners.isEmpty() ? 1 : 0;
        if (lock.owners.isEmpty() || watched.problems().testFlag(Problem::Unreadable))
            continue;
        const auto held = second - std::chrono::ceil<std::chrono::seconds>(watched.heldSince);
        counts.longestHold = std::max(counts.longestHold.value_or(0s), held);
        for (size_t step = 0; step < counts.heldSteps.size(); ++step)
            counts.heldAtLeast[step] += held >= std::chrono::seconds(counts.heldSteps[step]) ? 1 : 0;
    }
    return counts;
}

} // namespace

class TestLockTally : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void timeMovesWhatIsHeld()
    {
        LockTally tally;
        QVERIFY(!tally.at(start).longestHold);
        tally.apply({{lockOf("a", start), lockOf("b", start - 59'500ms)}, {}, {}});
        QCOMPARE(tally.at(start).heldAtLeast[0], 1);
        QCOMPARE(tally.at(start).heldAtLeast[2], 0); // 59.5 s are not 60
        QCOMPARE(tally.at(start + 2s).heldAtLeast[2], 1);
        QCOMPARE(tally.at(start + 2s).heldAtLeast[0], 2);
        QCOMPARE(tally.at(start + 2s).longestHold, 61s);
        QVERIFY(*tally.at(start - 1h).longestHold >= 0s);
        tally.apply({{}, {LockKey("a"), LockKey("b"), LockKey("c")}, {}});
        QCOMPARE(tally.at(start), LockCounts());
    }

    /// Any changes in any order come to what counting all of them would.
    void sameAsCountingAll()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        LockTally tally;
        QHash<QByteArray, WatchedLock> locks;
        for (int round = 0; round < 500; ++round) {
            LockDiff diff;
            QSet<QByteArray> touched;
            for (int i = random.bounded(12); i > 0; --i) {
                const QByteArray key = "lock:" + QByteArray::number(random.bounded(40));
                if (touched.contains(key))
                    continue;
                touched.insert(key);
                if (random.bounded(3) == 0) {
                    diff.removed.append(LockKey(key));
                    locks.remove(key);
                } else {
                    locks[key] = randomLock(key, random);
                    diff.changed.append(locks[key]);
                }
            }
            tally.apply(diff);
            const TimePoint now = start + milliseconds(random.bounded(200'000));
            QCOMPARE(tally.at(now), countAll(locks, now));
        }
    }
};

QTEST_GUILESS_MAIN(TestLockTally)
#include "tst_locktally.moc"

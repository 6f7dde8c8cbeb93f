// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockstate.h"

#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"
#include "ui/locks/lockorder.h"
#include "ui/locks/locktext.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class LockStateTest : public QObject
{
    Q_OBJECT

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
        QCOMPARE(stateFromName(state), stateOf(lock, now));
    }

    void whatTheStateDoesNotSay()
    {
        const WatchedLock lock = seenWith(withProblem(redisson("a"), Problem::BadCount), Problem::DeadWaiter);
        QCOMPARE(unsaidProblems(lock, stateOf(lock, now)), Problems(Problem::DeadWaiter));
        QCOMPARE(unsaidProblems(endless(lock), LockState::NoExpiry),
                 Problems(Problem::DeadWaiter) | Problem::BadCount);
    }

    /// Whatever is wrong has a word where the state is told.
    void aProblemIsTold_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problems");
        QTest::newRow("none") << redisson("a") << QStringLiteral("Held") << QString();
        QTest::newRow("the state is one")
            << stalled("a") << QStringLiteral("Stalled") << QStringLiteral("stalled");
        QTest::newRow("two") << seenWith(stalled("a"), Problem::RewrittenByOwner) << QStringLiteral("Stalled")
                             << QStringLiteral("stalled, rewritten");
        QTest::newRow("beside the state") << queued(redisson("a"), {"!x:1"}) << QStringLiteral("Dead waiter")
                                          << QStringLiteral("dead waiter");
        QTest::newRow("beside a renewal") << seenWith(renewed(redisson("a")), Problem::RewrittenByOwner)
                                          << QStringLiteral("Rewritten") << QStringLiteral("rewritten");
    }
    void aProblemIsTold()
    {
        QFETCH(WatchedLock, lock);
        QTEST(appearanceOf(lock, stateOf(lock, now)).word, "text");
        QTEST(problemsText(lock, now), "problems");
        QFETCH(QString, text);
        QVERIFY(stateTexts().contains(text));
    }

    void waiters_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<QString>("text");
        QTest::newRow("not known") << redisson("a") << QString();
        QTest::newRow("each stands in a queue")
            << queued(redisson("a"), {client + ":1", client + ":2"}) << QStringLiteral("2");
        QTest::newRow("nobody") << queued(redisson("a"), {}) << QStringLiteral("0");
        QTest::newRow("processes that listen") << listenedTo(redisson("a"), 2) << QStringLiteral("≥ 2");
        QTest::newRow("at least none says nothing") << listenedTo(redisson("a"), 0) << QString();
        QTest::newRow("one is dead") << queued(redisson("a"), {client + ":1", "!" + client + ":2"})
                                     << QStringLiteral("2 (1 dead)");
    }
    void waiters()
    {
        QFETCH(WatchedLock, lock);
        QTEST(waitersText(lock), "text");
    }

    void locksStandByTheirWaiters()
    {
        const LockOrder order(LockColumn::Waiters, Qt::AscendingOrder);
        const QList<WatchedLock> ascending{
            redisson("a"), queued(redisson("a"), {}), queued(redisson("a"), {"x:1", "x:2"}),
            listenedTo(redisson("a"), 2), queued(redisson("a"), {"x:1", "x:2", "x:3"})};
        for (qsizetype i = 1; i < ascending.size(); ++i)
            QVERIFY(order.rank(ascending[i - 1]) < order.rank(ascending[i]));
        QVERIFY(!order.isSame(ascending[2], ascending[3]));
    }

    void noTimeLeftIsATime()
    {
        WatchedLock lock = reentrant("lock:a");
        lock.lock.ttl = 0ms;
        lock.lock.deadline = Deadline::fromPttl(0ms, now, now);
        QCOMPARE(stateOf(lock, now), LockState::Expiring);
        QCOMPARE(ttlText(lock.lock, now), QStringLiteral("0.0 s"));
        QCOMPARE(stateOf(lock, now + 1s), LockState::Ended);
        QCOMPARE(ttlText(lock.lock, now + 1s), QStringLiteral("expired"));
    }

    /// A queue alone: nobody holds anything, and nothing ends.
    void anOrphanHasNoTimes()
    {
        WatchedLock queue = queued(endless(redisson("a", {}, "redisson-fair"_family)), {client + ":3"});
        queue.lock.owners.clear();
        queue = withProblem(queue, Problem::Orphaned);
        QCOMPARE(ttlText(queue.lock, now), QString());
        QCOMPARE(heldText(queue, now), QString());
        QVERIFY(!ttlText(endless(redisson("a")).lock, now).isEmpty());
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
        QVERIFY(ttlText(lock.lock, now).startsWith(QStringLiteral("≥ ")));
        QVERIFY(expiringTime(lock) > 0ms && expiringTime(lock) < Deadline::horizon);

        // Behind every other time, before what never ends.
        for (const Qt::SortOrder direction : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            const LockOrder order(LockColumn::Ttl, direction);
            const WatchedLock day = reentrant("lock:z", 24h);
            const WatchedLock never = endless(reentrant("lock:b"));
            const auto before = [&order](const WatchedLock &a, const WatchedLock &b) {
                return order.isBefore(order.rank(a), a, order.rank(b), b);
            };
            QCOMPARE(before(day, lock), direction == Qt::AscendingOrder);
            QCOMPARE(before(lock, never), direction == Qt::AscendingOrder);
            QCOMPARE(before(never, day), direction == Qt::DescendingOrder);
        }
    }

    void everyStateHasItsShapeAndWord()
    {
        QSet<int> shapes;
        QSet<QString> words;
        for (int i = 0; i < lockStates; ++i) {
            shapes.insert(int(stateGlyph(static_cast<LockState>(i))));
            words.insert(stateWord(static_cast<LockState>(i)));
        }
        QCOMPARE(shapes.size(), lockStates);
        QCOMPARE(words.size(), lockStates);
        QVERIFY(!words.contains(QString()));
        QVERIFY(!stateFromName("stuck"));
    }

    /// What a row's color and its last column show is also said.
    void inWords()
    {
        WatchedLock lock = listenedTo(reentrant("a"), 2); // held for 5 s
        QCOMPARE(stateInWords(lock, now), QStringLiteral("Held"));
        lock.unusualAfter = now - 1s;
        QCOMPARE(stateInWords(lock, now), QStringLiteral("Held, held unusually long"));
        QCOMPARE(stateInWords(lock, now - 2s), QStringLiteral("Held"));
        QVERIFY(problemSentences(lock, now).contains(QStringLiteral("longer than is usual")));
        QCOMPARE(problemSentences(lock, now - 2s), QString());
        QCOMPARE(stateInWords(seenWith(lock, Problem::DeadWaiter), now),
                 QStringLiteral("Held, held unusually long, dead waiter"));
        lock.lock.beside = reentrant("a").lock.beside; // nobody waits
        QCOMPARE(stateInWords(lock, now), QStringLiteral("Held"));
        QCOMPARE(stateInWords(endless(token("a")), now), QStringLiteral("No expiry"));
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

QTEST_MAIN(LockStateTest)
#include "tst_lockstate.moc"

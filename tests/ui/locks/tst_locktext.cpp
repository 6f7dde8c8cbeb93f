// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/locktext.h"

#include "core/table/lockorder.h"
#include "tests/support/familyliteral.h"
#include "tests/ui/samplelocks.h"

#include <QtTest>

using namespace lockscope;
using namespace lockscope::sample;

class LockTextTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Whatever is wrong has a word where the state is told.
    void aProblemIsTold_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problems");
        QTest::newRow("none") << redisson("a") << QStringLiteral("Held") << QString();
        QTest::newRow("the state is one")
            << stalled("a") << QStringLiteral("Stalled") << QStringLiteral("stalled");
        QTest::newRow("two") << seenWith(stalled("a"), Problem::RewrittenByOwner)
                             << QStringLiteral("Stalled +1") << QStringLiteral("stalled, rewritten");
        QTest::newRow("corrupt") << withProblem(withProblem(redisson("a"), Problem::BadCount),
                                                Problem::SeveralOwners)
                                 << QStringLiteral("Several owners +1")
                                 << QStringLiteral("invalid hold count, several owners");
        QTest::newRow("beside the state") << queued(redisson("a"), {"!x:1"}) << QStringLiteral("Dead waiter")
                                          << QStringLiteral("dead waiter");
        QTest::newRow("beside a renewal") << seenWith(renewed(redisson("a")), Problem::RewrittenByOwner)
                                          << QStringLiteral("Rewritten") << QStringLiteral("rewritten");
    }
    void aProblemIsTold()
    {
        QFETCH(WatchedLock, lock);
        QTEST(appearanceOf(lock, now).text(), "text");
        QTEST(problemsText(lock, now), "problems");
    }

    /// What differs between the owners in sight is read.
    void ownersAreToldApart()
    {
        const QStringList others{QStringLiteral("shop-api-1.prod.example.com:4711:main-15"),
                                 QStringLiteral("shop-api-1.prod.example.com:4711:main-57"),
                                 QStringLiteral("shop-api-2.prod.example.com:4711:main-57")};
        QCOMPARE(shortenedOwner(others.first(), others, 40), others.first());
        QVERIFY(shortenedOwner(others[0], others, 16).contains(QStringLiteral("main-15")));
        QVERIFY(shortenedOwner(others[1], others, 16).contains(QStringLiteral("main-57")));
        QVERIFY(shortenedOwner(others[2], others, 16).contains(QStringLiteral("2.prod")));
        for (qsizetype most = 2; most < 50; ++most)
            QVERIFY(shortenedOwner(others[2], others, most).size() <= most);
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
        QCOMPARE(ttlText(lock.lock, now), QStringLiteral("0.0 s"));
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
        QVERIFY(ttlText(lock.lock, now).startsWith(QStringLiteral("≥ ")));

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
    }

    /// What a row's color and its last column show is also said.
    void inWords()
    {
        WatchedLock lock = listenedTo(reentrant("a"), 2); // held for 5 s
        QCOMPARE(stateInWords(lock, now), QStringLiteral("Held"));
        lock.unusualAfter = now - 1s;
        QCOMPARE(stateInWords(lock, now), QStringLiteral("Held, held unusually long"));
        QCOMPARE(stateInWords(lock, now - 2s), QStringLiteral("Held"));
        QVERIFY(problemSentences(lock, now).contains(QStringLiteral("longer than usual")));
        QCOMPARE(problemSentences(lock, now - 2s), QString());
        QCOMPARE(stateInWords(seenWith(lock, Problem::DeadWaiter), now),
                 QStringLiteral("Held, held unusually long, dead waiter"));
        lock.lock.companions = reentrant("a").lock.companions; // nobody waits
        QCOMPARE(stateInWords(lock, now), QStringLiteral("Held"));
        QCOMPARE(stateInWords(endless(token("a")), now), QStringLiteral("No expiry"));
    }
};

QTEST_MAIN(LockTextTest)
#include "tst_locktext.moc"

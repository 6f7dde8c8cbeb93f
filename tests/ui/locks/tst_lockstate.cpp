// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockstate.h"

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
    }
    void state()
    {
        QFETCH(WatchedLock, lock);
        QFETCH(QByteArray, state);
        QCOMPARE(stateName(stateOf(lock, now)), state);
        QCOMPARE(stateFromName(state), stateOf(lock, now));
    }

    void noTimeLeftIsATime()
    {
        WatchedLock lock = reentrant("lock:a");
        lock.lock.ttl = 0ms;
        lock.lock.deadline = Deadline::from(0ms, now, now);
        QCOMPARE(severity(lock.lock), 2);
        QCOMPARE(stateOf(lock, now), LockState::Expiring);
        QCOMPARE(ttlText(lock.lock, now), QStringLiteral("0.0 s"));
        QCOMPARE(stateOf(lock, now + 1s), LockState::Ended);
        QCOMPARE(ttlText(lock.lock, now + 1s), QStringLiteral("ended"));
    }

    void theLongestTtlThereIs()
    {
        WatchedLock lock = reentrant("lock:a");
        lock.lock.ttl = lock.longestTtl = milliseconds::max();
        lock.lock.deadline = Deadline::from(milliseconds::max(), now, now + 5ms);
        QVERIFY(lock.lock.deadline->earliest <= lock.lock.deadline->latest);
        QCOMPARE(lock.lock.deadline->left(now), Deadline::horizon + 6ms);
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

    void leaseLeft_data()
    {
        QTest::addColumn<WatchedLock>("lock");
        QTest::addColumn<double>("left");
        QTest::newRow("half") << reentrant("a", 15s) << 0.5;
        QTest::newRow("none") << reentrant("a", 0s) << 0.0;
        QTest::newRow("no expiry") << endless(reentrant("a")) << 0.0;
        WatchedLock unknown = reentrant("a", 10s);
        unknown.longestTtl = 0ms;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readorder.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

TimePoint at(std::chrono::seconds when)
{
    return TimePoint(1h) + when;
}

KnownLock &add(KnownLocks &locks, const LockKey &key)
{
    KnownLock known;
    known.watched.lock.address.key = key;
    known.watched.lock.evidence = {Evidence::Content};
    return locks.emplace(key, known).first->second;
}

} // namespace

class TestReadOrder : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void pushedAndPolledApart()
    {
        const LockKey a("a"), b("b"), c("c");
        KnownLocks locks;
        ReadOrder order;
        QVERIFY(!order.oldest() && !order.oldestPolled());
        order.append(add(locks, a), true, at(1s));
        QVERIFY(order.oldest() == at(1s) && !order.oldestPolled());
        order.append(add(locks, b), false, at(2s));
        order.append(add(locks, c), false, at(3s));
        QVERIFY(order.oldest() == at(1s) && order.oldestPolled() == at(2s));
        QCOMPARE(order.takeDuePolled(at(3s), at(4s), 9), (QList<LockKey>{b, c}));
        QVERIFY(order.takeDuePolled(at(3s), at(4s), 9).isEmpty()); // both count as read at 4
        QCOMPARE(order.takeDue(at(3s), at(5s), 9), QList<LockKey>{a});
        QCOMPARE(order.oldest(), at(4s));
    }

    void whatIsHiddenHasItsTurnWithAll()
    {
        KnownLocks locks;
        ReadOrder order;
        KnownLock &document = add(locks, LockKey("a"));
        document.watched.lock.evidence = {};
        order.append(document, false, at(1s));
        order.append(add(locks, LockKey("b")), false, at(2s));
        QVERIFY(order.oldest() == at(2s) && order.oldestPolled() == at(2s) && order.oldest(true) == at(1s));
        QCOMPARE(order.takeDue(at(2s), at(3s), 9), QList<LockKey>{LockKey("b")});
        QCOMPARE(order.takeDue(at(2s), at(4s), 9, true), QList<LockKey>{LockKey("a")});
        document.watched.lock.evidence = {Evidence::Content}; // it is one after all
        order.remove(document);
        order.append(document, true, at(5s));
        QCOMPARE(order.takeDue(at(5s), at(6s), 9), (QList<LockKey>{LockKey("a"), LockKey("b")}));
    }

    void noMoreThanWanted()
    {
        KnownLocks locks;
        ReadOrder order;
        for (const char *name : {"a", "b", "c"})
            order.append(add(locks, LockKey(QByteArray(name))), false, at(1s));
        QCOMPARE(order.takeDue(at(1s), at(2s), 2), (QList<LockKey>{LockKey("a"), LockKey("b")}));
        QCOMPARE(order.takeDue(at(1s), at(2s), 2), QList<LockKey>{LockKey("c")});
        QVERIFY(order.takeDue(at(1s), at(2s), 2).isEmpty());
    }

    void aLockInTheMiddleGoes()
    {
        const LockKey b("b");
        KnownLocks locks;
        ReadOrder order;
        order.append(add(locks, LockKey("a")), false, at(1s));
        order.append(add(locks, b), false, at(2s));
        order.append(add(locks, LockKey("c")), false, at(3s));
        order.remove(locks.find(b)->second);
        locks.erase(b);
        QCOMPARE(order.takeDue(at(8s), at(9s), 9), (QList<LockKey>{LockKey("a"), LockKey("c")}));
    }

    /// After the feed has changed its modes, each lock keeps its place in time.
    void rebuilt()
    {
        KnownLocks locks;
        ReadOrder order;
        int second = 0;
        for (const char *name : {"a", "b", "c", "d"}) {
            KnownLock &known = add(locks, LockKey(QByteArray(name)));
            order.append(known, second % 2 == 0, at(std::chrono::seconds(second)));
            ++second;
        }
        for (auto &[key, known] : locks)
            known.isPushed = !known.isPushed;
        order.rebuild(locks);
        QVERIFY(order.oldest() == at(0s) && order.oldestPolled() == at(0s));
        QCOMPARE(order.takeDuePolled(at(8s), at(9s), 9), (QList<LockKey>{LockKey("a"), LockKey("c")}));
        order.clear();
        QVERIFY(!order.oldest());
    }
};

QTEST_GUILESS_MAIN(TestReadOrder)
#include "tst_readorder.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/lockorder.h"

#include "tests/core/history/historysample.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

using namespace lockscope;
using historysample::owner;
using historysample::start;
using Risk = OrderCycle::Risk;
using namespace std::chrono_literals;

namespace {

QByteArray idOf(int thread)
{
    return "3b2c1a09-8f7e-4d6c-9b5a-493827160504:" + QByteArray::number(thread);
}

class Told
{
public:
    Family family = "redisson"_family;

    void happened(EventKind kind, int thread, const QByteArray &lock, milliseconds unseen = {})
    {
        LockEvent event = historysample::happened(kind, m_now, {owner(idOf(thread))});
        event.address.key = LockKey(lock);
        event.family = family;
        event.unseenFor = unseen;
        LockDiff diff;
        diff.events = {event};
        m_history.apply(diff, start + m_now++);
    }
    /// Acquires these one after another, then releases them.
    void nested(int thread, const QByteArrayList &locks)
    {
        for (const QByteArray &lock : locks)
            happened(EventKind::Acquired, thread, lock);
        for (const QByteArray &lock : locks)
            happened(EventKind::Released, thread, lock);
    }
    LockOrders orders(qint64 from = 0) const
    {
        return lockOrdersIn(m_history, start + from, start + m_now + 1);
    }

private:
    LockHistory m_history{50'000'000, qint64(1) << 30};
    qint64 m_now = 0;
};

} // namespace

class LockOrderTest : public QObject
{
    Q_OBJECT

private slots:
    void oneOrderIsNoCycle()
    {
        Told told;
        told.nested(1, {"a", "b", "c"});
        told.nested(2, {"a", "c"});
        QCOMPARE(told.orders().orders, 3);
        QVERIFY(told.orders().cycles.empty());
    }

    void anInversion()
    {
        Told told;
        told.nested(1, {"a", "b"});
        told.nested(1, {"a", "b"});
        told.nested(2, {"b", "a"});
        const LockOrders found = told.orders();
        QCOMPARE(found.cycles.size(), size_t(1));
        const OrderCycle &cycle = found.cycles.front();
        QCOMPARE(cycle.risk, Risk::Deadlock);
        QCOMPARE(cycle.orders.size(), 2);
        QCOMPARE(cycle.orders[0].outer, LockKey("a"));
        QCOMPARE(cycle.orders[0].inner, LockKey("b"));
        QCOMPARE(cycle.orders[0].times, 2);
        QCOMPARE(cycle.orders[0].owner.bytes, idOf(1));
        QCOMPARE(cycle.orders[0].atMs - start, 1);
        QCOMPARE(cycle.orders[1].owner.bytes, idOf(2));
    }

    void threeInARing()
    {
        Told told;
        told.nested(1, {"a", "b"});
        told.nested(2, {"b", "c"});
        told.nested(3, {"c", "a"});
        QCOMPARE(told.orders().cycles.size(), size_t(1));
        QCOMPARE(told.orders().cycles.front().orders.size(), 3);
    }

    void aCommonOuterLockIsAGate()
    {
        Told told;
        told.nested(1, {"g", "a", "b"});
        told.nested(2, {"g", "b", "a"});
        const LockOrders found = told.orders();
        QCOMPARE(found.cycles.size(), size_t(1));
        QCOMPARE(found.cycles.front().risk, Risk::Gated);
        QCOMPARE(found.cycles.front().gate, LockKey("g"));
        told.nested(3, {"b", "a"}); // once without it
        QCOMPARE(told.orders().cycles.front().risk, Risk::Deadlock);
    }

    void oneThreadDoesNotMeetItself()
    {
        Told told;
        told.nested(1, {"a", "b"});
        told.nested(1, {"b", "a"});
        QCOMPARE(told.orders().cycles.front().risk, Risk::TooFewThreads);
    }

    /// More threads would not meet either.
    void oneThreadWithinAGate()
    {
        Told told;
        told.nested(1, {"g", "a", "b"});
        told.nested(1, {"g", "b", "a"});
        QCOMPARE(told.orders().cycles.front().risk, Risk::Gated);
        told.nested(1, {"b", "a"});
        QCOMPARE(told.orders().cycles.front().risk, Risk::TooFewThreads);
    }

    /// Two readers hold the outer lock at the same time.
    void aSharedLockIsNoGate()
    {
        Told told;
        told.family = "redisson-read-write"_family;
        told.nested(1, {"g", "a", "b"});
        told.nested(2, {"g", "b", "a"});
        QCOMPARE(told.orders().cycles.front().risk, Risk::Deadlock);
    }

    /// Which of them was acquired first between two readings is not known.
    void betweenTwoReadings()
    {
        Told told;
        told.happened(EventKind::Acquired, 1, "z"); // the first of the history
        told.happened(EventKind::Acquired, 1, "a", 1'000ms);
        told.happened(EventKind::Acquired, 1, "b", 1'000ms);
        QCOMPARE(told.orders().orders, 0);
        told.happened(EventKind::Acquired, 1, "c");
        QCOMPARE(told.orders().orders, 3);
    }

    /// An outer lock that was released before the period would not be known as a gate.
    void ordersBeforeThePeriod()
    {
        Told told;
        for (const char *lock : {"g", "a", "b"})
            told.happened(EventKind::Acquired, 1, lock);
        told.happened(EventKind::Released, 1, "g");
        QCOMPARE(told.orders().orders, 3);
        QCOMPARE(told.orders(4).orders, 0);
    }

    /// 50 inversions and 20 gated ones among nested locks without any.
    void manyLocks()
    {
        Told told;
        for (int i = 0; i < 20'000; ++i) {
            const QByteArray n = QByteArray::number(i % 500);
            told.nested(i % 40, {"outer:" + n, "inner:" + QByteArray::number(i % 700)});
            if (i % 400 == 0)
                told.nested(1, {"x:" + n, "y:" + n});
            if (i % 400 == 1)
                told.nested(
                    2, {"y:" + QByteArray::number((i - 1) % 500), "x:" + QByteArray::number((i - 1) % 500)});
        }
        const LockOrders found = told.orders();
        QCOMPARE(found.cycles.size(), size_t(5)); // 0, 100, … 400
        for (const OrderCycle &each : found.cycles)
            QCOMPARE(each.risk, Risk::Deadlock);
    }
};

QTEST_GUILESS_MAIN(LockOrderTest)
#include "tst_lockorder.moc"

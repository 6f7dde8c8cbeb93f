// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/orderwatch.h"

#include "tests/core/history/historysample.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace lockscope;
using namespace std::chrono_literals;
using historysample::start;

namespace {

const TimePoint origin = TimePoint() + 1000h;

QByteArray idOf(int thread)
{
    return "3b2c1a09-8f7e-4d6c-9b5a-493827160504:" + QByteArray::number(thread);
}

/// Locks as a monitor would tell of them, to an OrderWatch and to a history.
class World
{
public:
    void pass(milliseconds time) { m_now += time; }
    void acquire(int thread, const QByteArray &lock, EventKind kind = EventKind::Acquired)
    {
        m_holders[lock] = thread;
        LockDiff diff = change(lock, {});
        diff.events = {event(kind, thread, lock)};
        take(diff);
    }
    void release(const QByteArray &lock)
    {
        LockDiff diff;
        diff.removed = {LockKey(lock)};
        diff.events = {event(EventKind::Released, m_holders.take(lock), lock)};
        take(diff);
    }
    void wait(int thread, const QByteArray &lock) { take(change(lock, {thread})); }
    void waitNoMore(const QByteArray &lock) { take(change(lock, {})); }

    OrderWatch watch;
    QByteArrayList found; ///< "a|b"
    const LockHistory &history() const { return m_history; }
    qint64 nowMs() const { return start + m_now.count(); }

private:
    LockEvent event(EventKind kind, int thread, const QByteArray &lock) const
    {
        LockEvent told = historysample::happened(kind, m_now.count(), {historysample::owner(idOf(thread))});
        told.address.key = LockKey(lock);
        told.family = "redisson-fair"_family;
        told.at = origin + m_now;
        return told;
    }
    LockDiff change(const QByteArray &name, const QList<int> &queue) const
    {
        QList<QByteArray> ids;
        for (const int waiter : queue)
            ids << idOf(waiter);
        WatchedLock lock =
            historysample::waitedOn(ids, -1, WaiterCertainty::Exact, idOf(m_holders.value(name)));
        lock.lock.family = "redisson-fair"_family;
        lock.lock.type = KeyType::Hash;
        lock.lock.address.key = LockKey(name);
        LockDiff diff;
        diff.changed = {lock};
        return diff;
    }
    void take(const LockDiff &diff)
    {
        m_history.apply(diff, nowMs());
        for (const Inversion &each : watch.take(diff, origin + m_now))
            found << each.first.bytes + '|' + each.second.bytes;
    }

    milliseconds m_now{0};
    QHash<QByteArray, int> m_holders;
    LockHistory m_history;
};

/// One thread takes both locks for a second each.
void take(World &world, int thread, const QByteArray &outer, const QByteArray &inner, milliseconds both = 1s)
{
    world.acquire(thread, outer);
    world.pass(1s);
    world.acquire(thread, inner);
    world.pass(both);
    world.release(inner);
    world.release(outer);
    world.pass(1s);
}

} // namespace

class OrderWatchTest : public QObject
{
    Q_OBJECT

private slots:
    void oppositeOrdersAreToldOnce()
    {
        World world;
        take(world, 1, "a", "b");
        QCOMPARE(world.found, QByteArrayList());
        take(world, 1, "b", "a"); // one thread does not meet itself
        QCOMPARE(world.found, QByteArrayList());
        take(world, 2, "b", "a");
        QCOMPARE(world.found, QByteArrayList({"b|a"}));
        take(world, 3, "b", "a");
        take(world, 3, "a", "b");
        QCOMPARE(world.found.size(), 1);
    }
    void aCommonOuterLockKeepsThemApart()
    {
        World world;
        for (const auto &[thread, outer, inner] : {std::tuple(1, "a", "b"), std::tuple(2, "b", "a")}) {
            world.acquire(thread, "gate");
            world.pass(1s);
            take(world, thread, outer, inner);
            world.release("gate");
        }
        QCOMPARE(world.found, QByteArrayList());
        take(world, 2, "b", "a");
        QCOMPARE(world.found, QByteArrayList({"b|a"}));
    }
    void aWaitIsAnOrderToo()
    {
        World world;
        take(world, 1, "a", "b");
        world.acquire(2, "b");
        world.acquire(3, "a");
        world.pass(1s);
        world.wait(2, "a");
        world.pass(1s);
        QCOMPARE(world.found, QByteArrayList());
        world.waitNoMore("a");
        QCOMPARE(world.found, QByteArrayList({"b|a"}));
    }
    void whatIsTooShortIsNotTold()
    {
        World world;
        take(world, 1, "a", "b");
        take(world, 2, "b", "a", milliseconds(OrderCycle::sureMs - 1));
        QCOMPARE(world.found, QByteArrayList());
        take(world, 2, "b", "a", milliseconds(OrderCycle::sureMs));
        QCOMPARE(world.found.size(), 1);
    }
    void whatWasFoundHasNoOrder()
    {
        World world;
        take(world, 1, "a", "b");
        world.acquire(2, "b", EventKind::Found);
        world.pass(1s);
        world.acquire(2, "a", EventKind::Found);
        world.pass(1s);
        world.release("a");
        world.release("b");
        QCOMPARE(world.found, QByteArrayList());
    }
    void afterAGapHoldsAreUnknown()
    {
        World world;
        take(world, 1, "a", "b");
        world.acquire(2, "b");
        world.pass(1s);
        world.watch.take(MonitorEventKind::FeedGap);
        world.acquire(2, "a");
        world.pass(1s);
        world.release("a");
        QCOMPARE(world.found, QByteArrayList());
    }

    /// The same inversions as a whole history tells of, over random nests of locks.
    void itAgreesWithTheHistory()
    {
        int inversions = 0;
        for (quint32 seed = 0; seed < 3'000; ++seed) {
            std::mt19937 random(seed);
            World world;
            std::map<int, QByteArrayList> held;
            std::set<QByteArray> taken;
            const auto release = [&](int thread) {
                world.release(held[thread].last());
                taken.erase(held[thread].takeLast());
            };
            for (int step = 0; step < 30; ++step) {
                const int thread = 1 + int(random() % 3);
                const QByteArray lock(1, char('a' + random() % 4));
                world.pass(milliseconds(300 + random() % 100));
                if (random() % 3 == 0 && !held[thread].isEmpty()) {
                    release(thread);
                } else if (taken.insert(lock).second) {
                    world.acquire(thread, lock);
                    held[thread] << lock;
                }
            }
            for (auto &[thread, locks] : held) {
                world.pass(300ms);
                while (!locks.isEmpty())
                    release(thread);
            }
            std::set<QByteArrayList> expected, found;
            for (const OrderCycle &cycle : lockOrdersIn(world.history(), start, world.nowMs() + 1).cycles) {
                if (cycle.orders.size() != 2 || cycle.risk != OrderCycle::Risk::Deadlock)
                    continue;
                QByteArrayList pair{cycle.orders[0].outer.bytes, cycle.orders[1].outer.bytes};
                std::ranges::sort(pair);
                expected.insert(pair);
            }
            for (const QByteArray &each : world.found) {
                QByteArrayList pair = each.split('|');
                std::ranges::sort(pair);
                QVERIFY2(found.insert(pair).second, each.constData());
            }
            inversions += int(expected.size());
            QVERIFY2(found == expected, qPrintable(QStringLiteral("seed %1").arg(seed)));
        }
        QVERIFY2(inversions > 200, qPrintable(QString::number(inversions)));
    }
};

QTEST_GUILESS_MAIN(OrderWatchTest)
#include "tst_orderwatch.moc"

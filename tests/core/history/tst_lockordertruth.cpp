// SPDX-License-Identifier: GPL-3.0-or-later
// Random small histories of a few locks and threads: the orders of locks, and how they contradict, found again by trying
// everything.
#include "core/history/lockorder.h"
#include "tests/core/history/historysample.h"
#include "tests/support/familyliteral.h"

#include <QtTest>

#include <map>
#include <random>
#include <set>
#include <utility>

using namespace lockscope;
using historysample::owner;
using historysample::start;
using namespace std::chrono_literals;
using Risk = OrderCycle::Risk;

namespace {

constexpr int lockCount = 5;
constexpr int threadCount = 4;
constexpr int histories = 2'500;

QByteArray idOf(int thread)
{
    return "3b2c1a09-8f7e-4d6c-9b5a-493827160504:" + QByteArray::number(thread);
}

using Pair = std::pair<int, int>;          ///< outer and inner lock
using Way = std::pair<std::set<int>, int>; ///< what else was held, and the thread

struct Seen
{
    qint64 times = 0;
    std::set<Way> ways;
};

/// Threads that acquire locks at random, and what a watcher may know of their orders.
class World
{
public:
    World(quint32 seed, int from) : m_random(seed), m_from(from)
    {
        for (int i = 0; i < 45; ++i) {
            if (!chance(25))
                pass(1 + below(9));
            step(1 + below(threadCount), below(lockCount));
        }
        pass(0);
    }

    const LockHistory &history() const { return m_history; }
    int now() const { return m_now; }
    const std::map<Pair, Seen> &orders() const { return m_orders; }

private:
    struct Hold
    {
        int thread = 0;
        int from = 0;
        int count = 1;
    };

    int below(int most) { return int(m_random() % quint32(most)); }
    bool chance(int percent) { return below(100) < percent; }

    void step(int thread, int lock)
    {
        const bool isHeld = m_holds.contains(lock), isWaiting = m_waits.contains(thread);
        if (isWaiting) {
            const int awaited = m_waits.value(thread);
            if (chance(20)) { // gives up
                m_waits.remove(thread);
                if (m_waitsFrom[thread] >= m_from)
                    m_gaveUp[thread] = {awaited, m_now};
                tellQueue(awaited);
            } else if (!m_holds.contains(awaited)) {
                acquire(thread, awaited, true);
            }
        } else if (!isHeld) {
            acquire(thread, lock, false);
        } else if (m_holds[lock].thread != thread) {
            see(thread, lock, m_now);
            m_waits.insert(thread, lock);
            m_waitsFrom[thread] = m_now;
            tellQueue(lock);
        } else if (chance(25)) {
            ++m_holds[lock].count;
            tell(EventKind::Reentered, lock, 0ms);
        } else {
            tell(EventKind::Released, lock, 0ms);
            m_holds.remove(lock);
        }
    }

    void acquire(int thread, int lock, bool hasWaited)
    {
        const int last = m_lastEvent.value(lock, 0);
        const int unseen = chance(30) ? std::min(1 + below(12), m_now - last) : 0;
        m_holds.insert(lock, {thread, m_now});
        if (!hasWaited || m_waitsFrom[thread] < m_from)
            see(thread, lock, m_now - unseen);
        tell(EventKind::Acquired, lock, milliseconds(unseen));
        if (m_waits.remove(thread))
            tellQueue(lock);
    }

    /// The thread acquired or awaits the lock now, and did so after `sure`.
    void see(int thread, int lock, int sure)
    {
        if (m_now >= m_from && m_gaveUp.value(thread) != Pair(lock, m_now)) // or it still waited for it
            m_seen.append({thread, lock, sure});
    }

    /// What a thread released in the same ms may have been released before.
    void pass(int ms)
    {
        for (const auto &[thread, lock, sure] : std::exchange(m_seen, {})) {
            std::set<int> around;
            for (auto hold = m_holds.cbegin(); hold != m_holds.cend(); ++hold) {
                if (hold->thread == thread && hold.key() != lock && hold->from < sure)
                    around.insert(hold.key());
            }
            for (const int outer : around) {
                std::set<int> gates = around;
                gates.erase(outer);
                Seen &seen = m_orders[{outer, lock}];
                ++seen.times;
                seen.ways.insert({gates, thread});
            }
        }
        m_now += ms;
    }

    void tell(EventKind kind, int lock, milliseconds unseen)
    {
        const Hold hold = m_holds.value(lock);
        LockEvent event = historysample::happened(kind, m_now, {owner(idOf(hold.thread), hold.count)});
        event.address.key = LockKey(QByteArray::number(lock));
        event.family = "redisson-fair"_family;
        event.unseenFor = unseen;
        m_history.apply(historysample::events({event}), start + m_now);
        m_lastEvent[lock] = m_now;
    }
    void tellQueue(int lock)
    {
        QByteArrayList ids;
        for (auto wait = m_waits.cbegin(); wait != m_waits.cend(); ++wait) {
            if (*wait == lock)
                ids << idOf(wait.key());
        }
        WatchedLock watched =
            historysample::waitedOn(ids, -1, WaiterCertainty::Exact, idOf(m_holds.value(lock).thread));
        watched.lock.address.key = LockKey(QByteArray::number(lock));
        watched.lock.family = "redisson-fair"_family;
        LockDiff diff;
        diff.changed = {watched};
        m_history.apply(diff, start + m_now);
    }

    std::mt19937 m_random;
    const int m_from;
    int m_now = 1;
    LockHistory m_history;
    QMap<int, Hold> m_holds;
    QMap<int, int> m_waits; ///< by thread
    QHash<int, int> m_waitsFrom;
    QHash<int, Pair> m_gaveUp; ///< lock and time
    QHash<int, int> m_lastEvent;
    QList<std::tuple<int, int, int>> m_seen; ///< in this ms
    std::map<Pair, Seen> m_orders;
};

/// Tries all ways of all orders.
bool canMeet(const World &world, const QList<Pair> &cycle, bool areThreads, QList<Way> ways = {})
{
    if (ways.size() == cycle.size())
        return true;
    return std::ranges::any_of(world.orders().at(cycle[ways.size()]).ways, [&](const Way &way) {
        const bool fits = std::ranges::all_of(ways, [&](const Way &each) {
            return (!areThreads || each.second != way.second) &&
                   std::ranges::none_of(each.first, [&](int gate) { return way.first.contains(gate); });
        });
        return fits && canMeet(world, cycle, areThreads, ways + QList{way});
    });
}

Risk riskOf(const World &world, const QList<Pair> &cycle)
{
    return canMeet(world, cycle, true)    ? Risk::Deadlock
           : canMeet(world, cycle, false) ? Risk::TooFewThreads
                                          : Risk::Gated;
}

/// All simple cycles, each from its least lock on.
void findCycles(const World &world, QList<Pair> path, std::set<QList<Pair>> &cycles)
{
    for (const auto &[order, seen] : world.orders()) {
        const auto &[outer, inner] = order;
        if (!path.isEmpty() && outer != path.last().second)
            continue;
        const int first = path.isEmpty() ? outer : path.first().first;
        const bool isKnown =
            std::ranges::any_of(path, [&](const Pair &each) { return each.second == inner; });
        if (inner == first && !path.isEmpty())
            cycles.insert(path + QList{order});
        else if (inner > first && !isKnown)
            findCycles(world, path + QList{order}, cycles);
    }
}

} // namespace

class LockOrderTruthTest : public QObject
{
    Q_OBJECT

private slots:
    void ordersAreTheTruth()
    {
        std::map<Risk, int> risks;
        int unfound = 0;
        for (quint32 seed = 0; seed < histories; ++seed) {
            const int from = seed % 3 == 0 ? 40 : 0;
            const World world(seed, from);
            const LockOrders found = lockOrdersIn(world.history(), start + from, start + world.now() + 1);
            const QByteArray context = "seed " + QByteArray::number(seed);
            QCOMPARE(found.orders, qint64(world.orders().size()));
            std::set<QList<Pair>> cycles, told;
            findCycles(world, {}, cycles);
            std::map<Pair, qsizetype> shortest;
            for (const OrderCycle &each : found.cycles) {
                QList<Pair> cycle;
                for (const NestedPair &order : each.orders) {
                    cycle << Pair{order.outer.bytes.toInt(), order.inner.bytes.toInt()};
                    QVERIFY2(world.orders().contains(cycle.last()), context);
                    QCOMPARE(order.times, world.orders().at(cycle.last()).times);
                }
                std::ranges::rotate(cycle, std::ranges::min_element(cycle));
                QVERIFY2(cycles.contains(cycle), context);
                QVERIFY2(told.insert(cycle).second, context);
                QVERIFY2(each.risk == riskOf(world, cycle), context);
                QCOMPARE(each.gate.isEmpty(), each.risk != Risk::Gated);
                ++risks[each.risk];
                for (const Pair &order : cycle)
                    shortest[order] = std::min(shortest.try_emplace(order, 9).first->second, cycle.size());
            }
            // Each that contradicts others is told in one of its shortest cycles.
            bool isDangerous = false, isTold = false;
            for (const QList<Pair> &cycle : cycles) {
                QVERIFY2(cycle.size() > 2 || told.contains(cycle), context);
                for (const Pair &order : cycle)
                    QVERIFY2(shortest.contains(order) && shortest[order] <= cycle.size(), context);
                isDangerous = isDangerous || riskOf(world, cycle) == Risk::Deadlock;
            }
            for (const QList<Pair> &cycle : told)
                isTold = isTold || riskOf(world, cycle) == Risk::Deadlock;
            unfound += isDangerous && !isTold;
        }
        qInfo() << risks[Risk::Deadlock] << risks[Risk::TooFewThreads] << risks[Risk::Gated] << unfound;
        QVERIFY(risks[Risk::Deadlock] > 500 && risks[Risk::TooFewThreads] > 50 && risks[Risk::Gated] > 50);
    }
};

QTEST_GUILESS_MAIN(LockOrderTruthTest)
#include "tst_lockordertruth.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/lockorder.h"

#include "core/family/ownerfacts.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <deque>
#include <utility>

namespace lockscope {

namespace {

constexpr size_t mostWays = 16;      ///< remembered for one order
constexpr qsizetype mostThreads = 8; ///< remembered for one way
constexpr size_t longestCycle = 8;
constexpr qint64 mostStays = 50'000'000;

using LockNumber = quint32;

/// A hold or wait of a thread.
struct Stay
{
    qint64 fromMs = 0;
    qint64 toMs = 0;
    LockNumber lock = 0;
    quint32 owner = 0;
    bool isWait = false;
    bool begins = false; ///< seen; false: found, or goes on
};

/// How an order was seen: what else was held, and by which threads.
struct Way
{
    QList<LockNumber> gates; ///< sorted
    QList<int> threads;
    quint32 owner = 0;
    qint64 atMs = 0;
};

struct Order
{
    qint64 times = 0;
    std::vector<Way> ways;
    bool isWhole = true; ///< all ways are remembered
};

using Pair = std::pair<LockNumber, LockNumber>;

class Orders
{
public:
    explicit Orders(const LockHistory &history) : m_history(history) {}

    void gather(qint64 fromMs, qint64 toMs)
    {
        m_history.visitStays(fromMs, toMs, toMs, mostStays,
                             [this](const LockKey &key, const HistorySlice &slice) { take(key, slice); });
        for (auto &stays : m_stays)
            follow(stays);
    }

    LockOrders result()
    {
        LockOrders found;
        found.orders = m_orders.size();
        prune();
        QSet<QList<LockNumber>> known;
        for (auto order = m_orders.cbegin(); order != m_orders.cend(); ++order) {
            QList<LockNumber> cycle = wayBack(order.key());
            if (cycle.isEmpty())
                continue;
            std::ranges::rotate(cycle, std::ranges::min_element(cycle));
            if (known.contains(cycle))
                continue;
            known.insert(cycle);
            found.cycles.push_back(told(cycle));
        }
        std::ranges::sort(found.cycles, {}, [](const OrderCycle &each) {
            return std::tuple(each.risk, each.orders.size(), each.orders.first().outer);
        });
        return found;
    }

private:
    void take(const LockKey &key, const HistorySlice &slice)
    {
        if (slice.detail != 0 && slice.kind == SliceKind::Wait) // dead
            return;
        LockNumber lock = m_numbers.value(key, LockNumber(m_locks.size()));
        if (lock == m_locks.size()) {
            m_numbers.insert(key, lock);
            m_locks.push_back(key);
        }
        const Family family = m_history.store().at(key).family;
        const auto known = m_threadsByOwner.constFind({slice.value, family.index()});
        int thread = known == m_threadsByOwner.cend() ? -1 : *known;
        if (known == m_threadsByOwner.cend()) {
            const QByteArray identity = threadIdentity(family, m_history.store().owner(slice.value));
            if (!identity.isEmpty()) {
                thread = m_threads.value(identity, int(m_stays.size()));
                m_threads.insert(identity, thread);
                if (thread == int(m_stays.size()))
                    m_stays.emplace_back();
            }
            m_threadsByOwner.insert({slice.value, family.index()}, thread);
        }
        if (thread < 0)
            return;
        const bool begins = slice.begin == SliceBegin::Seen || slice.begin == SliceBegin::OwnerChanged;
        m_stays[size_t(thread)].push_back(
            {slice.fromMs, slice.toMs, lock, slice.value, slice.kind == SliceKind::Wait, begins});
    }

    /// Adds the orders of a thread.
    void follow(std::vector<Stay> &stays)
    {
        const int thread = int(&stays - m_stays.data());
        std::ranges::stable_sort(stays, {},
                                 [](const Stay &each) { return std::pair(each.fromMs, !each.isWait); });
        std::vector<const Stay *> held;
        QSet<LockNumber> awaited; // and not acquired yet: its order is known already
        for (const Stay &stay : stays) {
            std::erase_if(held, [&](const Stay *each) { return each->toMs <= stay.fromMs; });
            const bool wasAwaited = !stay.isWait && awaited.remove(stay.lock);
            if (stay.begins && !wasAwaited)
                add(held, stay, thread);
            if (stay.isWait && stay.begins)
                awaited.insert(stay.lock);
            if (!stay.isWait)
                held.push_back(&stay);
        }
    }

    void add(const std::vector<const Stay *> &held, const Stay &stay, int thread)
    {
        QList<LockNumber> around;
        for (const Stay *each : held) {
            if (each->lock != stay.lock && each->fromMs < stay.fromMs && !around.contains(each->lock))
                around.append(each->lock);
        }
        std::ranges::sort(around);
        for (const LockNumber outer : std::as_const(around)) {
            QList<LockNumber> gates = around;
            gates.removeOne(outer);
            Order &order = m_orders[{outer, stay.lock}];
            if (order.times++ == 0)
                m_inner[outer].append(stay.lock);
            auto way = std::ranges::find(order.ways, gates, &Way::gates);
            if (way == order.ways.end()) {
                if (order.ways.size() == mostWays) {
                    order.isWhole = false;
                    continue;
                }
                way = order.ways.insert(order.ways.end(), {gates, {}, stay.owner, stay.fromMs});
            }
            if (way->threads.size() < mostThreads && !way->threads.contains(thread))
                way->threads.append(thread);
        }
    }

    /// Leaves out locks that are in no cycle, since nothing leads to them or from them.
    void prune()
    {
        QHash<LockNumber, QList<LockNumber>> outer;
        for (auto order = m_orders.keyBegin(); order != m_orders.keyEnd(); ++order)
            outer[order->second].append(order->first);
        const auto drop = [](auto &ahead, auto &back) {
            QList<LockNumber> ends;
            for (auto lock = back.keyBegin(); lock != back.keyEnd(); ++lock) {
                if (ahead.value(*lock).isEmpty())
                    ends.append(*lock);
            }
            while (!ends.isEmpty()) {
                const LockNumber end = ends.takeLast();
                ahead.remove(end);
                const QList<LockNumber> before = back.take(end);
                for (const LockNumber each : before) {
                    QList<LockNumber> &rest = ahead[each];
                    rest.removeOne(end);
                    if (rest.isEmpty())
                        ends.append(each);
                }
            }
        };
        drop(m_inner, outer);
        drop(outer, m_inner);
    }

    /// The locks of a shortest cycle with this order, in order; empty: none.
    QList<LockNumber> wayBack(const Pair &order) const
    {
        const auto &[outer, inner] = order;
        QHash<LockNumber, std::pair<LockNumber, size_t>> from{
            {inner, {inner, 1}}}; // and the length up to there
        std::deque<LockNumber> next{inner};
        while (!next.empty() && !from.contains(outer)) {
            const LockNumber lock = next.front();
            next.pop_front();
            const size_t length = from.value(lock).second + 1;
            if (length > longestCycle)
                break;
            for (const LockNumber each : m_inner.value(lock)) {
                if (!from.contains(each)) {
                    from.insert(each, {lock, length});
                    next.push_back(each);
                }
            }
        }
        QList<LockNumber> cycle;
        if (!from.contains(outer))
            return cycle;
        for (LockNumber lock = outer; lock != inner; lock = from.value(lock).first)
            cycle.prepend(lock);
        cycle.prepend(inner);
        return cycle;
    }

    static bool areApart(const QList<LockNumber> &a, const QList<LockNumber> &b)
    {
        return std::ranges::none_of(a, [&b](LockNumber gate) { return b.contains(gate); });
    }

    /// Chooses a way for each order, from `ways.size()` on: each by a thread of its own and, unless `anyGate`, no two
    /// with a common gate.
    static bool canMeet(const std::vector<const Order *> &orders, bool anyGate,
                        std::vector<const Way *> &ways, QList<int> &threads)
    {
        if (ways.size() == orders.size())
            return true;
        for (const Way &way : orders[ways.size()]->ways) {
            if (!anyGate && !std::ranges::all_of(
                                ways, [&way](const Way *each) { return areApart(each->gates, way.gates); }))
                continue;
            for (const int thread : way.threads) {
                if (threads.contains(thread))
                    continue;
                ways.push_back(&way);
                threads.append(thread);
                if (canMeet(orders, anyGate, ways, threads))
                    return true;
                ways.pop_back();
                threads.removeLast();
            }
        }
        return false;
    }

    OrderCycle told(const QList<LockNumber> &locks) const
    {
        std::vector<const Order *> orders;
        bool isWhole = true;
        for (qsizetype i = 0; i < locks.size(); ++i) {
            orders.push_back(&*m_orders.constFind({locks[i], locks[(i + 1) % locks.size()]}));
            isWhole = isWhole && orders.back()->isWhole;
        }
        using Risk = OrderCycle::Risk;
        OrderCycle cycle;
        std::vector<const Way *> ways;
        QList<int> threads;
        bool meets = canMeet(orders, false, ways, threads);
        if (!meets && canMeet(orders, true, ways, threads)) {
            meets = true;
            cycle.risk = isWhole ? Risk::Gated : Risk::Deadlock;
            cycle.gate = isWhole ? commonGate(ways) : LockKey();
        } else if (!meets) {
            cycle.risk = Risk::TooFewThreads;
        }
        for (size_t i = 0; i < orders.size(); ++i) {
            const Way &way = meets ? *ways[i] : orders[i]->ways.front();
            cycle.orders.append({m_locks[locks[qsizetype(i)]],
                                 m_locks[locks[qsizetype(i + 1) % locks.size()]], orders[i]->times,
                                 m_history.store().owner(way.owner), way.atMs});
        }
        return cycle;
    }

    LockKey commonGate(const std::vector<const Way *> &ways) const
    {
        for (size_t i = 0; i < ways.size(); ++i) {
            for (size_t j = i + 1; j < ways.size(); ++j) {
                for (const LockNumber gate : ways[i]->gates) {
                    if (ways[j]->gates.contains(gate))
                        return m_locks[gate];
                }
            }
        }
        return {};
    }

    const LockHistory &m_history;
    QHash<LockKey, LockNumber> m_numbers;
    std::vector<LockKey> m_locks;
    QHash<std::pair<quint32, int>, int> m_threadsByOwner; ///< -1: without identity
    QHash<QByteArray, int> m_threads;
    std::vector<std::vector<Stay>> m_stays; ///< by thread
    QHash<Pair, Order> m_orders;
    QHash<LockNumber, QList<LockNumber>> m_inner;
};

} // namespace

LockOrders lockOrdersIn(const LockHistory &history, qint64 fromMs, qint64 toMs)
{
    Orders orders(history);
    orders.gather(fromMs, toMs);
    return orders.result();
}

} // namespace lockscope

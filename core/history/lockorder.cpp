// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/lockorder.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"

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
constexpr int mostSteps = 100'000; ///< to choose ways that meet

using LockNumber = quint32;

/// A hold or wait of a thread, in ms from the base of the history.
struct Stay
{
    quint32 from = 0;
    quint32 to = 0;
    quint32 sureFrom = 0; ///< it began at `from`, or since then
    LockNumber lock = 0;
    quint32 owner = 0;
    bool isWait = false;
    bool begins = false; ///< seen, in the period; false: found, or goes on
};

/// How an order was seen: what else was held, and by which threads.
struct Way
{
    QList<LockNumber> gates; ///< sorted
    QList<int> threads;
    quint32 owner = 0;
    quint32 at = 0;
    quint32 together = 0; ///< the longest time with both locks, or with one while waiting for the other
};

struct Order
{
    qint64 times = 0;
    std::vector<Way> ways;
    bool isWhole = true; ///< all ways are remembered
};

using Pair = std::pair<LockNumber, LockNumber>;

/// Chooses a way for each order, no two with a common gate; each by a thread of its own if `areThreads`.
class Meeting
{
public:
    Meeting(const std::vector<const Order *> &orders, bool areThreads)
        : m_orders(orders), m_areThreads(areThreads)
    {
    }

    std::vector<const Way *> ways;
    bool isTooMuch() const { return m_steps > mostSteps; } ///< what find() said means nothing

    bool find()
    {
        if (ways.size() == m_orders.size())
            return true;
        for (const Way &way : m_orders[ways.size()]->ways) {
            const auto isApart = [&way](const Way *each) {
                return std::ranges::none_of(each->gates,
                                            [&way](LockNumber gate) { return way.gates.contains(gate); });
            };
            if (++m_steps > mostSteps || !std::ranges::all_of(ways, isApart))
                continue;
            ways.push_back(&way);
            if (findThread(way))
                return true;
            ways.pop_back();
        }
        return false;
    }

private:
    bool findThread(const Way &way)
    {
        if (!m_areThreads)
            return find();
        for (const int thread : way.threads) {
            if (m_threads.contains(thread))
                continue;
            m_threads.append(thread);
            if (find())
                return true;
            m_threads.removeLast();
        }
        return false;
    }

    const std::vector<const Order *> &m_orders;
    const bool m_areThreads;
    QList<int> m_threads;
    int m_steps = 0;
};

class Orders
{
public:
    explicit Orders(const LockHistory &history) : m_history(history) {}

    void gather(qint64 fromMs, qint64 toMs)
    {
        const SliceStore &store = m_history.store();
        // Of what was dropped before, gates may be missing.
        const quint32 from = store.fromBase(std::max(fromMs, m_history.firstMs())), to = store.fromBase(toMs);
        for (const SliceLane &lane : store.lanes()) {
            m_locks.push_back(lane.key);
            m_isShared.push_back(lane.holdRows > 1 || specOf(lane.family).severalOwners);
            for (const SliceTrack &track : lane.tracks) {
                if (track.kind() == SliceKind::Hold || track.kind() == SliceKind::Wait)
                    take(lane, track, from, to);
            }
        }
        for (auto &stays : m_stays)
            follow(stays);
    }

    LockOrders result()
    {
        LockOrders found;
        found.orders = m_orders.size();
        found.nameless = m_nameless.size();
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
    void take(const SliceLane &lane, const SliceTrack &track, quint32 from, quint32 to)
    {
        const bool isWait = track.kind() == SliceKind::Wait;
        const SliceTrack *unseen = lane.find(SliceKind::Unknown, 0);
        const auto lock = LockNumber(m_locks.size() - 1);
        for (size_t i = track.firstEndingAfter(from); i < track.size() && track.at(i).from < to; ++i) {
            const SliceRecord &record = track.at(i);
            const int thread =
                isWait && record.detail != 0 ? -1 : threadOf(lane.family, record.value); // dead
            if (thread < 0 && !isWait)
                m_nameless.insert(lock);
            if (thread < 0)
                continue;
            std::vector<Stay> &stays = m_stays[size_t(thread)];
            if (record.isSameHold() && !stays.empty() && stays.back().lock == lock &&
                stays.back().to == record.from) {
                stays.back().to = record.to;
                continue;
            }
            const bool begins = record.begin == SliceBegin::Seen || record.begin == SliceBegin::OwnerChanged;
            stays.push_back({.from = record.isSameHold() ? 0 : record.from,
                             .to = record.to,
                             .sureFrom = isWait ? record.from : sureBegin(unseen, record.from),
                             .lock = lock,
                             .owner = record.value,
                             .isWait = isWait,
                             .begins = begins && record.from >= from});
        }
    }

    /// -1: without identity.
    int threadOf(Family family, quint32 owner)
    {
        const auto known = m_threadsByOwner.constFind({owner, family.index()});
        if (known != m_threadsByOwner.cend())
            return *known;
        const QByteArray identity = threadIdentity(family, m_history.store().owner(owner));
        int thread = -1;
        if (!identity.isEmpty()) {
            thread = m_threads.value(identity, int(m_stays.size()));
            m_threads.insert(identity, thread);
            if (thread == int(m_stays.size()))
                m_stays.emplace_back();
        }
        m_threadsByOwner.insert({owner, family.index()}, thread);
        return thread;
    }

    /// Since when what was seen at that reading may have been: since the one before it.
    static quint32 sureBegin(const SliceTrack *unseen, quint32 at)
    {
        if (!unseen || at == 0)
            return at;
        const size_t i = unseen->firstEndingAfter(at - 1);
        return i < unseen->size() && unseen->at(i).to == at ? unseen->at(i).from : at;
    }

    /// Adds the orders of a thread.
    void follow(std::vector<Stay> &stays)
    {
        const int thread = int(&stays - m_stays.data());
        std::ranges::stable_sort(
            stays, {}, [](const Stay &each) { return std::tuple(each.from, !each.isWait, !each.begins); });
        std::vector<const Stay *> held;
        QHash<LockNumber, quint32> awaited; // until when: its order is known already
        for (const Stay &stay : stays) {
            std::erase_if(held, [&](const Stay *each) { return each->to <= stay.from; });
            const auto wait = awaited.find(stay.lock);
            const bool wasAwaited = wait != awaited.end() && *wait >= stay.from;
            if ((stay.begins && !wasAwaited) || (!stay.isWait && wasAwaited))
                add(held, stay, thread, !wasAwaited);
            if (stay.isWait && (stay.begins || wasAwaited))
                awaited.insert(stay.lock, wasAwaited ? std::max(*wait, stay.to) : stay.to);
            else if (wait != awaited.end())
                awaited.erase(wait);
            if (!stay.isWait)
                held.push_back(&stay);
        }
    }

    /// `isNew`: false if its wait was added.
    void add(const std::vector<const Stay *> &held, const Stay &stay, int thread, bool isNew)
    {
        QList<LockNumber> around;
        QHash<LockNumber, quint32> until;
        for (const Stay *each : held) {
            if (each->lock != stay.lock && each->from < stay.sureFrom && !around.contains(each->lock))
                around.append(each->lock);
            until[each->lock] = std::max(until.value(each->lock), each->to);
        }
        std::ranges::sort(around);
        for (const LockNumber outer : std::as_const(around)) {
            QList<LockNumber> gates = around;
            gates.removeIf([&](LockNumber each) { return each == outer || m_isShared[each]; });
            if (!isNew && !m_orders.contains({outer, stay.lock}))
                continue;
            Order &order = m_orders[{outer, stay.lock}];
            if (isNew && order.times++ == 0)
                m_inner[outer].append(stay.lock);
            auto way = std::ranges::find(order.ways, gates, &Way::gates);
            if (way == order.ways.end() && !isNew)
                continue;
            if (way == order.ways.end()) {
                if (order.ways.size() == mostWays) {
                    order.isWhole = false;
                    continue;
                }
                way = order.ways.insert(order.ways.end(), {gates, {}, stay.owner, stay.from});
            }
            way->together = std::max(way->together, std::min(until.value(outer), stay.to) - stay.from);
            if (isNew && way->threads.size() < mostThreads && !way->threads.contains(thread))
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
        Meeting ofThese(orders, true), ofAny(orders, false);
        const bool meets = ofThese.find();
        const bool mayMeet = meets || ofAny.find();
        isWhole = isWhole && !ofThese.isTooMuch() && !ofAny.isTooMuch();
        if (!meets && isWhole)
            cycle.risk = mayMeet ? Risk::TooFewThreads : Risk::Gated;
        if (cycle.risk == Risk::Gated)
            cycle.gate = commonGate(orders);
        const std::vector<const Way *> &ways = meets ? ofThese.ways : ofAny.ways;
        for (size_t i = 0; i < orders.size(); ++i) {
            const Way &way = mayMeet ? *ways[i] : orders[i]->ways.front();
            cycle.togetherMs = std::min<qint64>(i == 0 ? way.together : cycle.togetherMs, way.together);
            cycle.orders.append({m_locks[locks[qsizetype(i)]],
                                 m_locks[locks[qsizetype(i + 1) % locks.size()]], orders[i]->times,
                                 m_history.store().owner(way.owner), m_history.store().toAxis(way.at)});
        }
        return cycle;
    }

    /// A lock that is a gate of two of them: for an example of each there is one.
    LockKey commonGate(const std::vector<const Order *> &orders) const
    {
        for (size_t i = 0; i < orders.size(); ++i) {
            for (size_t j = i + 1; j < orders.size(); ++j) {
                for (const LockNumber gate : orders[i]->ways.front().gates) {
                    if (orders[j]->ways.front().gates.contains(gate))
                        return m_locks[gate];
                }
            }
        }
        return {};
    }

    const LockHistory &m_history;
    std::vector<LockKey> m_locks;
    std::vector<bool> m_isShared;                         ///< several may hold it
    QHash<std::pair<quint32, int>, int> m_threadsByOwner; ///< -1: without identity
    QHash<QByteArray, int> m_threads;
    QSet<LockNumber> m_nameless;            ///< held by owners without identity
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/orderwatch.h"

#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/family/registry.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr size_t mostSides = 8; ///< remembered for one order

bool isBegin(EventKind kind)
{
    return kind == EventKind::Acquired || kind == EventKind::OwnerChanged;
}

} // namespace

QList<Inversion> OrderWatch::take(const LockDiff &diff, TimePoint now)
{
    QHash<LockKey, const LockEvent *> begins;
    for (const LockEvent &event : diff.events) {
        if (isBegin(event.kind))
            begins.insert(event.address.key, &event);
    }
    for (const LockKey &key : diff.removed) {
        for (const QByteArray &thread : m_threadsOf.take(key))
            end(thread, key, now);
    }
    for (const WatchedLock &lock : diff.changed)
        takeLock(lock, begins.value(lock.key()), now);
    return std::exchange(m_found, {});
}

void OrderWatch::take(MonitorEventKind moment)
{
    if (moment != MonitorEventKind::FeedGap && moment != MonitorEventKind::Disconnected)
        return;
    m_stays.clear();
    m_threadsOf.clear();
}

/// `begin`: its last acquisition in this diff, or nullptr.
void OrderWatch::takeLock(const WatchedLock &watched, const LockEvent *begin, TimePoint now)
{
    const Lock &lock = watched.lock;
    const LockKey &key = watched.key();
    if (!specOf(lock.family).threadIdentity && !m_threadsOf.contains(key))
        return;
    QHash<QByteArray, Stay> present;
    const auto add = [&](const OwnerId &owner, bool isHold) {
        const QByteArray thread = threadIdentity(lock.family, owner);
        if (thread.isEmpty() || (!isHold && present.contains(thread)))
            return;
        Stay &stay = present[thread];
        stay.lock = key;
        stay.owner = owner;
        stay.since = isHold && begin ? begin->at : now;
        stay.isHold = isHold;
        stay.isShared = specOf(lock.family).severalOwners || lock.owners.size() > 1;
    };
    for (const LockOwner &holder : knownOwners(lock))
        add(holder.owner, true);
    for (const Waiter &waiter : lock.companions->waiters.queue) {
        if (!waiter.isDead)
            add(waiter.id, false);
    }
    const auto known = m_threadsOf.constFind(key);
    const bool isKnown = known != m_threadsOf.cend();
    const QList<QByteArray> before = isKnown ? *known : QList<QByteArray>();
    for (const QByteArray &thread : before) {
        if (!present.contains(thread))
            end(thread, key, begin ? begin->at : now);
    }
    for (auto stay = present.begin(); stay != present.end(); ++stay) {
        if (!before.contains(stay.key())) {
            const bool isSeen = stay->isHold ? begin != nullptr : isKnown;
            const bool isLate = stay->isHold && begin && begin->unseenFor == milliseconds::max();
            const TimePoint sureFrom =
                stay->isHold && begin && !isLate ? begin->at - begin->unseenFor : stay->since;
            this->begin(stay.key(), *stay, sureFrom, isSeen && !isLate);
        } else if (stay->isHold) {
            std::vector<Stay> &stays = m_stays[stay.key()];
            const auto same = std::ranges::find(stays, key, &Stay::lock);
            if (same != stays.end())
                same->isHold = true;
        }
    }
    m_threadsOf.insert(key, present.keys());
}

void OrderWatch::begin(const QByteArray &thread, Stay stay, TimePoint sureFrom, bool isSeen)
{
    std::vector<Stay> &stays = m_stays[thread];
    for (const Stay &each : stays) {
        if (!isSeen || !each.isHold || each.since >= sureFrom)
            continue;
        stay.around.append(each.lock);
        if (!each.isShared)
            stay.gates.append(each.lock);
    }
    stays.push_back(std::move(stay));
}

void OrderWatch::end(const QByteArray &thread, const LockKey &lock, TimePoint at)
{
    const auto known = m_stays.find(thread);
    if (known == m_stays.end())
        return;
    std::vector<Stay> &stays = *known;
    const auto ended = std::ranges::find(stays, lock, &Stay::lock);
    if (ended == stays.end())
        return;
    Stay stay = std::move(*ended);
    stays.erase(ended);
    for (Stay &each : stays) {
        if (stay.around.contains(each.lock))
            note(thread, each.lock, stay, at);
        else if (each.around.contains(lock))
            note(thread, lock, each, at);
    }
    if (stays.empty())
        m_stays.erase(known);
}

/// `at`: when the first of both ended.
void OrderWatch::note(const QByteArray &thread, const LockKey &outer, Stay &inner, TimePoint at)
{
    if (inner.ordered.contains(outer))
        return;
    inner.ordered.insert(outer);
    const Pair pair(outer, inner.lock);
    const auto together = std::chrono::duration_cast<milliseconds>(at - inner.since);
    if (together < milliseconds(OrderCycle::sureMs) ||
        (m_orders.size() >= maxOrders && !m_orders.contains(pair)))
        return;
    QList<LockKey> gates = inner.gates;
    gates.removeOne(outer);
    std::ranges::sort(gates);
    std::vector<Way> &ways = m_orders[pair];
    const auto isKnown = [&](const Way &way) { return way.thread == thread && way.gates == gates; };
    if (ways.size() >= mostSides || std::ranges::any_of(ways, isKnown))
        return;
    ways.push_back({gates, thread, inner.owner});
    compare(pair, ways.back());
}

/// Tells of the pair if another thread took it the other way round, and no common gate keeps them apart.
void OrderWatch::compare(const Pair &order, const Way &way)
{
    const Pair reverse(order.second, order.first);
    const auto others = m_orders.constFind(reverse);
    if (others == m_orders.cend() || m_told.contains(order))
        return;
    for (const Way &other : *others) {
        const bool isApart = std::ranges::none_of(
            other.gates, [&way](const LockKey &gate) { return way.gates.contains(gate); });
        if (other.thread == way.thread || !isApart)
            continue;
        m_told << order << reverse;
        m_found.append({order.first, order.second, {{way.owner, {}, {}}, {other.owner, {}, {}}}});
        return;
    }
}

} // namespace lockscope

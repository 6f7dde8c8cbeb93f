// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/diffcollector.h"

#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/monitor/diff.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

int othersThan(const LockOwner &holder, const Lock &lock)
{
    return static_cast<int>(std::ranges::count_if(
        lock.owners, [&](const LockOwner &other) { return other.owner != holder.owner; }));
}

} // namespace

void DiffCollector::markChanged(const LockKey &key, KnownLock &known)
{
    if (std::exchange(known.isInDiff, true))
        return;
    m_removed.remove(key);
    m_changed.append(key);
}

void DiffCollector::markRemoved(const LockKey &key)
{
    m_removed.insert(key);
}

void DiffCollector::addEvents(const QList<LockChange> &changes, const Lock &lock, TimePoint now,
                              const EventFacts &facts)
{
    const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
    for (const auto &[kind, holder] : changes) {
        m_vanished += kind == EventKind::Vanished ? 1 : 0;
        m_events.append({kind, lock.address, lock.family, holder ? QList<LockOwner>{*holder} : lock.owners,
                         isEnd(kind) ? CompactOptional<milliseconds>() : lock.ttl, now, wallMs,
                         holder ? othersThan(*holder, lock) : 0});
        LockEvent &event = m_events.last();
        event.unseenFor = facts.unseenFor;
        if (holder || !(isEnd(kind) || kind == EventKind::OwnerChanged))
            continue;
        event.held = isEndOfHold(kind) ? facts.held : event.held;
        event.possible = facts.possible;
        event.seenAt = facts.seenAt;
        event.hadLease = facts.hadLease;
        event.wasRenewed = facts.wasRenewed && isEnd(kind);
    }
}

LockDiff DiffCollector::take(KnownLocks &locks)
{
    LockDiff diff;
    diff.changed.reserve(m_changed.size());
    for (const LockKey &key : std::as_const(m_changed)) {
        const auto known = locks.find(key);
        if (known == locks.end() || !std::exchange(known->second.isInDiff, false)) // gone, or told already
            continue;
        diff.changed.append(known->second.watched);
        if (Lock &lock = diff.changed.last().lock; isHidden(lock) && !isBareNumber(lock))
            lock.owners.clear(); // kept in case it is a lock after all; a document holds nothing
    }
    diff.removed = m_removed.values();
    diff.events = std::exchange(m_events, {});
    m_changed.clear();
    m_removed.clear();
    return diff;
}

} // namespace lockscope

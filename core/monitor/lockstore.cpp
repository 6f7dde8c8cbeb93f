// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockstore.h"

#include <QDateTime>

#include <utility>

namespace lockscope {

void LockStore::beginGap()
{
    ++m_generation;
    m_complete = false;
}

void LockStore::apply(const Inspection &inspection, TimePoint now)
{
    const auto known = m_locks.find(inspection.key);
    const std::optional<Lock> before =
        known == m_locks.end() ? std::nullopt : std::optional(known->watched.lock);
    const bool watching = before ? known->generation == m_generation : m_complete;
    const QList<EventKind> kinds = eventsBetween(before, inspection.lock, watching, now);
    const Lock *shown = inspection.lock ? &*inspection.lock : before ? &*before : nullptr;
    for (const EventKind kind : kinds)
        m_events.append({kind, shown->address, shown->family, shown->holders,
                         inspection.lock ? inspection.lock->ttl : std::nullopt, now,
                         QDateTime::currentMSecsSinceEpoch()});

    if (!inspection.lock) {
        if (known != m_locks.end()) {
            m_locks.erase(known);
            m_changed.remove(inspection.key);
            m_removed.insert(inspection.key);
        }
        return;
    }
    Entry entry{watch(before ? &known->watched : nullptr, *inspection.lock, kinds), m_generation};
    // An unchanged lease is known better with each reading: its end lies where all readings agree.
    if (before && before->deadline && entry.watched.lock.deadline && kinds.isEmpty()) {
        const Deadline both{std::max(before->deadline->earliest, entry.watched.lock.deadline->earliest),
                            std::min(before->deadline->latest, entry.watched.lock.deadline->latest)};
        if (both.earliest <= both.latest)
            entry.watched.lock.deadline = both;
    }
    const bool changed = !before || !kinds.isEmpty() || before->problems != inspection.lock->problems ||
                         before->type != inspection.lock->type || before->family != inspection.lock->family ||
                         before->holders != inspection.lock->holders;
    m_locks.insert(inspection.key, entry);
    if (changed) {
        m_removed.remove(inspection.key);
        m_changed.insert(inspection.key);
    }
}

void LockStore::forget(const LockKey &key)
{
    if (!m_locks.remove(key))
        return;
    m_changed.remove(key);
    m_removed.insert(key);
}

const WatchedLock *LockStore::find(const LockKey &key) const
{
    const auto found = m_locks.constFind(key);
    return found == m_locks.cend() ? nullptr : &found->watched;
}

LockDiff LockStore::takeChanges()
{
    LockDiff diff;
    diff.changed.reserve(m_changed.size());
    for (const LockKey &key : std::as_const(m_changed))
        diff.changed.append(m_locks.constFind(key)->watched);
    diff.removed = m_removed.values();
    diff.events = std::exchange(m_events, {});
    m_changed.clear();
    m_removed.clear();
    return diff;
}

} // namespace lockscope

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

void LockStore::endGap()
{
    m_complete = true;
    // It comes after each sweep, too: many locks with their owners may have gone since the one before.
    if (m_owners.size() > 2 * m_locks.size())
        m_owners.dropUnused();
}

void LockStore::apply(const Inspection &inspection, TimePoint now)
{
    const auto known = m_locks.find(inspection.key);
    const std::optional<Lock> before =
        known == m_locks.end() ? std::nullopt : std::optional(known->watched.lock);
    std::optional<Lock> after = inspection.lock;
    if (after) {
        // Each reading comes with bytes of its own: those that are known already are kept instead.
        after->holders =
            before && before->holders == after->holders ? before->holders : m_owners.shared(after->holders);
        if (before)
            after->address.key = known.key();
    }
    const bool watching = before ? known->generation == m_generation : m_complete;
    const QList<EventKind> kinds = eventsBetween(before, after, watching, now);
    const Lock *shown = after ? &*after : before ? &*before : nullptr;
    for (const EventKind kind : kinds)
        m_events.append({kind, shown->address, shown->family, shown->holders,
                         after ? after->ttl : std::nullopt, now, QDateTime::currentMSecsSinceEpoch()});

    if (!after) {
        if (known != m_locks.end()) {
            m_locks.erase(known);
            m_changed.remove(inspection.key);
            m_removed.insert(inspection.key);
        }
        return;
    }
    Entry entry{watch(before ? &known->watched : nullptr, *after, kinds), m_generation};
    // An unchanged lease is known better with each reading: its end lies where all readings agree.
    if (before && before->deadline && entry.watched.lock.deadline && kinds.isEmpty()) {
        const Deadline both{std::max(before->deadline->earliest, entry.watched.lock.deadline->earliest),
                            std::min(before->deadline->latest, entry.watched.lock.deadline->latest)};
        if (both.earliest <= both.latest)
            entry.watched.lock.deadline = both;
    }
    const bool changed = !before || !kinds.isEmpty() || before->problems != after->problems ||
                         before->family != after->family || before->holders != after->holders;
    const LockKey key = after->key();
    m_locks.insert(key, entry);
    if (changed) {
        m_removed.remove(key);
        m_changed.insert(key);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/knownlock.h"

#include <QSet>

namespace lockscope {

/// Facts from readings about an event: see LockEvent.
struct EventFacts
{
    CompactOptional<milliseconds> held{}; ///< length of the ended hold
    milliseconds unseenFor{0};
    EndKinds possible{}; ///< possible ends, as far as the lock itself shows
    TimePoint seenAt{};
    bool hadLease = false;
    bool wasRenewed = false;
};

/// Collects changes since the last LockDiff: keys of changed and removed locks, and ordered events.
class DiffCollector
{
public:
    void markChanged(const LockKey &key, KnownLock &known);
    /// Call before the lock is removed from the known ones.
    void markRemoved(const LockKey &key);
    /// `lock`: after the events; the last reading if it is gone.
    void addEvents(const QList<LockChange> &changes, const Lock &lock, TimePoint now,
                   const EventFacts &facts = {});
    void addEvent(LockEvent event) { m_events.append(std::move(event)); }

    bool isEmpty() const { return m_changed.isEmpty() && m_removed.isEmpty() && m_events.isEmpty(); }
    LockDiff take(KnownLocks &locks);

    /// Number of Vanished events so far.
    qint64 vanished() const { return m_vanished; }

private:
    QList<LockKey> m_changed; ///< some may be gone since; no set: a scan adds each lock
    QSet<LockKey> m_removed;
    QList<LockEvent> m_events;
    qint64 m_vanished = 0;
};

} // namespace lockscope

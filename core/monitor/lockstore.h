// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/diff.h"
#include "core/lock/inspector.h"
#include "core/monitor/ownerpool.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace lockscope {

/// The locks as last read, and what changed since it was last asked. Sends nothing, knows no server.
class LockStore
{
public:
    /// The watching has a gap from here on (start, reconnection): until each key is read again, what became
    /// of it is not known.
    void beginGap();
    /// A whole sweep has passed since the gap: what is new from here on was acquired, not just found.
    void endGap();

    void apply(const Inspection &inspection, TimePoint now);

    /// Drops a lock from the picture without an event: nothing happened to it, it is only not watched any more.
    void forget(const LockKey &key);

    const WatchedLock *find(const LockKey &key) const;
    qsizetype size() const { return m_locks.size(); }
    QList<LockKey> keys() const { return m_locks.keys(); }

    bool hasChanges() const { return !m_changed.isEmpty() || !m_removed.isEmpty() || !m_events.isEmpty(); }
    /// What changed since the last call.
    LockDiff takeChanges();

private:
    struct Entry
    {
        WatchedLock watched;
        int generation = 0; ///< of the gap after which it was last read
    };

    QHash<LockKey, Entry> m_locks;
    int m_generation = 0;
    bool m_complete = false;
    QSet<LockKey> m_changed;
    QSet<LockKey> m_removed;
    QList<LockEvent> m_events;
    OwnerPool m_owners;
};

} // namespace lockscope

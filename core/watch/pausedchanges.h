// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/model/monitorevent.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <functional>

namespace lockscope {

/// Collects changes while the display of locks is paused, as one diff for its continuation. Bounded: the last
/// state of each lock, none for locks that came and went, and the latest events.
class PausedChanges
{
public:
    explicit PausedChanges(size_t maxEvents = 100'000) : m_mostEvents(maxEvents) {}

    /// `isShown`: returns whether the paused display has this lock.
    void add(const LockDiff &diff, const std::function<bool(const LockKey &)> &isShown);
    void add(const MonitorEvent &moment);
    LockDiff take();
    QList<MonitorEvent> takeMoments();
    /// The number of events and moments above the limit.
    qint64 takeLost();

    /// The number of locks that are new, gone, or different.
    qsizetype size() const { return m_changed.size() + m_removed.size(); }

private:
    size_t m_mostEvents;
    QHash<LockKey, WatchedLock> m_changed;
    QSet<LockKey> m_removed;
    std::deque<LockEvent> m_events;
    std::deque<MonitorEvent> m_moments;
    qint64 m_lost = 0;
};

} // namespace lockscope

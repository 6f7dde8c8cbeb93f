// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/model/moment.h"

#include <QHash>
#include <QSet>

#include <deque>
#include <functional>

namespace lockscope {

/// What changes while a picture of the locks is held still, as one diff for when it goes on. Bounded: of each lock the last
/// state, nothing of one that has come and gone meanwhile, and of the events the latest.
class HeldChanges
{
public:
    explicit HeldChanges(size_t mostEvents = 100'000) : m_mostEvents(mostEvents) {}

    /// `isShown`: whether the picture that is held has this lock.
    void add(const LockDiff &diff, const std::function<bool(const LockKey &)> &isShown);
    void add(const Moment &moment);
    LockDiff take();
    QList<Moment> takeMoments();
    /// Events and moments that were too many to be kept.
    qint64 takeLost();

    /// Locks that are new, gone, or not as in the picture.
    qsizetype size() const { return m_changed.size() + m_removed.size(); }

private:
    size_t m_mostEvents;
    QHash<LockKey, WatchedLock> m_changed;
    QSet<LockKey> m_removed;
    std::deque<LockEvent> m_events;
    std::deque<Moment> m_moments;
    qint64 m_lost = 0;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/certainty.h"
#include "core/monitor/knownlock.h"

#include <QList>

#include <optional>

namespace lockscope {

/// Known locks by their last reading: pushed, polled and hidden ones. Lists are linked through their entries:
/// a reading needs no look-up. Does not own the locks.
class ReadOrder
{
public:
    void append(KnownLock &known, bool isPushed, TimePoint now)
    {
        known.readAt = now;
        known.isPushed = isPushed;
        known.isIdle = isHidden(known.watched.lock);
        listOf(known).append(known);
    }
    void remove(KnownLock &known) { listOf(known).remove(known); }
    void clear();
    /// Rebuilds the order after `isPushed` of locks has changed.
    void rebuild(KnownLocks &locks);

    // Hidden keys are included only with `all`.
    std::optional<TimePoint> oldest(bool all = false) const;
    std::optional<TimePoint> oldestPolled() const;

    /// Locks that were read at or before `until`, oldest first. They count as read at `now`, which is later.
    QList<LockKey> takeDue(TimePoint until, TimePoint now, qsizetype max, bool all = false);
    QList<LockKey> takeDuePolled(TimePoint until, TimePoint now, qsizetype max);

private:
    struct List
    {
        KnownLock *oldest = nullptr;
        KnownLock *newest = nullptr;
        void append(KnownLock &known)
        {
            known.older = newest;
            known.newer = nullptr;
            (newest ? newest->newer : oldest) = &known;
            newest = &known;
        }
        void remove(KnownLock &known)
        {
            (known.older ? known.older->newer : oldest) = known.newer;
            (known.newer ? known.newer->older : newest) = known.older;
        }
        void takeDue(TimePoint until, TimePoint now, qsizetype max, QList<LockKey> &into);
    };

    List &listOf(const KnownLock &known)
    {
        return known.isIdle ? m_idle : known.isPushed ? m_pushed : m_polled;
    }

    List m_pushed;
    List m_polled;
    List m_idle;
};

} // namespace lockscope

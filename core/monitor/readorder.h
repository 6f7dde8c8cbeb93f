// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/certainty.h"
#include "core/monitor/knownlock.h"

#include <QList>

#include <optional>

namespace lockscope {

/// Known locks by their last reading, pushed and polled ones apart, and what is hidden: lists through their entries, so that a
/// reading costs no look-up. Owns no lock.
class ReadOrder
{
public:
    /// A lock was read at `now`: it is the last of those with the same feed.
    void append(KnownLock &known, bool isPushed, TimePoint now)
    {
        known.readAt = now;
        known.isPushed = isPushed;
        known.isIdle = isHidden(known.watched.lock);
        listOf(known).append(known);
    }
    void remove(KnownLock &known) { listOf(known).remove(known); }
    void clear();
    /// Builds the order anew, after `isPushed` of the locks has changed.
    void rebuild(KnownLocks &locks);

    // What is hidden, with all alone.
    /// Of the lock that was read longest ago, or taken to be read.
    std::optional<TimePoint> oldest(bool all = false) const;
    std::optional<TimePoint> oldestPolled() const;

    /// Locks that were read at `until` or before, oldest first. They count as read at `now`, which is later.
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

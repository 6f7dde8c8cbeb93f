// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>

namespace lockscope {

/// Which of those that stand in queues will never be woken, by looks at who listens. A waiter enters the queue before it
/// subscribes, and Redisson gives a subscription 7.5 s: so only who was silent for longer, at several looks in a row, is
/// dead.
class DeadWaiterDetector
{
public:
    static constexpr int looks = 3;
    static constexpr std::chrono::seconds patience{8};

    /// Another look at a lock's waiters: marks the dead ones.
    void judge(const LockKey &lock, Waiters &waiters, TimePoint now);
    void forget(const LockKey &lock) { m_silent.remove(lock); }
    void clear() { m_silent.clear(); }

private:
    struct Silence
    {
        TimePoint since;
        int looks = 0;
    };
    QHash<LockKey, QHash<OwnerId, Silence>> m_silent;
};

/// Others wait for a dead one: it is first, so that it would be woken next, or stands before one that lives. Pure.
bool hasBlockedWaiters(const Waiters &waiters);

} // namespace lockscope

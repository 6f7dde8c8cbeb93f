// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>

namespace lockscope {

/// Finds dead waiters in queues by their missing subscriptions. A waiter enters the queue before it
/// subscribes, and Redisson allows 7.5 s for that: only a waiter that was not subscribed for longer, at
/// several readings in a row, is dead.
class DeadWaiterDetector
{
public:
    static constexpr int looks = 3;
    static constexpr std::chrono::seconds patience{8};

    /// Takes another reading of a lock's waiters, and marks the dead ones.
    void judge(const LockKey &lock, Waiters &waiters, TimePoint now);
    void forget(const LockKey &lock) { m_silent.remove(lock); }
    void clear() { m_silent.clear(); }

private:
    struct SilentFor
    {
        TimePoint since;
        int looks = 0;
    };
    QHash<LockKey, QHash<OwnerId, SilentFor>> m_silent;
};

/// True if a dead waiter blocks others: it is the queue head, or before one that is alive. Pure.
bool hasBlockedWaiters(const Waiters &waiters);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// A wait: `waiter` is in the queue of a lock that `owner` holds. Both are IDs by threadIdentity().
struct WaitEdge
{
    LockKey lock;
    QByteArray waiter;
    QByteArray owner;

    friend bool operator==(const WaitEdge &, const WaitEdge &) = default;
    friend size_t qHash(const WaitEdge &edge, size_t seed = 0)
    {
        return qHashMulti(seed, edge.lock, edge.waiter, edge.owner);
    }
};

/// Waits that form a cycle, which none can leave by itself: each edge's owner is the next edge's waiter, and
/// the last one's owner the first one's waiter. Begins with the smallest waiter: equal cycles compare equal.
struct Deadlock
{
    QList<WaitEdge> cycle;

    friend bool operator==(const Deadlock &, const Deadlock &) = default;
    friend size_t qHash(const Deadlock &deadlock, size_t seed = 0)
    {
        return qHashRange(deadlock.cycle.begin(), deadlock.cycle.end(), seed);
    }
};

QList<Deadlock> notIn(const QList<Deadlock> &deadlocks, const QList<Deadlock> &others);

/// The known waits: only queues name their waiters, and a cycle requires that owners and waiters have common
/// identities. Without waits for oneself; a wait for several owners is for none of them in particular. Pure.
QList<WaitEdge> waitForEdges(const QList<Lock> &locks);

/// Cycles among the edges: one from each group of mutual waits, and nobody in two. Independent of the order
/// of edges. Pure; linear in the edges, except for sorting in cycles.
QList<Deadlock> findCycles(const QList<WaitEdge> &edges);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::Deadlock)

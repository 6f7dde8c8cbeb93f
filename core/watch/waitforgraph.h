// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// One waits for another: `waiter` stands in the queue of a lock that `owner` holds. Both as threadIdentity() has them.
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

/// Waits that form a cycle, so that none of them can end by itself: each edge's owner is the next edge's waiter, and
/// the last one's owner the first one's waiter. Begins with the least waiter, so that equal cycles are equal.
struct Deadlock
{
    QList<WaitEdge> cycle;

    friend bool operator==(const Deadlock &, const Deadlock &) = default;
    friend size_t qHash(const Deadlock &deadlock, size_t seed = 0)
    {
        return qHashRange(deadlock.cycle.begin(), deadlock.cycle.end(), seed);
    }
};

/// Those of them that are not among `others`, in their order.
QList<Deadlock> notIn(const QList<Deadlock> &deadlocks, const QList<Deadlock> &others);

/// Who waits for whom, as far as it is known exactly: only queues name their waiters, and only where the owner of a
/// lock and a waiter for another have one identity can a cycle be seen. Nobody waits for itself; and who waits for one
/// of several owners waits for none of them in particular. Pure.
QList<WaitEdge> waitForEdges(const QList<Lock> &locks);

/// The cycles among the edges: of those that all wait for each other one, and nobody in two. The same for the same
/// edges in any order. Pure; linear in the edges, but for the sorting in cycles.
QList<Deadlock> findCycles(const QList<WaitEdge> &edges);

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::Deadlock)

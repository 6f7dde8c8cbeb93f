// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/waitindex.h"
#include "core/watch/waitforgraph.h"

namespace lockscope {

/// A lock with waiters, or a waiter. Below a lock are its waiters; below a waiter the locks that it holds and
/// others wait for.
struct WaitNode
{
    LockKey lock;                  ///< for a waiter: the lock it waits for
    CompactOptional<qint64> place; ///< queue position of a waiter, from 1; absent for a lock
    BlockedWaiters behind;         ///< waiters behind it, directly or not
    QList<WaitNode> below;

    friend bool operator==(const WaitNode &, const WaitNode &) = default;
};

/// The wait-for graph as trees, most waiters first, then longest wait. A root's owner is not known to wait.
struct WaitTree
{
    /// Limit of nodes; more would be unreadable.
    static constexpr int most = 4'000;

    QList<WaitNode> roots;
    bool isWhole = true; ///< false: nodes were left out

    friend bool operator==(const WaitTree &, const WaitTree &) = default;
};

/// Returns each lock once; a cycle starts at its smallest key. Pure.
WaitTree waitForest(const WaitIndex &index);

} // namespace lockscope

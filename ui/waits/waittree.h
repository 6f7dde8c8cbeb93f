// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/waitforgraph.h"
#include "ui/locks/waitindex.h"

namespace lockscope {

/// A lock that is waited for, or one that waits; below a lock stand its waiters, below a waiter the locks that it holds
/// itself and that others wait for.
struct WaitNode
{
    LockKey lock;                  ///< of a waiter: the one that it waits for
    CompactOptional<qint64> place; ///< of a waiter: its place in the queue, from 1; absent: this is a lock
    BlockedWaiters behind;         ///< those that wait behind it, directly or not
    QList<WaitNode> below;

    friend bool operator==(const WaitNode &, const WaitNode &) = default;
};

/// Who waits for whom as trees, those first that hold up the most: by waiters, then by how long one of these has waited. A root is a lock whose owner is not known to wait.
struct WaitTree
{
    /// Nodes beyond that are left out: nobody reads so many.
    static constexpr int most = 4'000;

    QList<WaitNode> roots;
    bool isWhole = true; ///< false: there are more

    friend bool operator==(const WaitTree &, const WaitTree &) = default;
};

/// Pure. Each lock stands in the forest once; a cycle is opened where its name is the least.
WaitTree waitForest(const WaitIndex &index);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockhistory.h"

#include <QList>

#include <vector>

namespace lockscope {

/// One thread acquired `inner`, or waited for it, while it held `outer`.
struct NestedPair
{
    LockKey outer;
    LockKey inner;
    qint64 times = 0;
    OwnerId owner;   ///< an example: of a thread that can meet the others of the cycle, if there is one
    qint64 atMs = 0; ///< when it was, on the axis of the history
};

/// Orders that contradict each other: each inner lock is the outer one of the next, the last inner one the first
/// outer one. Two are an inversion. They deadlock when as many threads meet.
struct OrderCycle
{
    enum class Risk : quint8 {
        Deadlock,
        TooFewThreads, ///< fewer threads than orders made them so that they meet: others may do the same
        Gated,         ///< two of them were only seen within a common outer lock, so that they never meet
    };

    QList<NestedPair> orders;
    Risk risk = Risk::Deadlock;
    LockKey gate; ///< the outer lock, if one lock is
    /// How long both locks of each order were seen together, at least.
    qint64 togetherMs = 0;

    /// A release is read up to some 0.1 s late, more under load: two locks one after another look nested for
    /// as long.
    static constexpr qint64 sureMs = 200;
    bool isSure() const { return togetherMs >= sureMs; }
};

struct LockOrders
{
    qint64 orders = 0;              ///< different pairs of outer and inner lock
    qint64 nameless = 0;            ///< locks whose owners name no thread: their orders are unknown
    std::vector<OrderCycle> cycles; ///< the most dangerous first, then short ones
};

/// Finds the orders in a period, in times on the history's axis, and a shortest cycle for each that contradicts others.
/// Only threads whose identity the owners' IDs have (threadIdentity()) are seen. Two locks that one thread acquired in
/// the same millisecond, or between the same readings, have no known order. Locks that several may hold are no gates.
/// Pure; near-linear in holds and waits.
LockOrders lockOrdersIn(const LockHistory &history, qint64 fromMs, qint64 toMs);

} // namespace lockscope

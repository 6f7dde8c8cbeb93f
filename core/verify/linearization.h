// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/operations.h"

#include <span>

namespace lockscope {

/// An operation as the search takes it: it takes effect once between `from` and `to`, or, unless required, never.
/// Operations of one process stand in their order.
struct Candidate
{
    LockOperation operation;
    qint64 from = 0;
    qint64 to = LockOperation::noEnd;
    qint64 queuedTo = LockOperation::noEnd; ///< in the queue by then
    bool isRequired = true;
    /// False for an unknown outcome: later operations of its process may take effect before it.
    bool isOrdered = true;
};

struct LinearizationRules
{
    LockModel model = LockModel::Mutex;
    int capacity = 1;
    bool isBeginUnknown = false; ///< owners may hold from before, with leases that may have ended
    bool hasLeases = true;       ///< of any operation on the lock
    bool checksQueue = true;
    bool checksTokens = true;

    bool isSingle() const { return model != LockModel::ReadWrite && model != LockModel::Permits; }
};

struct Linearization
{
    enum class Verdict : quint8 { Possible, Impossible, Undecided };

    Verdict verdict = Verdict::Undecided;
    size_t stuckAt = 0; ///< Impossible: the required candidate that can't take effect
};

/// Decides whether there is an order of moments that keeps the rules (see packaging/docs/verify.md). `isQuick`: takes the
/// first way that works, so Impossible proves nothing. `budget`: steps left, falls; at 0 the answer is Undecided.
Linearization linearize(std::span<const Candidate> candidates, const LinearizationRules &rules, bool isQuick,
                        qint64 &budget);

} // namespace lockscope

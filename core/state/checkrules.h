// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/heldmemory.h"
#include "core/model/lock.h"

#include <QList>

#include <optional>

namespace lockscope {

/// What `check` raises an alert for.
struct CheckRules
{
    bool problems =
        false; ///< what `list` calls a problem: no expiry only where its library gives its locks one
    bool openExpiry = false; ///< no lock without expiry where it is not known whether it should have one
    bool noExpiry = false;   ///< no lock without expiry, whatever its library does
    bool allowsOpenExpiry = false; ///< openExpiry is told, and breaks no rule
    std::optional<milliseconds> maxHeld;
    std::optional<qint64> maxWaiters;
};

/// A lock that breaks a rule.
struct CheckFinding
{
    enum class Rule : quint8 { Problem, MaxHeld, MaxWaiters };

    Lock lock;
    Rule rule = Rule::Problem;
    Problem problem = Problem::NoExpiry; ///< Rule::Problem
    HeldMemory::Longest held;            ///< Rule::MaxHeld; no checks: as its holder has stored
};

struct CheckResult
{
    QList<CheckFinding> findings; ///< in the order of the locks
    QList<Lock> open;             ///< CheckRules::openExpiry
    qint64 withoutExpiry = 0;     ///< locks that are told for no such reason
    qint64 waitersUnknown = 0;    ///< locks whose waiters can't be counted,
    qint64 waitersAtLeast = 0; ///< and locks that may have more than were counted, and so more than the limit
};

/// Compares with what is known: at least so many waiters break a rule where that is more than the limit, and an unknown number
/// breaks none. `memory`: absent, nothing is known of how long locks have been held. Pure.
CheckResult applyRules(const CheckRules &rules, const QList<Lock> &locks, const HeldMemory *memory,
                       qint64 nowMs);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/journal/holdlog.h"
#include "core/model/lock.h"

#include <QList>

#include <optional>

namespace lockscope {

/// The rules of `check`.
struct CheckRules
{
    bool problems = false;   ///< problems as in `list`: no expiry only if the library always sets one
    bool openExpiry = false; ///< locks without expiry, if it is unknown whether they should have one
    bool noExpiry = false;
    bool allowsOpenExpiry = false; ///< openExpiry is reported, but breaks no rule
    std::optional<milliseconds> maxHeld;
    std::optional<qint64> maxWaiters;
};

/// A lock that breaks a rule.
struct CheckFinding
{
    enum class Rule : quint8 { Problem, MaxHeld, MaxWaiters };

    Lock lock;
    Rule rule = Rule::Problem;
    Problem problem = Problem::NoExpiry;
    HoldLog::Longest held; ///< Rule::MaxHeld; no checks: as stored by its holder
};

struct CheckResult
{
    QList<CheckFinding> findings; ///< in the order of the locks
    QList<Lock> open;
    qint64 withoutExpiry = 0;  ///< locks not reported for it
    qint64 waitersUnknown = 0; ///< locks whose waiters cannot be counted
    qint64 waitersAtLeast = 0; ///< locks that may have more waiters than counted, and than the limit
};

/// Checks the known values: a count that is at least above the limit breaks a rule, an unknown count does
/// not. `memory`: absent: hold times are unknown. Pure.
CheckResult applyRules(const CheckRules &rules, const QList<Lock> &locks, const HoldLog *memory,
                       qint64 nowMs);

} // namespace lockscope

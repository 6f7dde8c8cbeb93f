// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alert.h"
#include "core/base/phrase.h"
#include "core/state/verdict.h"
#include "core/watch/holdtimes.h"

#include <array>
#include <span>

namespace lockscope {

/// What the number of a rule is.
enum class AlertLimit : quint8 {
    None,     ///< it has none: 0
    Duration, ///< of a hold, in ms
    Times,    ///< of the usual hold
    Count,
};

/// Which waiters a rule is about.
struct CountedWaiters
{
    struct Number
    {
        qint64 waiters = 0;
        bool isAtLeast = false; ///< there may be more
    };

    Number (*of)(const Waiters &waiters); ///< as far as they are known
    const char *key;                      ///< in JSON
    const char *text, *textAtLeast;       ///< %1: their number
};

/// A rule: all that is particular to it. Texts are of the context "phrases".
struct AlertRule
{
    static constexpr auto always = TimePoint::min();
    static constexpr auto never = TimePoint::max();

    AlertKind kind = AlertKind::NoExpiry;
    const char *name = nullptr; ///< as programs read it, and the settings: "no-expiry"
    AlertSeverity severity = AlertSeverity::Notice;
    AlertLimit limit = AlertLimit::None;
    bool isOnByDefault = true;
    qint64 defaultLimit = 0;      ///< or the one that is offered where the rule is off
    qint64 minLimit = 0;          ///< what is stored otherwise counts as not stored
    qint64 maxLimit = 0;          ///< likewise
    const char *option = nullptr; ///< of the command line, "max-waiters"; absent: it has none
    const char *optionHelp = nullptr;

    /// Of one hold: not known after its lease's end, and another owner's is another alert. Else it is of the lock or the server, whoever
    /// holds it.
    bool isOfHold = false;
    const CountedWaiters *counted = nullptr; ///< absent: it is not of waiters
    /// From when on a lock breaks it. Absent: it is not of one lock.
    TimePoint (*brokenFrom)(const WatchedLock &lock, const HoldTimes &usual, qint64 limit) = nullptr;

    std::optional<HoldReason> why{}; ///< where the rule says by itself why the lock is held

    const char *title = nullptr;
    const char *label = nullptr; ///< with its key, before the field of its limit: "More &waiters than"
    const char *meaning = nullptr;
    const char *limitName = nullptr;
    /// %1: owners, the locks of a cycle, or the server. %2: how long it is held, or its waiters. %3: the limit.
    const char *evidence = nullptr;
    const char *evidenceOfNone = nullptr; ///< where %1 is empty; absent: the same

    bool limitsTime() const { return limit == AlertLimit::Duration || limit == AlertLimit::Times; }
};

/// In the order of their options.
std::span<const AlertRule> alertRuleTable();
const AlertRule &ruleOf(AlertKind kind);
/// nullptr: there is none.
const AlertRule *ruleNamed(QByteArrayView name);
/// What was seen, as of the moment when it was raised last. Of a reset nothing: Alert::resetOf says it.
Phrase evidenceOf(const Alert &alert);

/// The limit of each rule; absent: it is off.
class AlertRules
{
public:
    AlertRules(); ///< the default ones

    std::optional<qint64> &operator[](AlertKind kind) { return m_limits.at(static_cast<size_t>(kind)); }
    const std::optional<qint64> &operator[](AlertKind kind) const
    {
        return m_limits.at(static_cast<size_t>(kind));
    }

    friend bool operator==(const AlertRules &, const AlertRules &) = default;

private:
    std::array<std::optional<qint64>, alertKinds> m_limits;
};

} // namespace lockscope

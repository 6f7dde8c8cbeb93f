// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alert.h"
#include "core/base/phrase.h"
#include "core/state/verdict.h"
#include "core/watch/holdtimes.h"

#include <array>
#include <span>

namespace lockscope {

enum class AlertLimit : quint8 {
    None,     ///< no limit: 0
    Duration, ///< time held, in ms
    Times,    ///< multiple of the usual hold
    Count,
};

struct CountedWaiters
{
    struct Number
    {
        qint64 waiters = 0;
        bool isAtLeast = false;
    };

    Number (*of)(const Waiters &waiters); ///< counts known ones
    const char *key;                      ///< in JSON
    const char *text, *textAtLeast;       ///< %1: the number
};

/// The properties of a rule. Texts are of the context "phrases".
struct AlertRule
{
    static constexpr auto always = TimePoint::min();
    static constexpr auto never = TimePoint::max();

    AlertKind kind = AlertKind::NoExpiry;
    const char *name = nullptr; ///< for JSON and settings: "no-expiry"
    AlertSeverity severity = AlertSeverity::Notice;
    AlertLimit limit = AlertLimit::None;
    bool isOnByDefault = true;
    qint64 defaultLimit = 0; ///< offered if the rule is off
    qint64 minLimit = 0;     ///< stored values out of range are ignored
    qint64 maxLimit = 0;
    const char *option = nullptr; ///< command-line option, "max-waiters"; absent: none
    const char *optionHelp = nullptr;

    /// True if the alert is of one hold: unknown after its lease's end, and separate for each owner.
    /// Otherwise it is of the lock or server, whoever the owner is.
    bool isOfHold = false;
    const CountedWaiters *counted = nullptr; ///< absent: not about waiters
    /// Since when a lock breaks the rule. Absent: not about one lock.
    TimePoint (*brokenFrom)(const WatchedLock &lock, const HoldTimes &usual, qint64 limit) = nullptr;

    std::optional<HoldReason> why{}; ///< if the rule explains why the lock is held

    const char *title = nullptr;   ///< absent: the label
    const char *label = nullptr;   ///< with shortcut key, before the field of its limit: "More &waiters than"
    const char *meaning = nullptr; ///< absent: the label says it
    /// %1: owners, locks of a cycle, or server. %2: time held, or waiters. %3: limit.
    const char *evidence = nullptr;
    const char *evidenceOfNone = nullptr; ///< if %1 is empty; absent: the same

    bool limitsTime() const { return limit == AlertLimit::Duration || limit == AlertLimit::Times; }
};

/// In the order of their options.
std::span<const AlertRule> alertRuleTable();
const AlertRule &ruleOf(AlertKind kind);
/// nullptr: unknown name
const AlertRule *ruleNamed(QByteArrayView name);
/// A sentence about the alert when it was last raised. Empty for a reset: see Alert::resetOf.
Phrase evidenceOf(const Alert &alert);

/// The limit of each rule; absent: off.
class AlertRules
{
public:
    AlertRules();

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

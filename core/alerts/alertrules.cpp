// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertrules.h"

#include "core/base/printable.h"
#include "core/family/renewalhealth.h"
#include "core/state/lockstate.h"

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr qsizetype keyCodePoints = 60;
constexpr qsizetype ownerCodePoints = 80;
constexpr qsizetype maxNamed = 4;

/// Never for a limit so long that the moment would overflow.
TimePoint heldFor(milliseconds limit, const WatchedLock &lock)
{
    return limit > Deadline::horizon ? AlertRule::never : lock.heldSince + limit;
}

constexpr CountedWaiters allWaiters{
    [](const Waiters &waiters) {
        const bool isKnown = waiters.certainty != WaiterCertainty::Unknown;
        return CountedWaiters::Number{isKnown ? waiters.count : 0,
                                      waiters.certainty == WaiterCertainty::AtLeast};
    },
    "waiters",
    QT_TRANSLATE_N_NOOP("phrases", "%1 waiter(s)."),
    QT_TRANSLATE_N_NOOP("phrases", "At least %1 waiter(s)."),
};

constexpr CountedWaiters deadWaiters{
    [](const Waiters &waiters) {
        return CountedWaiters::Number{std::ranges::count(waiters.queue, true, &Waiter::isDead),
                                      waiters.count > waiters.queue.size()};
    },
    "dead_waiters",
    QT_TRANSLATE_N_NOOP("phrases", "%1 dead waiter(s) in the queue."),
    QT_TRANSLATE_N_NOOP("phrases", "At least %1 dead waiter(s) in the queue."),
};

template <Problem problem>
TimePoint whileProblem(const WatchedLock &lock, const HoldTimes &, qint64)
{
    return lock.problems().testFlag(problem) ? AlertRule::always : AlertRule::never;
}

/// A rule for a stalled holder with or without known waiters.
template <bool isAwaited>
TimePoint whileStalled(const WatchedLock &lock, const HoldTimes &, qint64)
{
    const bool hasWaiters = allWaiters.of(lock.lock.companions->waiters).waiters > 0;
    return hasWaiters == isAwaited ? overdueAfter(lock) : AlertRule::never;
}

template <const CountedWaiters &counted>
TimePoint whileMore(const WatchedLock &lock, const HoldTimes &, qint64 limit)
{
    return counted.of(lock.lock.companions->waiters).waiters > limit ? AlertRule::always : AlertRule::never;
}

template <Problem problem>
constexpr AlertRule whileHeldWith(AlertKind kind, const char *name, AlertSeverity severity, const char *label)
{
    return {.kind = kind,
            .name = name,
            .severity = severity,
            .brokenFrom = whileProblem<problem>,
            .label = label,
            .evidence = QT_TRANSLATE_NOOP("phrases", "Held by %1.")};
}

constexpr std::array ruleTable{
    AlertRule{
        .kind = AlertKind::Deadlock,
        .name = "deadlock",
        .severity = AlertSeverity::Critical,
        .label = QT_TRANSLATE_NOOP("phrases", "&Deadlock"),
        .meaning = QT_TRANSLATE_NOOP("phrases", "Owners wait for each other. Confirmed by two readings."),
        .evidence = QT_TRANSLATE_NOOP("phrases", "The owners of these locks wait for each other: %1"),
    },
    AlertRule{
        .kind = AlertKind::ConnectionLost,
        .name = "connection-lost",
        .severity = AlertSeverity::Critical,
        .label = QT_TRANSLATE_NOOP("phrases", "&Connection lost"),
        .evidence = QT_TRANSLATE_NOOP("phrases", "Locks are unknown until the server is reachable again."),
    },
    AlertRule{
        .kind = AlertKind::Reset,
        .name = "reset",
        .severity = AlertSeverity::Critical,
        .label = QT_TRANSLATE_NOOP("phrases", "Locks &gone at once"),
        .meaning = QT_TRANSLATE_NOOP("phrases", "The server was flushed, restarted or replaced."),
    },
    AlertRule{
        .kind = AlertKind::Evicted,
        .name = "evicted",
        .severity = AlertSeverity::Critical,
        .label = QT_TRANSLATE_NOOP("phrases", "Lock e&victed"),
        .meaning = QT_TRANSLATE_NOOP("phrases", "The server removed a lock to free memory."),
        .evidence = QT_TRANSLATE_NOOP("phrases", "Evicted while held by %1, possibly still working."),
        .evidenceOfNone = QT_TRANSLATE_NOOP("phrases", "The server removed a lock to free memory."),
    },
    AlertRule{
        .kind = AlertKind::Inversion,
        .name = "inversion",
        .severity = AlertSeverity::Warning,
        .label = QT_TRANSLATE_NOOP("phrases", "&Opposite lock order"),
        .meaning = QT_TRANSLATE_NOOP("phrases",
                                     "Two threads acquired two locks in opposite order: they can deadlock."),
        .evidence = QT_TRANSLATE_NOOP(
            "phrases", "Two threads acquired these locks in opposite order: %1. They can deadlock."),
    },
    AlertRule{
        .kind = AlertKind::StalledHolder,
        .name = "stalled-holder",
        .severity = AlertSeverity::Warning,
        .isOfHold = true,
        .counted = &allWaiters,
        .brokenFrom = whileStalled<true>,
        .why = HoldReason::LeaseRunning,
        .label = QT_TRANSLATE_NOOP("phrases", "&Stalled holder with waiters"),
        .evidence =
            QT_TRANSLATE_NOOP("phrases", "Renewal by %1 overdue: probably crashed, hung or paused. %2"),
    },
    AlertRule{
        .kind = AlertKind::StalledAlone,
        .name = "stalled-without-waiters",
        .isOfHold = true,
        .brokenFrom = whileStalled<false>,
        .why = HoldReason::LeaseRunning,
        .label = QT_TRANSLATE_NOOP("phrases", "S&talled holder without waiters"),
        .evidence = QT_TRANSLATE_NOOP("phrases", "Renewal by %1 overdue: probably crashed, hung or paused."),
    },
    whileHeldWith<Problem::SeveralOwners>(AlertKind::SeveralOwners, "several-owners", AlertSeverity::Critical,
                                          QT_TRANSLATE_NOOP("phrases", "Several ow&ners")),
    AlertRule{
        .kind = AlertKind::NoQuorum,
        .name = "no-quorum",
        .severity = AlertSeverity::Critical,
        .brokenFrom = whileProblem<Problem::NoQuorum>,
        .label = QT_TRANSLATE_NOOP("phrases", "No &quorum"),
        .meaning = QT_TRANSLATE_NOOP("phrases", "No owner has a lock on a majority of the servers."),
        .evidence = QT_TRANSLATE_NOOP("phrases", "%1 has the lock on too few servers."),
    },
    whileHeldWith<Problem::OwnersDiffer>(AlertKind::OwnersDiffer, "owners-differ", AlertSeverity::Warning,
                                         QT_TRANSLATE_NOOP("phrases", "Owners diffe&r")),
    whileHeldWith<Problem::BadCount>(AlertKind::BadCount, "bad-count", AlertSeverity::Warning,
                                     QT_TRANSLATE_NOOP("phrases", "&Invalid hold count")),
    AlertRule{
        .kind = AlertKind::HolderDead,
        .name = "holder-dead",
        .severity = AlertSeverity::Warning,
        .brokenFrom = whileProblem<Problem::HolderDead>,
        .why = HoldReason::HolderDead,
        .label = QT_TRANSLATE_NOOP("phrases", "Holder likely de&ad"),
        .evidence = QT_TRANSLATE_NOOP("phrases", "Held by %1."),
    },
    whileHeldWith<Problem::RewrittenByOwner>(AlertKind::RewrittenByOwner, "came-back", AlertSeverity::Warning,
                                             QT_TRANSLATE_NOOP("phrases", "Rewritten after force-ex&pire")),
    AlertRule{
        .kind = AlertKind::OrphanedQueue,
        .name = "orphaned-queue",
        .severity = AlertSeverity::Warning,
        .brokenFrom = whileProblem<Problem::Orphaned>,
        .why = HoldReason::BlockedByDead,
        .label = QT_TRANSLATE_NOOP("phrases", "&Orphaned queue"),
        .meaning = QT_TRANSLATE_NOOP("phrases", "The lock is gone, and nothing wakes its queue."),
        .evidence = QT_TRANSLATE_NOOP("phrases", "The lock is gone, and nothing wakes its queue."),
    },
    AlertRule{
        .kind = AlertKind::NoExpiry,
        .name = "no-expiry",
        .severity = AlertSeverity::Warning,
        .brokenFrom = whileProblem<Problem::NoExpiry>,
        .why = HoldReason::NeverEnds,
        .label = QT_TRANSLATE_NOOP("phrases", "No e&xpiry"),
        .meaning = QT_TRANSLATE_NOOP("phrases", "No expiry, although the library sets one."),
        .evidence = QT_TRANSLATE_NOOP("phrases", "Held by %1 without expiry."),
    },
    AlertRule{
        .kind = AlertKind::OpenNoExpiry,
        .name = "open-no-expiry",
        .severity = AlertSeverity::Notice,
        .brokenFrom =
            [](const WatchedLock &lock, const HoldTimes &, qint64) {
                return noExpiryOf(lock.lock) == NoExpiry::Open ? AlertRule::always : AlertRule::never;
            },
        .label = QT_TRANSLATE_NOOP("phrases", "No expiry, &family ambiguous"),
        .evidence = QT_TRANSLATE_NOOP("phrases", "Held by %1 without expiry."),
        .evidenceOfNone = QT_TRANSLATE_NOOP("phrases", "No expiry. Possibly not a lock."),
    },
    AlertRule{
        .kind = AlertKind::ManyWaiters,
        .name = "max-waiters",
        .limit = AlertLimit::Count,
        .defaultLimit = 20,
        .maxLimit = 1'000'000'000,
        .option = "max-waiters",
        .optionHelp = QT_TRANSLATE_NOOP("phrases", "most waiters per lock"),
        .counted = &allWaiters,
        .brokenFrom = whileMore<allWaiters>,
        .title = QT_TRANSLATE_NOOP("phrases", "Many waiters"),
        .label = QT_TRANSLATE_NOOP("phrases", "More &waiters than"),
        .meaning = QT_TRANSLATE_NOOP("phrases", "Counts known waiters only."),
        .evidence = QT_TRANSLATE_NOOP("phrases", "%2 Held by %1."),
        .evidenceOfNone = "%2",
    },
    AlertRule{
        .kind = AlertKind::DeadWaiters,
        .name = "dead-waiters",
        .severity = AlertSeverity::Warning,
        .limit = AlertLimit::Count,
        .maxLimit = 1'000'000'000,
        .option = "max-dead-waiters",
        .optionHelp = QT_TRANSLATE_NOOP("phrases", "most dead waiters per lock (0)"),
        .counted = &deadWaiters,
        .brokenFrom = whileMore<deadWaiters>,
        .title = QT_TRANSLATE_NOOP("phrases", "Dead waiters"),
        .label = QT_TRANSLATE_NOOP("phrases", "&More dead waiters than"),
        .evidence = QT_TRANSLATE_NOOP("phrases", "%2 Held by %1."),
        .evidenceOfNone = "%2",
    },
    AlertRule{
        .kind = AlertKind::HeldTooLong,
        .name = "max-held",
        .severity = AlertSeverity::Warning,
        .limit = AlertLimit::Duration,
        .isOnByDefault = false,
        .defaultLimit = milliseconds(10min).count(),
        .minLimit = milliseconds(1s).count(),
        .maxLimit = milliseconds(24h * 365).count(),
        .option = "max-held",
        .optionHelp = QT_TRANSLATE_NOOP("phrases", "longest hold of one owner"),
        .isOfHold = true,
        .brokenFrom = [](const WatchedLock &lock, const HoldTimes &,
                         qint64 limit) { return heldFor(milliseconds(limit), lock); },
        .title = QT_TRANSLATE_NOOP("phrases", "Held too long"),
        .label = QT_TRANSLATE_NOOP("phrases", "&Held longer than"),
        .evidence = QT_TRANSLATE_NOOP("phrases", "Held by %1 for at least %2. The limit is %3."),
    },
    AlertRule{
        .kind = AlertKind::HeldUnusuallyLong,
        .name = "unusual-hold",
        .limit = AlertLimit::Times,
        .defaultLimit = 10,
        .minLimit = 2,
        .maxLimit = 1'000'000,
        .option = "unusual",
        .optionHelp = QT_TRANSLATE_NOOP("phrases", "unusual hold, from TIMES the key's median; 0: off (10)"),
        .isOfHold = true,
        .brokenFrom =
            [](const WatchedLock &lock, const HoldTimes &usual, qint64 limit) {
                const auto unusual = usual.of(lock.key()).unusualFrom(static_cast<int>(limit));
                return unusual && isOneHold(lock) ? heldFor(*unusual, lock) : AlertRule::never;
            },
        .title = QT_TRANSLATE_NOOP("phrases", "Unusually long hold"),
        .label = QT_TRANSLATE_NOOP("phrases", "Held &longer than usual"),
        .meaning = QT_TRANSLATE_NOOP(
            "phrases", "Far longer than 99.8% of the key's holds and this multiple of their median."),
        .evidence = QT_TRANSLATE_NOOP(
            "phrases", "Held by %1 for at least %2; unusual from %3. Of %4 holds, 99.8% lasted at most %5."),
    },
};

static_assert(ruleTable.size() == alertKinds);

/// The alert's subject: server, locks of a cycle, or owners.
QString whoseIs(const Alert &alert)
{
    if (!alert.server.isEmpty())
        return printable(alert.server.toUtf8(), ownerCodePoints);
    const bool isCycle = !alert.cycle.isEmpty();
    QStringList names;
    for (const LockKey &key : alert.cycle)
        names << printable(key.bytes, keyCodePoints);
    for (const LockOwner &owner : isCycle ? QList<LockOwner>() : alert.owners)
        names << ownerIdText(owner.owner.bytes, ownerCodePoints);
    if (names.size() > maxNamed)
        names = names.first(maxNamed) << QStringLiteral("…");
    return names.join(isCycle ? QStringLiteral(" → ") : QStringLiteral(", "));
}

} // namespace

std::span<const AlertRule> alertRuleTable()
{
    return ruleTable;
}

const AlertRule &ruleOf(AlertKind kind)
{
    return *std::ranges::find(ruleTable, kind, &AlertRule::kind);
}

const AlertRule *ruleNamed(QByteArrayView name)
{
    const auto rule =
        std::ranges::find_if(ruleTable, [&](const AlertRule &each) { return name == each.name; });
    return rule == ruleTable.end() ? nullptr : &*rule;
}

Phrase evidenceOf(const Alert &alert)
{
    const AlertRule &rule = ruleOf(alert.kind);
    const QString whose = whoseIs(alert);
    const char *sentence = whose.isEmpty() && rule.evidenceOfNone ? rule.evidenceOfNone : rule.evidence;
    if (rule.limitsTime())
        return Phrase(sentence, whose, alert.held, alert.limit, alert.usual.holds, alert.usual.nearlyAll);
    if (!rule.counted)
        return Phrase(sentence, whose);
    const char *waiters = alert.isAtLeast ? rule.counted->textAtLeast : rule.counted->text;
    return Phrase(sentence, whose, Phrase::plural(waiters, alert.waiters, alert.waiters));
}

AlertRules::AlertRules()
{
    for (const AlertRule &rule : ruleTable) {
        if (rule.isOnByDefault)
            (*this)[rule.kind] = rule.defaultLimit;
    }
}

} // namespace lockscope

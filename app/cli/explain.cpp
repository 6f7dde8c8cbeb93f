// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/explain.h"

#include "app/cli/json.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/model/quorummerge.h"
#include "core/read/companions.h"
#include "core/state/lockstate.h"
#include "core/watch/waitforgraph.h"
#include "core/words/actionpreview.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"
#include "core/words/texts.h"
#include "core/words/verdictmessages.h"

namespace lockscope {

namespace {

constexpr qsizetype waitersTold = 20;

QString familyInWords(const Lock &lock)
{
    const QString name = QString::fromLatin1(familyName(lock.family));
    const QString candidates = candidatesOfLockInWords(lock);
    if (!candidates.isEmpty() && certaintyOf(lock) == Certainty::Ambiguous)
        return Words::tr("Family: %1 (%2). Candidates: %3, or a custom format.")
            .arg(describe(lock.family), name, candidates);
    return Words::tr("Family: %1 (%2); %3.").arg(describe(lock.family), name, certaintyInWords(lock));
}

QString permitsEnd(milliseconds left)
{
    return left.count() > 0 ? Words::tr("expires in %1").arg(describe(left))
                            : Texts::tr("Permit expired; the next request can take it");
}

QStringList ownersInWords(const Lock &lock, qint64 nowMs)
{
    QStringList lines;
    for (const LockOwner &holder : knownOwners(lock)) {
        const QString id = ownerIdText(holder.owner.bytes);
        const QString count = holdsInWords(lock, holder);
        lines << (holder.mode == HoldMode::Read    ? Words::tr("Reader: %1, hold count %2.").arg(id, count)
                  : holder.mode == HoldMode::Write ? Words::tr("Writer: %1, hold count %2.").arg(id, count)
                  : count.isEmpty()                ? Words::tr("Owner: %1.").arg(id)
                                                   : Words::tr("Owner: %1, hold count %2.").arg(id, count));
        if (const QString weak = describe(weakTokenOf(lock)); !weak.isEmpty())
            lines << QStringLiteral("  ") + weak;
        for (const QString &fact : describe(ownerFacts(lock, holder)))
            lines << QStringLiteral("  ") + fact;
        if (const Permit *permit = lock.companions->permitOf(holder.owner); permit && permit->expiresAtMs)
            lines << QStringLiteral("  ") + permitsEnd(milliseconds(*permit->expiresAtMs - nowMs));
    }
    if (lines.isEmpty())
        lines << Words::tr("Owner: unknown.");
    if (!lock.companions->worker.isEmpty())
        lines << QStringLiteral("  ") +
                     Words::tr("worker name: %1").arg(printable(lock.companions->worker, 80));
    if (const QString heartbeat = describe(lock.companions->heartbeat, nowMs); !heartbeat.isEmpty())
        lines << QStringLiteral("  ") + Words::tr("heartbeat: %1").arg(heartbeat);
    if (!lock.companions->permits.isEmpty())
        lines << Words::tr("Free permits: %1.").arg(printable(lock.companions->freePermits, 40));
    if (!lock.companions->fencingToken.isEmpty())
        lines << Words::tr("Last fencing token: %1.").arg(printable(lock.companions->fencingToken, 40));
    return lines;
}

/// True if the lock shows since when it is held, or is not held.
bool tellsItsBeginning(const Lock &lock)
{
    return lock.owners.isEmpty() || isNoLock(lock) || weakTokenOf(lock) == WeakToken::Time ||
           std::ranges::any_of(
               lock.owners, [&](const LockOwner &holder) { return bool(ownerFacts(lock, holder).sinceMs); });
}

QString endInWords(const Lock &lock, TimePoint now)
{
    const auto ttl = ttlAt(lock, now);
    const FamilySpec &facts = specOf(lock.family);
    if (!ttl && lock.leaseOf == LeaseOf::Unknown)
        return Texts::tr("Expiry unknown: no permission. Grant +hpttl.");
    if (!ttl && (isNoLock(lock) || isUnattributed(lock.family)))
        return Words::tr("No expiry.");
    if (!ttl)
        return facts.canLackExpiry ? Words::tr("No expiry, the default of this family.")
                                   : Words::tr("No expiry, a problem for this family.");
    const QString end = Words::tr("Expires in %1 unless renewed.").arg(describe(*ttl)) + u' ';
    if (isUnattributed(lock.family))
        return end + Words::tr("Renewals by this library: unknown.");
    if (facts.mayRenew)
        return end + Words::tr("Some holders of this family renew.");
    return end + (facts.renews ? Words::tr("Holders of this family renew by default.")
                               : Words::tr("Holders of this family do not renew by default."));
}

QString inWords(const Waiter &waiter, qint64 nowMs)
{
    QString text = printable(waiter.id.bytes);
    text += waiter.listening == SubscriptionState::Yes        ? Words::tr(": subscribed")
            : waiter.listening == SubscriptionState::No       ? Words::tr(": not subscribed (dead or new)")
            : waiter.listening == SubscriptionState::NotHeard ? Words::tr(": not subscribed here")
                                                              : QString();
    if (waiter.timeoutAtMs) {
        const milliseconds left(*waiter.timeoutAtMs - nowMs);
        text +=
            left.count() > 0 ? Words::tr("; times out in %1").arg(describe(left)) : Words::tr("; timed out");
    }
    return text;
}

QStringList waitersInWords(const Lock &lock, qint64 nowMs)
{
    const Waiters &waiters = lock.companions->waiters;
    const QString count = grouped(waiters.count);
    if (lock.companions->unread >= Unread::Waiters && waiters.certainty == WaiterCertainty::Unknown)
        return {Words::tr("Waiters: unknown, since the companion keys cannot be read.")};
    switch (waiters.certainty) {
    case WaiterCertainty::Unknown:
        if (specOf(lock.family).acquire == AcquireSupport::IsJob)
            return {Words::tr("Waiters: none; no client waits for a job's lock.")};
        return {!isUnattributed(lock.family) && specOf(lock.family).wake == WaitMechanism::Polling
                    ? Words::tr("Waiters: unknown. Polling clients leave no trace.")
                    : Words::tr("Waiters: unknown.")};
    case WaiterCertainty::AtLeast:
        if (!waiters.queue.isEmpty())
            break;
        return {Words::tr("Waiters: at least %1 (subscribed processes).").arg(count)};
    case WaiterCertainty::Exact:
        break;
    }
    QStringList lines{
        waiters.certainty == WaiterCertainty::Exact
            ? Words::tr("Waiters: %1, in queue order.").arg(count)
            : Words::tr("Waiters: at least %1 (polling clients cannot be counted).").arg(count)};
    for (const Waiter &waiter : waiters.queue.first(std::min(waitersTold, waiters.queue.size())))
        lines << QStringLiteral("  %1. ").arg(lines.size()) + inWords(waiter, nowMs);
    if (std::ranges::any_of(waiters.queue,
                            [](const Waiter &w) { return w.listening == SubscriptionState::NotHeard; }))
        lines << QStringLiteral("  ") +
                     Words::tr("Unsubscribed waiters may be alive: %1.").arg(silenceInWords(waiters.silence));
    return lines;
}

} // namespace

namespace {

QStringList quorumInWords(const Lock &lock, TimePoint now, const QStringList &servers)
{
    if (!lock.quorum)
        return {};
    QStringList lines{describe(*lock.quorum)};
    for (qsizetype i = 0; i < servers.size(); ++i)
        lines << QStringLiteral("  %1: %2").arg(servers[i], readingText(*lock.quorum, i, now));
    if (const auto validity = validityOf(*lock.quorum, lock.ttl.value_or(milliseconds(0)), now))
        lines << Words::tr("The lock is valid for %1 at most, allowing for clock drift.")
                     .arg(describe(*validity));
    return lines;
}

} // namespace

QStringList explanationOf(const WatchedLock &watched, TimePoint now, qint64 nowMs, const QStringList &servers)
{
    Lock lock = watched.lock;
    lock.problems = watched.problems();
    QStringList lines{familyInWords(lock)};
    if (const QString evidence = evidenceInWords(lock.evidence); !evidence.isEmpty())
        lines << Words::tr("Evidence: %1.").arg(evidence);
    lines += helpOf(lock.family);
    if (lock.companions->unread == Unread::Kind)
        lines << Words::tr("Companion keys cannot be read; the family may differ.");
    lines += ownersInWords(lock, nowMs);
    lines += quorumInWords(lock, now, servers);
    lines << endInWords(lock, now);
    if (!isHidden(lock)) {
        const HoldVerdict verdict = verdictOf(watched, now);
        lines << Words::tr("Why it is held: %1").arg(describe(verdict));
        if (verdict.why != HoldReason::LeaseRunning || !lock.problems) // a problem does not wait
            lines << QStringLiteral("  ") + adviceOf(verdict);
    }
    if (watched.isReadOnce && !tellsItsBeginning(lock))
        lines << Words::tr("Held since: unknown.");
    lines += waitersInWords(lock, nowMs);
    // A queue tells who waits for this lock; for which one its owner waits stands in another queue.
    if (watched.isReadOnce && !waitForEdges({lock}).isEmpty())
        lines << Words::tr("Deadlock: unknown. Run lockscope-cli check.");
    for (const Problem problem : problemList(lock.problems))
        lines << Words::tr("Problem: %1").arg(describe(problem));
    if (companions::decidesHowToAct(lock)) {
        lines << Words::tr("Force-expire is refused: its effects depend on unreadable keys.");
        return lines;
    }
    const QStringList effects = previewForceExpire(lock);
    if (!effects.isEmpty())
        lines << Texts::tr("Effects of force-expire:");
    for (const QString &effect : effects)
        lines << QStringLiteral("  - ") + effect;
    return lines;
}

} // namespace lockscope

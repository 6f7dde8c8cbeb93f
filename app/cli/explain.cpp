// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/explain.h"

#include "app/cli/json.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/family.h"
#include "core/family/ownerfacts.h"
#include "core/family/recognize.h"
#include "core/model/names.h"
#include "core/read/companions.h"
#include "core/words/actionpreview.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"

namespace lockscope {

namespace {

constexpr qsizetype waitersTold = 20;

QString familyInWords(const Lock &lock)
{
    const QString name = QString::fromLatin1(familyName(lock.family));
    const QString candidates = candidatesOfLockInWords(lock);
    if (!candidates.isEmpty() && certaintyOf(lock) == Certainty::Ambiguous)
        return Words::
            tr("Family: %1 (%2): content that may be of %3, or of a program that leaves no mark of its own.")
                .arg(describe(lock.family), name, candidates);
    return Words::tr("Family: %1 (%2); %3.").arg(describe(lock.family), name, describe(certaintyOf(lock)));
}

QString permitsEnd(milliseconds left)
{
    return left.count() > 0 ? Words::tr("given for another %1").arg(describe(left))
                            : Words::tr("Permit expired; the next request can take it");
}

QStringList ownersInWords(const Lock &lock, qint64 nowMs)
{
    QStringList lines;
    for (const LockOwner &holder : lock.owners) {
        const QString id = printable(holder.owner.bytes);
        const QString count = holdsInWords(lock, holder);
        lines << (holder.mode == HoldMode::Read    ? Words::tr("Reader: %1, holds %2.").arg(id, count)
                  : holder.mode == HoldMode::Write ? Words::tr("Writer: %1, holds %2.").arg(id, count)
                  : count.isEmpty()                ? Words::tr("Owner: %1.").arg(id)
                                                   : Words::tr("Owner: %1, holds %2.").arg(id, count));
        if (const QString weak = describe(weakTokenOf(lock)); !weak.isEmpty())
            lines << QStringLiteral("  ") + weak;
        for (const QString &fact : describe(ownerFacts(lock.family, lock.key(), holder.owner)))
            lines << QStringLiteral("  ") + fact;
        if (const Permit *permit = lock.beside->permitOf(holder.owner); permit && permit->expiresAtMs)
            lines << QStringLiteral("  ") + permitsEnd(milliseconds(*permit->expiresAtMs - nowMs));
    }
    if (lines.isEmpty())
        lines << Words::tr("Owner: nobody is named.");
    if (!lock.beside->worker.isEmpty())
        lines << QStringLiteral("  ") +
                     Words::tr("the worker calls itself %1").arg(printable(lock.beside->worker, 80));
    if (!lock.beside->permits.isEmpty())
        lines << Words::tr("Permits still free: %1.").arg(printable(lock.beside->freePermits, 40));
    if (!lock.beside->fencingToken.isEmpty())
        lines << Words::tr("Last fencing token: %1.").arg(printable(lock.beside->fencingToken, 40));
    return lines;
}

QString endInWords(const Lock &lock, TimePoint now)
{
    const auto ttl = ttlAt(lock, now);
    const FamilyFacts &facts = factsOf(lock.family);
    if (!ttl && lock.leaseOf == LeaseOf::Unknown)
        return Words::tr(
            "Ends: not known. The key has no expiry, but its fields may have one, which this login "
            "may not read. Grant +hpttl.");
    if (!ttl && isHidden(lock))
        return Words::tr("Ends: never by itself.");
    if (!ttl && isUnattributed(lock.family))
        return Words::tr("Ends: never by itself.");
    if (ttl && isUnattributed(lock.family))
        return Words::tr(
                   "Ends: in %1, unless its holder renews it. Whether its library does so is not known.")
            .arg(describe(*ttl));
    if (!ttl)
        return facts.canLackExpiry ? Words::tr("Ends: never by itself, which is usual for this family.")
                                   : Words::tr("Ends: never by itself, which is an alarm for this family.");
    return facts.renews
               ? Words::tr("Ends: in %1, unless it is renewed, as this family does by default while its "
                           "holder lives.")
                     .arg(describe(*ttl))
               : Words::tr("Ends: in %1, unless its holder renews it, which this family does not by default.")
                     .arg(describe(*ttl));
}

QString inWords(const Waiter &waiter, qint64 nowMs)
{
    QString text = printable(waiter.id.bytes);
    text += waiter.listening == SubscriptionState::Yes ? Words::tr(": listens")
            : waiter.listening == SubscriptionState::No
                ? Words::tr(": nobody listens on its channel; dead, unless it has only just come")
            : waiter.listening == SubscriptionState::NotHeard ? Words::tr(": not heard here")
                                                              : QString();
    if (waiter.timeoutAtMs) {
        const milliseconds left(*waiter.timeoutAtMs - nowMs);
        text += left.count() > 0 ? Words::tr("; others may skip it in %1").arg(describe(left))
                                 : Words::tr("; its time is up: the next one to come skips it");
    }
    return text;
}

QStringList waitersInWords(const Lock &lock, qint64 nowMs)
{
    const Waiters &waiters = lock.beside->waiters;
    const QString count = grouped(waiters.count);
    if (lock.beside->unread != Unread::Nothing && waiters.certainty == WaiterCertainty::Unknown)
        return {Words::tr("Waiters: not known, since this user may not read what stands beside the lock.")};
    switch (waiters.certainty) {
    case WaiterCertainty::Unknown:
        if (factsOf(lock.family).taking == AcquireSupport::IsJob)
            return {Words::tr("Waiters: none; nobody waits for the lock of a job.")};
        if (isUnattributed(lock.family))
            return {Words::tr("Waiters: not known, since the library is not. Polling clients leave no trace; "
                              "others may subscribe to a channel or wait in a queue of their own.")};
        return {factsOf(lock.family).wake == WaitMechanism::Polling
                    ? Words::tr("Waiters: not known. They poll, which leaves no trace on the server.")
                    : Words::tr("Waiters: not known.")};
    case WaiterCertainty::AtLeast:
        if (!waiters.queue.isEmpty())
            break;
        return {
            Words::tr(
                "Waiters: at least %1 (processes that listen; each may have many waiting threads, and those "
                "that poll are not seen).")
                .arg(count)};
    case WaiterCertainty::Exact:
        break;
    }
    QStringList lines{
        waiters.certainty == WaiterCertainty::Exact
            ? Words::tr("Waiters: %1 in the queue, in this order.").arg(count)
            : Words::tr("Waiters: at least %1 (those that poll are not seen). Known by name:").arg(count)};
    for (const Waiter &waiter : waiters.queue.first(std::min(waitersTold, waiters.queue.size())))
        lines << QStringLiteral("  %1. ").arg(lines.size()) + inWords(waiter, nowMs);
    if (std::ranges::any_of(waiters.queue,
                            [](const Waiter &w) { return w.listening == SubscriptionState::NotHeard; }))
        lines << QStringLiteral("  ") + Words::tr("Waiters that are not subscribed here may be alive: %1.")
                                            .arg(silenceInWords(waiters.silence));
    return lines;
}

} // namespace

QStringList explanationOf(const Lock &lock, TimePoint now, qint64 nowMs)
{
    QStringList lines{familyInWords(lock)};
    if (const QString evidence = evidenceInWords(lock.evidence); !evidence.isEmpty())
        lines << Words::tr("Evidence: %1.").arg(evidence);
    if (lock.beside->unread == Unread::Kind)
        lines << Words::tr(
            "What stands beside it may not be read: it may be of another kind, such as a fair lock with a "
            "queue, a semaphore or the lock of a job.");
    lines += ownersInWords(lock, nowMs);
    lines << endInWords(lock, now);
    lines += waitersInWords(lock, nowMs);
    for (const Problem problem : problemList(lock.problems))
        lines << Words::tr("Problem: %1").arg(describe(problem));
    if (besides::decidesHowToAct(lock)) {
        lines << Words::tr("An end by force: refused, for what it would do depends on what may not be read.");
        return lines;
    }
    const QStringList effects = previewForceExpire(lock);
    if (!effects.isEmpty())
        lines << Words::tr("An end by force:");
    for (const QString &effect : effects)
        lines << QStringLiteral("  - ") + effect;
    return lines;
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/actionpreview.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/shapes.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::effects)
};

constexpr qsizetype maxOfAName = 80;

QString named(const QByteArray &bytes)
{
    return printable(bytes, maxOfAName);
}

QString called(const OwnerId &id, const OwnerLabeler &call)
{
    return call ? call(id) : named(id.bytes);
}

/// How waiters notice it, if the family has no sentence of its own.
QString wakingBy(WaitMechanism wake, const Lock &lock, const OwnerLabeler &call)
{
    const QList<Waiter> &queue = lock.companions->waiters.queue;
    const bool isUnproved = !describe(lock.companions->waiters.silence).isEmpty();
    const QString channel = named(unlockChannel(lock.family, lock.key()));
    switch (wake) {
    case WaitMechanism::Polling:
    case WaitMechanism::ListPush:
    case WaitMechanism::KeyMessage:
        break;
    case WaitMechanism::Message:
        return Words::tr("A message on the channel %1 wakes one waiting thread of each process. Polling "
                         "waiters find the lock free.")
            .arg(channel);
    case WaitMechanism::MessageToAll:
        return Words::tr("A message on the channel %1 wakes all waiters.").arg(channel);
    case WaitMechanism::QueueHeadChannel:
        if (isUnproved && !queue.isEmpty())
            return Words::tr("A message wakes the first waiter in the queue, %1, and those behind it up to "
                             "the first whose subscription is seen here.")
                .arg(called(queue.front().id, call));
        return queue.isEmpty() ? Words::tr("A message wakes the first waiter in the queue.")
                               : Words::tr("A message wakes the first waiter in the queue, %1. If it is not "
                                           "subscribed, the first subscribed waiter is woken instead.")
                                     .arg(called(queue.front().id, call));
    case WaitMechanism::Handoff:
        if (isUnproved && !queue.isEmpty())
            return Words::
                tr("The lock is handed to the first waiter in the queue that has not timed out: %1 is next.")
                    .arg(called(queue.front().id, call));
        return queue.isEmpty()
                   ? Words::tr("The lock is handed to the first subscribed waiter in the queue.")
                   : Words::tr("The lock is handed to the first subscribed waiter in the queue: %1 is next.")
                         .arg(called(queue.front().id, call));
    }
    return Words::tr("No waiter is notified. Polling waiters find the lock free at their next attempt.");
}

/// A family's own sentence, with %1 as the lock's channel: empty: nothing to mention; absent: none.
std::optional<QString> ownSentence(const char *source, const Lock &lock)
{
    if (!source || *source == 0)
        return source ? std::optional(QString()) : std::nullopt;
    const bool namesChannel = QByteArrayView(source).contains("%1");
    return inWords(namesChannel ? Phrase(source, named(unlockChannel(lock.family, lock.key())))
                                : Phrase(source));
}

QString waking(const Lock &lock, const OwnerLabeler &call)
{
    const FamilySpec &spec = specOf(lock.family);
    const std::optional<QString> own = ownSentence(spec.wakeEffect, lock);
    return own ? *own : wakingBy(spec.wake, lock, call);
}

QString howMany(const Waiters &waiters)
{
    if (waiters.certainty == WaiterCertainty::Unknown || waiters.count <= 0)
        return {};
    if (waiters.certainty == WaiterCertainty::AtLeast && !waiters.queue.isEmpty())
        return Words::tr("At least %n wait(s) for it now.", nullptr,
                         int(std::min<qint64>(waiters.count, 1'000'000)));
    return waiters.certainty == WaiterCertainty::Exact
               ? Words::tr("%n wait(s) for it now.", nullptr, int(std::min<qint64>(waiters.count, 1'000'000)))
               : Words::tr("%n process(es) subscribed to its channel now.", nullptr,
                           int(std::min<qint64>(waiters.count, 1'000'000)));
}

QString listed(const QStringList &names)
{
    return names.join(QStringLiteral(", "));
}

/// Warnings for an ambiguous lock: waiters may sleep on, it may return, or the next owner be harmed.
QStringList forTheCandidates(const Lock &lock)
{
    QStringList asleep;
    QStringList back;
    QStringList hurt;
    QStringList exiting;
    for (const Family family : candidatesOf(lock)) {
        const FamilySpec &spec = specOf(family);
        const QString name = QString::fromLatin1(spec.name);
        if (spec.needsExplicitWakeUp)
            asleep.append(name);
        const OwnerImpact impact = spec.ownerImpact;
        if (impact == OwnerImpact::RewritesLock)
            back.append(name);
        if (impact == OwnerImpact::DeletesNextLock || impact == OwnerImpact::ExitsDeleting)
            hurt.append(name);
        if (impact == OwnerImpact::Exits || impact == OwnerImpact::ExitsDeleting)
            exiting.append(name);
    }
    QStringList effects;
    if (!exiting.isEmpty())
        effects << Words::tr(
                       "If this is a %1 lock, its holder's process exits if its next renewal finds no lock.")
                       .arg(listed(exiting));
    if (!asleep.isEmpty())
        effects << Words::tr("If this is a %1 lock, its waiters are not woken. Add a family rule first.")
                       .arg(listed(asleep));
    if (!back.isEmpty())
        effects << Words::tr("If this is a %1 lock, the holder's next renewal writes the lock again. Stop "
                             "that process first.")
                       .arg(listed(back));
    if (!hurt.isEmpty())
        effects << Words::tr("If this is a %1 lock, the holder's release deletes the key without a check, "
                             "even if the next owner holds the lock.")
                       .arg(listed(hurt));
    return effects;
}

/// The value of the server's token comparison.
QString byTheToken(const Lock &lock)
{
    const WeakToken weak = weakTokenOf(lock);
    if (!mayRepeat(weak))
        return describe(weak);
    const bool comparesMore =
        specOf(lock.family).scripts->comparesTimeLeft && lock.leaseOf != LeaseOf::Unknown;
    return Words::tr("%1 %2", "two sentences, one after the other")
        .arg(describe(weak),
             comparesMore
                 ? Words::tr("The token alone proves little, so the time left is compared too. If it has "
                             "risen, nothing is changed.")
                 : Words::tr("The token alone proves little: the next owner's lock may be expired instead."));
}

} // namespace

QString holderEffect(const Lock &lock)
{
    const FamilySpec &spec = specOf(lock.family);
    if (const std::optional<QString> own = ownSentence(spec.ownerEffect, lock))
        return *own;
    switch (impactOf(lock)) {
    case OwnerImpact::Unknown:
        if (spec.hasGenericContent)
            return Words::tr(
                "The holder is not notified and may still be working. Its library is not known: its "
                "release may fail, do nothing, or delete the next owner's lock.");
        return Words::tr("The holder is not notified. What it notices is not known.");
    case OwnerImpact::Unaware:
        return Words::tr("The holder is not notified and does not notice.");
    case OwnerImpact::FailsRelease:
        return Words::tr("The holder is not notified and may still be working. Its release will fail.");
    case OwnerImpact::JobReassigned:
        return Words::tr(
            "Within about a minute another worker gets the job, while the old one may still be running it.");
    case OwnerImpact::FailsRenewal:
        return Words::tr("The holder is not notified and may still be working. Its next renewal will fail.");
    case OwnerImpact::Notified:
        return Words::tr("The holder's library learns of it at once and tells the holder.");
    case OwnerImpact::RewritesLock:
        return Words::tr("Unless another owner acquires the lock first, the holder's next renewal writes the "
                         "lock again. Stop that process first.");
    case OwnerImpact::DeletesNextLock:
        return Words::tr("The holder is not notified and may still be working. Its release deletes the key "
                         "without a check, even if the next owner holds the lock.");
    case OwnerImpact::Exits:
        return Words::tr("The holder's process exits if its next renewal finds the lock lost.");
    case OwnerImpact::ExitsDeleting:
        return Words::tr("The holder's process exits if its next renewal finds no lock. On exit it deletes "
                         "the key without a check, even if the next owner holds the lock.");
    }
    return {};
}

QStringList previewForceExpire(const Lock &lock, const OwnerLabeler &call)
{
    if (isComparable(lock))
        return {Words::tr("The key is deleted if its whole content is still what was read. Whether it is a "
                          "lock, who uses it and who waits for it is unknown: nobody is told.")};
    if (lock.family.isUnknown())
        return {
            Words::tr("None: this is not a recognized lock, and Lockscope has no script that expires it.")};
    const FamilySpec &spec = specOf(lock.family);
    if (spec.countsPermits && lock.companions->permits.isEmpty())
        return {
            Words::tr("It cannot be force-expired: it stores no owners, only the count of free permits.")};
    const Phrase companions = spec.companionEffect ? spec.companionEffect(lock)
                              : spec.companionNote ? Phrase(spec.companionNote)
                                                   : Phrase();
    QStringList effects{inWords(companions), waking(lock, call), howMany(lock.companions->waiters),
                        holderEffect(lock)};
    effects += forTheCandidates(lock);
    effects << byTheToken(lock);
    if (spec.mayRenew)
        effects.append(Words::tr(
            "The lock may be renewed: by an option of its library, or by what is built on the library."));
    if (spec.mayRenew || (spec.renews && spec.ownerImpact != OwnerImpact::RewritesLock))
        effects.append(Words::tr("If the holder still renews the lock, a grace period has no effect: the "
                                 "next renewal restores the lease."));
    if (lock.quorum && lock.quorum->unknown > 0)
        effects.prepend(
            Words::tr("Runs on the servers of the group that can be reached: %1 of %2. A server that "
                      "names another owner is left as it is.")
                .arg(lock.quorum->members.size() - lock.quorum->unknown)
                .arg(lock.quorum->members.size()));
    else if (lock.quorum)
        effects.prepend(Words::tr("Runs on all %1 servers of the group. A server that names another owner is "
                                  "left as it is.")
                            .arg(lock.quorum->members.size()));
    else if (spec.maySpanServers)
        effects.append(
            Words::tr("If the lock is stored on several servers, force-expire it on most of them: connect to "
                      "them as one Redlock group."));
    if (lock.problems.testFlag(Problem::Deadlock))
        effects.prepend(deadlockRemedy());
    effects.removeAll(QString());
    return effects;
}

QString deadlockRemedy()
{
    return Words::tr(
        "To end a deadlock, force-expire one of its locks. The next waiter in its queue can then "
        "acquire that lock.");
}

QString silenceInWords(NoSubscribersMeaning silence)
{
    return inWords(describe(silence));
}

QString removeWaiterEffect(const Lock &lock, const OwnerId &waiter, const OwnerLabeler &call)
{
    if (const QString unproved = silenceInWords(lock.companions->waiters.silence); !unproved.isEmpty())
        return Words::tr("No effect: no subscription of %1 is seen here, but %2.")
            .arg(called(waiter, call), unproved);
    const QString leaves = Words::tr("If %1 is not subscribed, it is removed from the queue. If it is still "
                                     "running, it joins the queue again at the end.")
                               .arg(called(waiter, call));
    const QList<Waiter> &queue = lock.companions->waiters.queue;
    if (queue.isEmpty() || queue.front().id != waiter || !lock.owners.isEmpty())
        return leaves;
    return Words::tr("%1 %2", "two sentences, one after the other")
        .arg(leaves, specOf(lock.family).wake == WaitMechanism::Handoff
                         ? Words::tr("The next waiter acquires the free lock at its next attempt.")
                         : Words::tr("The lock is free, so the next waiter is woken."));
}

QString wakeEffect(const Lock &lock, const OwnerLabeler &call)
{
    return Words::tr("Timed-out waiters at the head of the queue are removed. Then a message wakes the first "
                     "waiter, %1: if it is alive, it acquires the lock. If the lock is held by then, nothing "
                     "is changed.")
        .arg(called(lock.companions->waiters.queue.value(0).id, call));
}

} // namespace lockscope

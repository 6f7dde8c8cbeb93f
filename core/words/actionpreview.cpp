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
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxOfAName = 80;

QString named(const QByteArray &bytes)
{
    return printable(bytes, maxOfAName);
}

QString called(const OwnerId &id, const OwnerLabeler &call)
{
    return call ? call(id) : named(id.bytes);
}

/// With the queue head, if one waits.
QString withQueueHead(const QString &sentence, const Lock &lock, const OwnerLabeler &call)
{
    const QList<Waiter> &queue = lock.companions->waiters.queue;
    return queue.isEmpty()
               ? sentence
               : Texts::tr("%1 %2", "two sentences, one after the other")
                     .arg(sentence, Texts::tr("Queue head: %1.").arg(called(queue.front().id, call)));
}

/// How waiters notice it, if the family has no sentence of its own.
QString wakingBy(WaitMechanism wake, const Lock &lock, const OwnerLabeler &call)
{
    const Waiters &waiters = lock.companions->waiters;
    const bool isUnproved = !describe(waiters.silence).isEmpty() && !waiters.queue.isEmpty();
    const QString channel = named(unlockChannel(lock.family, lock.key()));
    switch (wake) {
    case WaitMechanism::Polling:
    case WaitMechanism::ListPush:
    case WaitMechanism::KeyMessage:
        break;
    case WaitMechanism::Message:
        return Texts::tr("A message on the channel %1 wakes one waiting thread per process.").arg(channel);
    case WaitMechanism::MessageToAll:
        return Texts::tr("A message on the channel %1 wakes all waiters.").arg(channel);
    case WaitMechanism::QueueHeadChannel:
        return withQueueHead(
            isUnproved
                ? Texts::tr("A message wakes the queued waiters up to the first that is subscribed here.")
                : Texts::tr("A message wakes the first subscribed waiter in the queue."),
            lock, call);
    case WaitMechanism::Handoff:
        return withQueueHead(
            isUnproved
                ? Texts::tr("The lock is handed to the first waiter in the queue that has not timed out.")
                : Texts::tr("The lock is handed to the first subscribed waiter in the queue."),
            lock, call);
    }
    return Texts::tr("No waiter is notified; polling clients find the lock free.");
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
    if (waiters.certainty == WaiterCertainty::AtLeast && waiters.queue.isEmpty())
        return Texts::tr("%n process(es) subscribed to its channel.", nullptr, plural(waiters.count));
    return inWords(Phrase::plural(waiters.certainty == WaiterCertainty::AtLeast
                                      ? QT_TRANSLATE_N_NOOP("phrases", "At least %1 waiter(s).")
                                      : QT_TRANSLATE_N_NOOP("phrases", "%1 waiter(s)."),
                                  waiters.count, waiters.count));
}

/// The effect of the holder's release by a library that does not check the owner.
QString deletesUnchecked()
{
    return Texts::tr("Its release deletes the key unchecked, even the next owner's lock.");
}

QString writesAgain()
{
    return Texts::tr("The holder's next renewal may write the lock again. Stop that process first.");
}

QString exits()
{
    return Texts::tr("The holder's process exits when its next renewal finds the lock gone.");
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
    const auto add = [&effects](const QStringList &families, const QString &effect) {
        if (!families.isEmpty())
            effects << Texts::tr("If the family is %1: %2").arg(listed(families), effect);
    };
    add(exiting, exits());
    add(asleep, Texts::tr("Waiters are not woken. Add a family rule first."));
    add(back, writesAgain());
    add(hurt, deletesUnchecked());
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
    return Texts::tr("%1 %2", "two sentences, one after the other")
        .arg(describe(weak),
             comparesMore ? Texts::tr("The time left is compared too; if it has risen, nothing is changed.")
                          : Texts::tr("The next owner's lock may be expired instead."));
}

} // namespace

QString holderEffect(const Lock &lock)
{
    const FamilySpec &spec = specOf(lock.family);
    if (const std::optional<QString> own = ownSentence(spec.ownerEffect, lock))
        return *own;
    const QString unnotified = Texts::tr("The holder is not notified and may still be working.");
    const auto then = [](const QString &first, const QString &second) {
        return Texts::tr("%1 %2", "two sentences, one after the other").arg(first, second);
    };
    switch (impactOf(lock)) {
    case OwnerImpact::Unknown:
        return spec.hasGenericContent
                   ? then(unnotified,
                          Texts::tr("Its release may fail, do nothing, or delete the next owner's lock."))
                   : unnotified;
    case OwnerImpact::Unaware:
        return Texts::tr("The holder is not notified and does not notice.");
    case OwnerImpact::FailsRelease:
        return then(unnotified, Texts::tr("Its release will fail."));
    case OwnerImpact::JobReassigned:
        return Texts::tr("Within about a minute another worker gets the job; the previous worker may still "
                         "be running it.");
    case OwnerImpact::FailsRenewal:
        return then(unnotified, Texts::tr("Its next renewal will fail."));
    case OwnerImpact::Notified:
        return Texts::tr("The holder's library notifies it at once.");
    case OwnerImpact::RewritesLock:
        return writesAgain();
    case OwnerImpact::DeletesNextLock:
        return then(unnotified, deletesUnchecked());
    case OwnerImpact::Exits:
        return exits();
    case OwnerImpact::ExitsDeleting:
        return then(exits(), Texts::tr("On exit it deletes the key unchecked, even the next owner's lock."));
    }
    return {};
}

QStringList previewForceExpire(const Lock &lock, const OwnerLabeler &call)
{
    if (isComparable(lock))
        return {Texts::tr("Deletes the key if its content is unchanged. Whether it is a lock is unknown.")};
    if (lock.family.isUnknown())
        return {Texts::tr("None: not a recognized lock.")};
    const FamilySpec &spec = specOf(lock.family);
    if (spec.countsPermits && lock.companions->permits.isEmpty())
        return {Texts::tr("This semaphore stores no owners and cannot be force-expired.")};
    const Phrase companions = spec.companionEffect ? spec.companionEffect(lock)
                              : spec.companionNote ? Phrase(spec.companionNote)
                                                   : Phrase();
    QStringList effects{inWords(companions), waking(lock, call), howMany(lock.companions->waiters),
                        holderEffect(lock)};
    effects += forTheCandidates(lock);
    effects << byTheToken(lock);
    if (spec.mayRenew || (spec.renews && spec.ownerImpact != OwnerImpact::RewritesLock))
        effects.append(Texts::tr("If the holder still renews the lock, a grace period has no effect."));
    if (lock.quorum)
        effects.prepend(
            Texts::tr("Runs on %1 of %2 servers of the group, except those that name another owner.")
                .arg(lock.quorum->members.size() - lock.quorum->unknown)
                .arg(lock.quorum->members.size()));
    else if (spec.maySpanServers)
        effects.append(Texts::tr("If on several servers, connect to them as one Redlock group first."));
    if (lock.problems.testFlag(Problem::Deadlock))
        effects.prepend(deadlockRemedy());
    effects.removeAll(QString());
    return effects;
}

QString deadlockRemedy()
{
    return Texts::tr("To end the deadlock, force-expire one of its locks.");
}

QString silenceInWords(NoSubscribersMeaning silence)
{
    return inWords(describe(silence));
}

QString removeWaiterEffect(const Lock &lock, const OwnerId &waiter, const OwnerLabeler &call)
{
    if (const QString unproved = silenceInWords(lock.companions->waiters.silence); !unproved.isEmpty())
        return Texts::tr("No effect: %1 is not subscribed here, but %2.").arg(called(waiter, call), unproved);
    const QString leaves =
        Texts::tr(
            "If %1 is not subscribed, it is removed from the queue. If still running, it rejoins at the end.")
            .arg(called(waiter, call));
    const QList<Waiter> &queue = lock.companions->waiters.queue;
    if (queue.isEmpty() || queue.front().id != waiter || !lock.owners.isEmpty())
        return leaves;
    return Texts::tr("%1 %2", "two sentences, one after the other")
        .arg(leaves, specOf(lock.family).wake == WaitMechanism::Handoff
                         ? Texts::tr("The next waiter acquires the free lock at its next attempt.")
                         : Texts::tr("The next waiter is woken."));
}

QString wakeEffect(const Lock &lock, const OwnerLabeler &call)
{
    return Texts::tr("If the lock is still free: removes timed-out waiters at the queue head, then wakes the "
                     "first waiter, %1.")
        .arg(called(lock.companions->waiters.queue.value(0).id, call));
}

} // namespace lockscope

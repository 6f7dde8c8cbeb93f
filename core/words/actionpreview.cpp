// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/actionpreview.h"

#include "core/act/scripttable.h"
#include "core/base/printable.h"
#include "core/family/companionkeys.h"
#include "core/family/family.h"
#include "core/family/otherlibraries.h"
#include "core/family/recognize.h"
#include "core/family/shapes.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::effects)
};

constexpr qsizetype mostOfAName = 80;

QString named(const QByteArray &bytes)
{
    return printable(bytes, mostOfAName);
}

QString called(const OwnerId &id, const OwnerLabeler &call)
{
    return call ? call(id) : named(id.bytes);
}

/// What goes with it, or stays.
QString companions(const Lock &lock)
{
    const QString unproved = silenceInWords(lock.beside->waiters.silence);
    switch (lock.family) {
    case Family::RedissonFair:
        if (!unproved.isEmpty())
            return Words::tr("The wait queue is kept, waiters that are not heard here included: %1. Only "
                             "timed-out waiters at its head are removed.")
                .arg(unproved);
        if (lock.beside->waiters.silence == Silence::Proves)
            return Words::tr("The wait queue is kept. Timed-out waiters at its head are removed; without a "
                             "grace period, unsubscribed ones too. After a grace period, the remaining "
                             "waiters may wake up late.");
        return Words::tr("The wait queue is kept. Timed-out waiters at its head are removed; without a grace "
                         "period, unsubscribed ones too, if no other server can have their subscribers.");
    case Family::RedissonFenced:
        return Words::tr("The counter of its fencing tokens stays, so the next token is still the largest.");
    case Family::RedissonReadWrite:
        return Words::tr("The keys that time each reader's hold go with it.");
    case Family::RedissonSemaphore:
        return Words::tr("Each permit goes back: the count of free ones goes up by one.");
    case Family::RedissonLatch:
        return Words::tr("The latch is open then, whatever was left to count down.");
    case Family::PythonRedisLock:
        return Words::tr("What is left in its signal list is dropped.");
    case Family::SidekiqUniqueJobs:
        return Words::tr(
            "Its lists and its entry in the index of digests go with it, unless jobs wait: then they "
            "stay. A lock for the time of running (:RUN) that is held stays too.");
    case Family::Handoff:
        if (!unproved.isEmpty())
            return Words::tr("The wait queue and the counter of fencing tokens are kept. A waiter that is "
                             "not heard here gets the lock all the same: %1.")
                .arg(unproved);
        return Words::tr("The wait queue and the counter of fencing tokens are kept. Unsubscribed waiters at "
                         "the queue head are removed, if no other server can have their subscribers.");
    default:
        return {};
    }
}

QString byPolling(Family family)
{
    switch (family) {
    case Family::Redbeat:
        return Words::tr(
            "Nobody is told: a standby scheduler finds it free at its next look, which can be minutes "
            "away.");
    case Family::CeleryOnce:
    case Family::ShedLock:
        return Words::tr("Nobody waits for such a lock: the task is free to start when it is due next.");
    case Family::BullMq:
    case Family::Bull:
        return {};
    case Family::Token:
        return Words::tr(
            "No wake-up is sent, since the library is not known. Polling clients find the lock free; "
            "clients that wait for a message may not notice.");
    default:
        return Words::tr("Nobody is told: those who wait find it free when they try again by themselves.");
    }
}

/// How those who wait learn of it.
QString waking(const Lock &lock, const OwnerLabeler &call)
{
    const QList<Waiter> &queue = lock.beside->waiters.queue;
    const bool isUnproved = !silenceInWords(lock.beside->waiters.silence).isEmpty();
    switch (factsOf(lock.family).wake) {
    case WaitMechanism::Polling:
        return byPolling(lock.family);
    case WaitMechanism::Message: {
        const QString channel = named(unlockChannel(lock.family, lock.key()));
        if (isUnattributed(lock.family))
            return Words::tr("Without a grace period, Redisson's unlock message is published on the channel "
                             "%1. Whether this lock's clients listen to it is not known; those that poll "
                             "find the lock free.")
                .arg(channel);
        return lock.family == Family::RedissonReadWrite || lock.family == Family::RedissonLatch
                   ? Words::tr("A message on the channel %1 wakes all who wait.").arg(channel)
                   : Words::tr(
                         "A message on the channel %1 wakes one waiting thread of each process; those that "
                         "poll find it free.")
                         .arg(channel);
    }
    case WaitMechanism::QueueHeadChannel:
        if (isUnproved && !queue.isEmpty())
            return Words::tr("A message wakes the first in its queue, %1, and those behind it up to the "
                             "first that is heard here.")
                .arg(called(queue.front().id, call));
        return queue.isEmpty() ? Words::tr("A message wakes whoever stands first in its queue.")
                               : Words::tr("A message wakes the first in its queue, %1, or where that one "
                                           "does not listen the first that does.")
                                     .arg(called(queue.front().id, call));
    case WaitMechanism::Handoff:
        if (isUnproved && !queue.isEmpty())
            return Words::tr("It is handed to the first in its queue that has not timed out: %1 is next.")
                .arg(called(queue.front().id, call));
        return queue.isEmpty() ? Words::tr("It is handed to the first in its queue that listens.")
                               : Words::tr("It is handed to the first in its queue that listens: %1 is next.")
                                     .arg(called(queue.front().id, call));
    case WaitMechanism::ListPush:
        return lock.family == Family::SidekiqUniqueJobs
                   ? Words::tr("A waiting job is woken by an element pushed to its queue.")
                   : Words::tr("An element pushed to its signal list wakes one that waits. Nothing is pushed "
                               "when a "
                               "grace runs out: then they wait on.");
    case WaitMechanism::KeyMessage:
        return Words::tr(
            "A message named like the key wakes registries that listen; those that poll find it free. "
            "None is sent when a grace runs out: then it can take them a minute.");
    }
    return {};
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
               : Words::tr("%n process(es) listen(s) for it now.", nullptr,
                           int(std::min<qint64>(waiters.count, 1'000'000)));
}

QString forTheOwner(Family family)
{
    switch (factsOf(family).oldOwner) {
    case OwnerImpact::Unaware:
        if (factsOf(family).taking == AcquireSupport::NoOwners)
            return {};
        return Words::tr("Its owner is not told and never learns of it.");
    case OwnerImpact::FailsRelease:
        if (isUnattributed(family))
            return Words::tr(
                "The holder is not notified and may still be working. Its library is not known: its "
                "release may fail, do nothing, or delete the next owner's lock.");
        if (family == Family::RedissonFair)
            return Words::tr(
                "Its owner is not told and may still be working. Its unlock() throws where somebody has "
                "taken the lock meanwhile, and else says nothing.");
        if (isRedissonLock(family) || family == Family::RedissonReadWrite)
            return Words::tr(
                "Its owner is not told and may still be working. It stops renewing within 10 s, and its "
                "unlock() throws.");
        return Words::tr("Its owner is not told and may still be working; its release will fail.");
    case OwnerImpact::JobReassigned:
        return Words::tr(
            "The job is given to another worker within about a minute, while the old one may still run "
            "it.");
    case OwnerImpact::FailsRenewal:
        return Words::tr("Its owner may still be working; it learns of it when its next renewal fails.");
    case OwnerImpact::RewritesLock:
        return Words::tr(
            "It may not last: the next renewal of its owner writes the lock anew, unless somebody has "
            "taken it meanwhile. Stop that process first.");
    case OwnerImpact::DeletesNextLock:
        return Words::tr(
            "Its owner is not told, and when it is done it deletes whatever stands there: the next "
            "owner's lock too.");
    }
    return {};
}

QString listed(const QStringList &names)
{
    return names.join(QStringLiteral(", "));
}

/// Where only the user knows whose it is, it may be one whose waiters sleep on, or that does not stay ended, or hurts.
QStringList forTheCandidates(const Lock &lock)
{
    QStringList asleep;
    QStringList back;
    QStringList hurt;
    for (const Family family : candidatesOf(lock)) {
        const FamilyFacts &facts = factsOf(family);
        const QString name = QString::fromLatin1(facts.name);
        if (facts.wake == WaitMechanism::ListPush || facts.wake == WaitMechanism::KeyMessage)
            asleep.append(name);
        if (facts.oldOwner == OwnerImpact::RewritesLock)
            back.append(name);
        else if (facts.oldOwner == OwnerImpact::DeletesNextLock)
            hurt.append(name);
    }
    QStringList effects;
    for (const OtherLibrary library : otherCandidatesOf(lock)) {
        const QString name = QString::fromLatin1(otherLibrary(library).product);
        if (library == OtherLibrary::RedisLock || library == OtherLibrary::NodeResque ||
            library == OtherLibrary::RqScheduler || library == OtherLibrary::RedisMutex)
            hurt.append(name);
        if (library == OtherLibrary::RedisMutex)
            effects << Words::tr(
                           "If this is %1, its holder's process ends itself when its next renewal finds no "
                           "lock.")
                           .arg(name);
        if (library == OtherLibrary::SimpleRedisMutex)
            effects << Words::tr("If this is %1, its waiters get no message and try again within 10 s.")
                           .arg(name);
    }
    if (!asleep.isEmpty())
        effects << Words::tr("If this is %1, those who wait to be told sleep on: pin its family first.")
                       .arg(listed(asleep));
    if (!back.isEmpty())
        effects << Words::tr(
                       "If this is %1, the next renewal of its owner writes the lock anew: stop that process "
                       "first.")
                       .arg(listed(back));
    if (!hurt.isEmpty())
        effects
            << Words::tr(
                   "If this is %1, its owner deletes whatever stands there when it is done: the next owner's "
                   "lock too.")
                   .arg(listed(hurt));
    return effects;
}

/// What it is worth that the server compares the token.
QString byTheToken(const Lock &lock)
{
    const WeakToken weak = weakTokenOf(lock);
    if (!mayRepeat(weak))
        return describe(weak);
    const bool comparesMore = comparesTimeLeft(formOf(lock.family)) && lock.leaseOf != LeaseOf::Unknown;
    return Words::tr("%1 %2", "two sentences, one after the other")
        .arg(describe(weak),
             comparesMore ? Words::tr("Comparing it proves little: the time left is compared too, and "
                                      "nothing is done where it has risen.")
                          : Words::tr("Comparing it proves little: the next owner's lock may be ended."));
}

/// Redlock keeps a lock on several servers that know nothing of each other.
bool maySpanServers(Family family)
{
    switch (family) {
    case Family::Redsync:
    case Family::RedLockNet:
    case Family::Pottery:
    case Family::NodeRedlock:
    case Family::RedlockUniversal:
    case Family::Redlock4j:
        return true;
    default:
        return false;
    }
}

} // namespace

QStringList previewForceExpire(const Lock &lock, const OwnerLabeler &call)
{
    if (lock.family == Family::Unknown)
        return {
            Words::tr("None: this is not a recognized lock, and Lockscope has no script that expires it.")};
    const bool isSemaphore = lock.family == Family::RedissonSemaphore;
    if (isSemaphore && lock.beside->permits.isEmpty())
        return {Words::tr("It can't be ended by force: it keeps no owners, only a count of what is free.")};
    const FamilyFacts &facts = factsOf(lock.family);
    QStringList effects{companions(lock), waking(lock, call), howMany(lock.beside->waiters),
                        isSemaphore
                            ? Words::tr("Whoever holds a permit is not told and may still be working; its "
                                        "release() will fail.")
                            : forTheOwner(lock.family)};
    effects += forTheCandidates(lock);
    effects << byTheToken(lock);
    if (facts.renews && facts.oldOwner != OwnerImpact::RewritesLock)
        effects.append(
            Words::tr("A grace does not last where the owner lives and renews: the next renewal sets the "
                      "lease anew."));
    if (maySpanServers(lock.family))
        effects.append(Words::tr("Where it is kept on several servers, it has to be ended on most of them."));
    effects.removeAll(QString());
    return effects;
}

QString silenceInWords(Silence silence)
{
    switch (silence) {
    case Silence::NotAsked:
    case Silence::Proves:
        break;
    case Silence::Unknown:
        return Words::tr("the server does not tell which replicas or other nodes there are");
    case Silence::OtherNodes:
        return Words::tr("it may be subscribed to another node of the cluster");
    case Silence::IsReplica:
        return Words::tr("this is a replica, and it may be subscribed to another server");
    case Silence::Replicas:
        return Words::tr("it may be subscribed to a replica of this server");
    }
    return {};
}

QString removeWaiterEffect(const Lock &lock, const OwnerId &waiter, const OwnerLabeler &call)
{
    if (const QString unproved = silenceInWords(lock.beside->waiters.silence); !unproved.isEmpty())
        return Words::tr("No effect: %1 is not heard here, but %2.").arg(called(waiter, call), unproved);
    const QString leaves = Words::tr("%1 leaves the queue, if it does not listen. Should it be alive after "
                                     "all, it queues again, at the "
                                     "end.")
                               .arg(called(waiter, call));
    const QList<Waiter> &queue = lock.beside->waiters.queue;
    if (queue.isEmpty() || queue.front().id != waiter || !lock.owners.isEmpty())
        return leaves;
    return Words::tr("%1 %2", "two sentences, one after the other")
        .arg(leaves, lock.family == Family::Handoff
                         ? Words::tr("The next one takes the free lock at its own next try.")
                         : Words::tr("The lock is free, so the next one is woken to take it."));
}

} // namespace lockscope

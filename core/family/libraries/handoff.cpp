// SPDX-License-Identifier: GPL-3.0-or-later
// The fair lock of lua/handoff/: a counted hash that is given to the first in its queue.
#include "core/family/libraries/handoff.h"

#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/actionrequest.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr QByteArrayView queueSuffix = ":handoff:queue";
constexpr QByteArrayView waitersSuffix = ":handoff:waiters";
constexpr QByteArrayView fenceSuffix = ":handoff:fence";

/// Allocates once: called for every lock at each read.
QByteArray suffixed(const LockKey &lock, QByteArrayView suffix)
{
    QByteArray key;
    key.reserve(lock.bytes.size() + suffix.size());
    key.append(lock.bytes);
    key.append(suffix);
    return key;
}

QByteArray queueOf(const LockKey &lock)
{
    return suffixed(lock, queueSuffix);
}

QByteArray handoffFence(const LockKey &lock)
{
    return suffixed(lock, fenceSuffix);
}

QByteArray pattern(const Lock &)
{
    return "*:handoff:*";
}

// Until when each of the waiters in the queue waits, and what lease each asks for.
void appendWaiters(CommandBatch &batch, const Lock &lock, const PartialCompanionState &reading)
{
    const QByteArray waiters = suffixed(lock.key(), waitersSuffix);
    std::vector<QByteArrayView> command{"HMGET", waiters};
    for (const Waiter &waiter : reading.state.waiters.queue)
        command.emplace_back(waiter.id.bytes);
    batch.add(command);
}

CompanionQueries takeWaiters(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                             Family)
{
    QList<Waiter> &queue = reading.state.waiters.queue;
    const std::vector<Reply> &entries = replies[0].elements; // "deadline lease" of each
    for (qsizetype i = 0; i < std::min(queue.size(), qsizetype(entries.size())); ++i) {
        const QByteArray &entry = entries[static_cast<size_t>(i)].text;
        queue[i].timeoutAtMs = epochMsIn(entry.left(entry.indexOf(' ')));
    }
    return {};
}

constexpr std::array waitersCommands{QByteArrayView("hmget")};
constexpr CompanionQuery waitersQuery{.commands = waitersCommands,
                                      .weight = 2,
                                      .append = appendWaiters,
                                      .take = takeWaiters,
                                      .pattern = pattern};

void appendQueue(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    batch.add({"LRANGE", queueOf(lock.key()), "0", lastWaiterAsked});
}

CompanionQueries takeOwnQueue(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                              Family self)
{
    reading.read.insert(self);
    const bool isFirst = reading.state.waiters.queue.isEmpty();
    takeQueue(reading, replies[0], self);
    const bool isFound = isFirst && !reading.state.waiters.queue.isEmpty();
    return isFound ? CompanionQueries{&waitersQuery} : CompanionQueries();
}

constexpr std::array queueCommands{QByteArrayView("lrange")};
constexpr CompanionQuery queueQuery{
    .commands = queueCommands, .weight = 3, .append = appendQueue, .take = takeOwnQueue, .pattern = pattern};

void appendFence(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    batch.add({"GETRANGE", handoffFence(lock.key()), "0", lastByteOfToken});
}

CompanionQueries takeFence(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                           Family self)
{
    takeFencingToken(reading, replies[0], self);
    return {};
}

constexpr std::array fenceCommands{QByteArrayView("getrange")};
constexpr CompanionQuery fenceQuery{
    .commands = fenceCommands, .append = appendFence, .take = takeFence, .pattern = pattern};

constexpr std::array queries{&queueQuery, &fenceQuery};
constexpr std::array later{&waitersQuery};

QByteArrayList signs(const LockKey &lock)
{
    return {queueOf(lock), handoffFence(lock)};
}

LockKey parentOfName(QByteArrayView key)
{
    static constexpr std::array<QByteArrayView, 3> suffixes{queueSuffix, waitersSuffix, fenceSuffix};
    for (const QByteArrayView suffix : suffixes) {
        if (key.endsWith(suffix))
            return LockKey(key.chopped(suffix.size()).toByteArray());
    }
    return {};
}

std::optional<EvidenceSet> matchCompanions(const Lock &lock)
{
    if (!isCountedLock(lock) && !isRedissonLock(lock))
        return std::nullopt;
    return lock.evidence | EvidenceSet{Evidence::Content, Evidence::Companions};
}

QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &, bool)
{
    const HandoffKeys companions(request.key);
    if (request.action == Action::Extend)
        return {};
    return {companions.queue, companions.waiters, companions.fence};
}

/// Without patience it neither joins nor overtakes the queue.
QByteArrayList acquireArguments()
{
    return {{}, "next"};
}

QByteArrayList releaseArguments(const ActionRequest &request)
{
    return leaseOfTheRest(request) << (request.allLevels ? "all" : "");
}

constexpr Scripts scripts{.acquire = {"handoff/acquire"},
                          .release = {"handoff/release"},
                          .extend = {"reentrant/extend", true},
                          .forceExpire = {"handoff/force-expire"},
                          .removeWaiter = {"handoff/remove-waiter"},
                          .wake = {"handoff/wake"},
                          .keepsCounts = true,
                          .keys = keys,
                          .acquireArguments = acquireArguments,
                          .releaseArguments = releaseArguments};

Phrase companionEffect(const Lock &lock)
{
    if (const Phrase unproved = describe(lock.companions->waiters.silence); !unproved.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The wait queue and the fencing counter are kept. Waiters "
                                                   "not subscribed here still get the lock: %1."),
                      unproved);
    return Phrase(QT_TRANSLATE_NOOP("phrases", "The wait queue and the fencing counter are kept. Provably "
                                               "unsubscribed waiters at the queue head are removed."));
}

} // namespace

HandoffKeys::HandoffKeys(const LockKey &lock)
    : queue(queueOf(lock)), waiters(suffixed(lock, waitersSuffix)), fence(handoffFence(lock))
{
}

QByteArray handoffChannel(const LockKey &lock, const OwnerId &owner)
{
    return lock.bytes + ":handoff:wake:" + owner.bytes;
}

constinit const FamilySpec families::handoff{
    .name = "handoff",
    .noun = QT_TRANSLATE_NOOP("phrases", "handoff lock"),
    .stored = "hash, owner → hold count, with `KEY:handoff:queue`, `:waiters` and `:fence`",
    .library = "handoff",
    .proof = provenByCompanions,
    .wake = WaitMechanism::Handoff,
    .acquire = AcquireSupport::BypassesQueue,
    .renews = true,
    .countsHolds = true,
    .hasQueue = true,
    .matchCompanions = matchCompanions,
    .precedence = 3,
    .parentOfName = parentOfName,
    .ownerFacts = redissonOwner, // its clients may call themselves as Redisson's do
    .threadIdentity = wholeId,
    .waiterChannel = handoffChannel,
    .companions = {.mayHave = isCountedLock,
                   .signs = signs,
                   .queries = queries,
                   .later = later,
                   .decideKind = true,
                   .needOneServer = true,
                   .queue = queueOf},
    .scripts = &scripts,
    .companionEffect = companionEffect,
};

} // namespace lockscope

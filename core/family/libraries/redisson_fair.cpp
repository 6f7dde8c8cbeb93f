// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's fair lock: a plain one with a queue beside it.
#include "core/base/glob.h"
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/lock.h"

#include <array>

namespace lockscope {

namespace {

std::optional<LockKey> twinOf(const LockKey &lock)
{
    const QByteArray &name = lock.bytes;
    if (!name.contains('{'))
        return LockKey('{' + name + '}');
    const bool isWrapped = name.lastIndexOf('{') == 0 && name.endsWith('}') && name.size() > 2;
    return isWrapped ? std::optional(LockKey(name.sliced(1, name.size() - 2))) : std::nullopt;
}

void appendQueue(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    const RedissonKeys keys(lock.key());
    batch.add({"LRANGE", keys.queue, "0", lastWaiterAsked});
    batch.add({"ZRANGE", keys.timeouts, "0", lastWaiterAsked, "WITHSCORES"});
}

CompanionQueries takeQueueAndTimes(const Lock &, PartialCompanionState &reading,
                                   std::span<const Reply> replies, Family self)
{
    reading.read.insert(self);
    takeQueue(reading, replies[0], self);
    takeTimeouts(reading.state.waiters.queue, replies[1]);
    return {};
}

constexpr std::array queueCommands{QByteArrayView("lrange"), QByteArrayView("zrange")};
constexpr CompanionQuery queueQuery{.commands = queueCommands,
                                    .weight = 4,
                                    .append = appendQueue,
                                    .take = takeQueueAndTimes,
                                    .pattern = redissonPattern};

// Of a queue without its lock: whether it is another lock's, whose queue has the same name.
void appendTwin(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    if (const auto twin = twinOf(lock.key()))
        batch.add({"EXISTS", twin->bytes});
}

CompanionQueries takeTwin(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                          Family)
{
    reading.isOfTwin = isThere(replies[0]);
    return {};
}

constexpr std::array twinCommands{QByteArrayView("exists")};
constexpr CompanionQuery twinQuery{
    .commands = twinCommands,
    .apart = 1,
    .append = appendTwin,
    .take = takeTwin,
    .pattern = [](const Lock &lock) { return escapedGlob(twinOf(lock.key())->bytes); }};

CompanionQueries more(const Lock &lock)
{
    const bool isOrphan =
        lock.owners.isEmpty() && lock.companions->implied.contains(familyOf(families::redisson_fair));
    return isOrphan && twinOf(lock.key()) ? CompanionQueries{&twinQuery} : CompanionQueries();
}

constexpr std::array queries{&queueQuery};
constexpr std::array later{&twinQuery};

LockKey parentOfName(QByteArrayView key)
{
    static constexpr std::array<QByteArrayView, 2> prefixes{"redisson_lock_queue:", "redisson_lock_timeout:"};
    for (const QByteArrayView prefix : prefixes) {
        if (key.startsWith(prefix))
            return redissonUnwrapped(key.sliced(prefix.size()));
    }
    return {};
}

LockKey lockOfQueue(QByteArrayView key)
{
    return key.startsWith("redisson_lock_queue:") ? parentOfName(key) : LockKey();
}

QByteArray waiterChannel(const LockKey &lock, const OwnerId &waiter)
{
    return redissonChannel(lock) + ':' + waiter.bytes;
}

Phrase companionEffect(const Lock &lock)
{
    const NoSubscribersMeaning silence = lock.companions->waiters.silence;
    if (const Phrase unproved = describe(silence); !unproved.isEmpty())
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "The wait queue is kept, except timed-out waiters at its head. Not subscribed here: %1."),
            unproved);
    return Phrase(QT_TRANSLATE_NOOP(
        "phrases", "The wait queue is kept, except timed-out waiters at its head; without a grace period, "
                   "provably unsubscribed ones too. After a grace period, the others may wake late."));
}

} // namespace

constinit const FamilySpec families::redisson_fair{
    .name = "redisson-fair",
    .noun = QT_TRANSLATE_NOOP("phrases", "Redisson fair lock"),
    .stored = "as `redisson`, with `redisson_lock_queue:{KEY}` and `redisson_lock_timeout:{KEY}`",
    .library = "redisson",
    .proof = provenByCompanions,
    .wake = WaitMechanism::QueueHeadChannel,
    .acquire = AcquireSupport::BypassesQueue,
    .renews = true,
    .countsHolds = true,
    .hasQueue = true,
    .watchdog = redissonWatchdog,
    .matchCompanions = matchRedissonCompanions,
    .precedence = 2,
    .parentOfName = parentOfName,
    .ownerFacts = redissonOwner,
    .threadIdentity = redissonThread,
    .unlockChannel = redissonChannel,
    .waiterChannel = waiterChannel,
    .companions = {.mayHave = isCountedLock,
                   .signs = [](const LockKey &lock) { return QByteArrayList{redissonQueue(lock)}; },
                   .queries = queries,
                   .more = more,
                   .later = later,
                   .decideKind = true,
                   .queue = redissonQueue},
    .lockOfQueue = lockOfQueue,
    .twinOf = twinOf,
    .scripts = &redissonScripts,
    .ownerEffect = QT_TRANSLATE_NOOP("phrases", "The holder is not notified and may still be working. If "
                                                "another owner has acquired the lock, its unlock() throws."),
    .companionEffect = companionEffect,
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's fenced lock: a plain one with a counter of fencing tokens beside it.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/lock.h"

#include <array>

namespace lockscope {

namespace {

void append(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    batch.add({"GETRANGE", redissonFence(lock.key()), "0", lastByteOfToken});
}

CompanionQueries take(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                      Family self)
{
    reading.read.insert(self);
    takeFencingToken(reading, replies[0], self);
    return {};
}

constexpr std::array commands{QByteArrayView("getrange")};
constexpr CompanionQuery fenceQuery{
    .commands = commands, .append = append, .take = take, .pattern = redissonPattern};
constexpr std::array queries{&fenceQuery};

LockKey parentOfName(QByteArrayView key)
{
    constexpr QByteArrayView prefix = "redisson_lock_token:";
    return key.startsWith(prefix) ? redissonUnwrapped(key.sliced(prefix.size())) : LockKey();
}

} // namespace

constinit const FamilySpec families::redisson_fenced{
    .name = "redisson-fenced",
    .noun = QT_TRANSLATE_NOOP("phrases", "Redisson fenced lock"),
    .stored = "as `redisson`, with a counter of fencing tokens",
    .library = "redisson",
    .proof = provenByCompanions,
    .wake = WaitMechanism::Message,
    .renews = true,
    .countsHolds = true,
    .watchdog = redissonWatchdog,
    .matchCompanions = matchRedissonCompanions,
    .precedence = 1,
    .parentOfName = parentOfName,
    .ownerFacts = redissonOwner,
    .threadIdentity = redissonThread,
    .unlockChannel = redissonChannel,
    .companions = {.mayHave = isCountedLock,
                   .signs = [](const LockKey &lock) { return QByteArrayList{redissonFence(lock)}; },
                   .queries = queries,
                   .decideKind = true},
    .scripts = &redissonScripts,
    .ownerEffect = stopsRenewing,
    .companionNote = QT_TRANSLATE_NOOP("phrases", "The fencing counter is kept, so tokens keep increasing."),
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's fenced lock: a plain one with a counter of fencing tokens beside it.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

#include <array>

namespace lockscope {

namespace {

QByteArray fenceOf(const LockKey &lock)
{
    return redissonFence(lock);
}

void append(CommandBatch &batch, const Lock &lock, const CompanionReading &)
{
    batch.add({"GETRANGE", fenceOf(lock.key()), "0", lastByteOfToken});
}

CompanionQueries take(const Lock &, CompanionReading &reading, std::span<const Reply> replies, Family self)
{
    reading.read.insert(self);
    if (const QByteArray token = textIn(replies[0]); !token.isEmpty()) {
        reading.state.fencingToken = token;
        reading.state.implied.insert(self);
    }
    return {};
}

QByteArray pattern(const Lock &)
{
    return "redisson_lock_*";
}

constexpr std::array commands{QByteArrayView("getrange")};
constexpr CompanionQuery fenceQuery{.commands = commands, .append = append, .take = take, .pattern = pattern};
constexpr std::array queries{&fenceQuery};

LockKey parentOfName(QByteArrayView key)
{
    constexpr QByteArrayView prefix = "redisson_lock_token:";
    return key.startsWith(prefix) ? redissonUnwrapped(key.sliced(prefix.size())) : LockKey();
}

std::optional<EvidenceSet> matchCompanions(const Lock &lock)
{
    if (!isRedissonLock(lock))
        return std::nullopt;
    return lock.evidence | EvidenceSet{Evidence::Content, Evidence::Companions};
}

Phrase companionEffect(const Lock &)
{
    return Phrase(QT_TRANSLATE_NOOP(
        "phrases", "The counter of fencing tokens is kept, so the next token is still the largest."));
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
    .matchCompanions = matchCompanions,
    .precedence = 1,
    .parentOfName = parentOfName,
    .ownerFacts = redissonOwner,
    .threadIdentity = redissonThread,
    .unlockChannel = redissonChannel,
    .companions = {.mayHave = isCountedLock,
                   .signs = [](const LockKey &lock) { return QByteArrayList{fenceOf(lock)}; },
                   .queries = queries,
                   .known = queries,
                   .decideKind = true},
    .scripts = &redissonScripts,
    .ownerEffect = stopsRenewing,
    .companionEffect = companionEffect,
};

} // namespace lockscope

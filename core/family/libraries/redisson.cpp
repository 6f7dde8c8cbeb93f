// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's RLock, spin and non-reentrant locks: a hash of one owner, which counts its holds.
#include "core/family/libraries/redisson.h"

#include "core/family/familytable.h"
#include "core/model/actionrequest.h"

#include <algorithm>

namespace lockscope {

namespace {

/// Appends the name in braces, unless it has some: all keys of a lock are then in one cluster slot.
void appendName(QByteArray &key, QByteArrayView name)
{
    if (name.contains('{')) {
        key.append(name);
        return;
    }
    key.append('{');
    key.append(name);
    key.append('}');
}

/// Reserves space for a key of two parts, to allocate once: called for every lock read.
QByteArray roomFor(QByteArrayView a, QByteArrayView b)
{
    constexpr qsizetype jointAndBraces = 3;
    QByteArray room;
    room.reserve(a.size() + b.size() + jointAndBraces);
    return room;
}

std::optional<EvidenceSet> matchOwners(const HashOwners &hash)
{
    const bool areIds = std::ranges::all_of(hash.owners, [](const LockOwner &holder) {
        return isRedissonOwner(holder) && holder.mode == HoldMode::Exclusive;
    });
    if (!areIds)
        return std::nullopt;
    return contentEvidence(hash.key.startsWith("redisson_"), hash.ttl.has_value());
}

/// Requires a lease: applications count visits in such hashes.
std::optional<OwnersMatch> matchHash(const HashValue &hash)
{
    constexpr qsizetype maxIds = 4; // one is a lock, another a fault; a crowd is somebody's statistics
    const auto isId = [](const auto &field) {
        const std::optional<RedissonId> id = redissonId(field.first);
        return id && !id->writes;
    };
    const HashContent &content = hash.content;
    if (!content.complete || !std::ranges::all_of(content.fields, isId))
        return std::nullopt;
    const qsizetype ids = content.fields.size();
    if (ids > maxIds || (ids > 1 && !hash.ttl))
        return OwnersMatch();
    QList<LockOwner> owners;
    for (const auto &[field, value] : content.fields)
        owners.append({OwnerId(field), value, parseCount(value)});
    OwnersMatch result = holding(
        std::move(owners), contentEvidence(hash.key.startsWith("redisson_"), hash.ttl.has_value()), true);
    result.problems.setFlag(Problem::SeveralOwners, ids > 1);
    return result;
}

LockKey parentOfName(QByteArrayView key)
{
    constexpr QByteArrayView latch = "redisson_unlock_latch:";
    if (!key.startsWith(latch))
        return {};
    const QByteArrayView rest = key.sliced(latch.size()); // the name, a colon, a request
    return redissonUnwrapped(rest.first(std::max(rest.lastIndexOf(':'), qsizetype(0))));
}

/// True for a cache's marker, which is no lock.
bool isCommonKey(QByteArrayView key)
{
    return key.startsWith("redisson__execute_task_once_latch:");
}

QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &, bool isAlone)
{
    const RedissonKeys companions(request.key);
    const Action action = request.action;
    if (action == Action::Extend || (isAlone && !isForWaiters(action)))
        return {};
    return {companions.queue, action == Action::Acquire ? companions.fence : companions.timeouts};
}

std::optional<Phrase> validationError(const ActionRequest &request)
{
    if (request.action != Action::Acquire || request.owner.isEmpty() || redissonId(request.owner.bytes))
        return std::nullopt;
    return Phrase(QT_TRANSLATE_NOOP(
        "phrases", "The owner ID must be UUID:number, as in 7c9e6679-7425-40de-944b-e07fc1f90ae7:1."));
}

} // namespace

constinit const Scripts redissonScripts{.acquire = {"redisson-fair/acquire"},
                                        .release = {"redisson-fair/release"},
                                        .extend = {"reentrant/extend", true},
                                        .forceExpire = {"redisson-fair/force-expire"},
                                        .removeWaiter = {"redisson-fair/remove-waiter"},
                                        .wake = {"redisson-fair/wake"},
                                        .keepsCounts = true,
                                        .sendsToShards = true,
                                        .keys = keys,
                                        .releaseArguments = leaseAndLevels,
                                        .validationError = validationError};

QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name)
{
    QByteArray key = roomFor(prefix, name);
    key.append(prefix);
    key.append(':');
    appendName(key, name);
    return key;
}

QByteArray redissonSuffixed(QByteArrayView name, QByteArrayView suffix)
{
    QByteArray key = roomFor(name, suffix);
    appendName(key, name);
    key.append(':');
    key.append(suffix);
    return key;
}

LockKey redissonUnwrapped(QByteArrayView name)
{
    const qsizetype brace = name.lastIndexOf('{');
    if (brace == 0 && name.endsWith('}'))
        return LockKey(name.sliced(1, name.size() - 2).toByteArray());
    return brace < 0 ? LockKey() : LockKey(name.toByteArray());
}

QByteArray redissonQueue(const LockKey &lock)
{
    return redissonPrefixed("redisson_lock_queue", lock.bytes);
}

QByteArray redissonFence(const LockKey &lock)
{
    return redissonPrefixed("redisson_lock_token", lock.bytes);
}

RedissonKeys::RedissonKeys(const LockKey &lock)
    : queue(redissonQueue(lock)),
      timeouts(redissonPrefixed("redisson_lock_timeout", lock.bytes)),
      fence(redissonFence(lock))
{
}

QByteArray redissonChannel(const LockKey &lock)
{
    return redissonPrefixed("redisson_lock__channel", lock.bytes);
}

OwnerFacts redissonOwner(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (const std::optional<RedissonId> id = redissonId(owner.bytes)) {
        facts.client = id->client().toByteArray();
        facts.thread = id->thread().toByteArray();
        facts.transaction = id->transaction.toByteArray();
    }
    return facts;
}

QByteArray redissonThread(const OwnerId &owner)
{
    const std::optional<RedissonId> id = redissonId(owner.bytes);
    return id ? id->clientAndThread.toByteArray() : wholeId(owner);
}

QByteArray redissonField(const LockOwner &holder)
{
    if (holder.mode != HoldMode::Write)
        return holder.owner.bytes;
    const std::optional<RedissonId> id = redissonId(holder.owner.bytes);
    if (!id || id->writes)
        return holder.owner.bytes;
    QByteArray field = holder.owner.bytes;
    return field.insert(id->clientAndThread.size(), ":write");
}

bool isRedissonOwner(const LockOwner &holder)
{
    const std::optional<RedissonId> id = redissonId(holder.owner.bytes);
    return id && !id->writes;
}

bool isRedissonLock(const Lock &lock)
{
    const FamilySpec &spec = specOf(lock.family);
    if (spec.scripts == &redissonScripts)
        return true;
    return lock.family == countedHash() && !lock.owners.isEmpty() &&
           matchOwners({lock.key().bytes, lock.owners, lock.ttl});
}

std::optional<EvidenceSet> matchRedissonCompanions(const Lock &lock)
{
    if (!isRedissonLock(lock))
        return std::nullopt;
    return lock.evidence | EvidenceSet{Evidence::Content, Evidence::Companions};
}

bool isCountedLock(const Lock &lock)
{
    const FamilySpec &spec = specOf(lock.family);
    return spec.countsHolds && !spec.severalOwners;
}

constinit const FamilySpec families::redisson{
    .name = "redisson",
    .noun = QT_TRANSLATE_NOOP("phrases", "Redisson lock"),
    .stored = "hash, `<uuid>:<thread>` → hold count",
    .library = "redisson",
    .proof = provenAsRedisson,
    .prevalence = 100,
    .wake = WaitMechanism::Message,
    .renews = true,
    .countsHolds = true,
    .watchdog = redissonWatchdog,
    .fields = {FieldFormat::RedissonId},
    .matchHash = matchHash,
    .matchOwners = matchOwners,
    .parentOfName = parentOfName,
    .isCommonKey = isCommonKey,
    .ownerFacts = redissonOwner,
    .threadIdentity = redissonThread,
    .unlockChannel = redissonChannel,
    .scripts = &redissonScripts,
    .offer = QT_TRANSLATE_NOOP("phrases", "redisson: as Redisson's RLock stores it"),
    .ownerSuffix = ":1",
    .ownerEffect = stopsRenewing,
};

} // namespace lockscope

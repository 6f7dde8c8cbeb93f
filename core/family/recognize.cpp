// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/recognize.h"

#include "core/family/certainty.h"
#include "core/family/family.h"
#include "core/family/otherlibraries.h"
#include "core/family/recognizers.h"
#include "core/family/shapes.h"

#include <charconv>

namespace lockscope {

namespace {

/// A string of one owner, of which content alone says no more.
bool isToken(const Lock &lock)
{
    return lock.family == Family::Token && lock.owners.size() == 1;
}

bool isOpenHash(const Lock &lock)
{
    return lock.family == Family::Reentrant && !lock.owners.isEmpty();
}

/// A number: Redisson's semaphore or latch, where it has such companions.
bool isNumber(const Lock &lock)
{
    const bool isOpen = lock.family == Family::Token || lock.family == Family::Unknown;
    return isOpen && lock.type != KeyType::Hash && lock.owners.size() == 1 &&
           isCount(lock.owners[0].owner.bytes);
}

/// What a token on the name of a job's lock is, once it is known that there is such a job.
Family jobFamily(const Lock &lock)
{
    if (jobKeyOf(lock.key().bytes).isEmpty())
        return lock.family;
    switch (shapeOf(lock.owners[0].owner.bytes)) {
    case TokenFormat::Uuid:
        return Family::Bull;
    case TokenFormat::CountedUuid:
        return Family::BullMq;
    default:
        return lock.family;
    }
}

/// What stands beside it, and what that speaks for; else what its own content does.
Claim claimOf(const Lock &lock, qint64 nowMs)
{
    const CompanionState &beside = *lock.beside;
    const auto withCompanions = [](Family family) {
        return Claim{family, {Evidence::Content, Evidence::Companions}};
    };
    if (isToken(lock) && beside.hasParent && jobFamily(lock) != lock.family)
        return withCompanions(jobFamily(lock));
    if (isNumber(lock) && (beside.isSemaphore || beside.isLatch)) {
        // Without listeners, there or earlier, it was permits that told of it.
        EvidenceSet evidence;
        evidence.set(Evidence::Listeners, beside.hasListeners || !beside.isSemaphore);
        evidence.set(Evidence::Companions,
                     beside.isSemaphore && (!beside.permits.isEmpty() || !beside.hasListeners));
        return {beside.isSemaphore ? Family::RedissonSemaphore : Family::RedissonLatch, evidence};
    }
    if (isToken(lock)) {
        const OwnerId &token = lock.owners[0].owner;
        return tokenClaim(lock.key().bytes, token.bytes, shapeOf(token.bytes), lock.ttl, nowMs);
    }
    if (!isOpenHash(lock))
        return {lock.family, lock.evidence};
    Claim claim = countedClaim(lock.key().bytes, lock.owners, lock.ttl);
    if (claim.family == Family::Redisson && beside.hasListeners)
        claim.evidence.set(Evidence::Listeners);
    return claim;
}

/// Redisson's plain locks, and any counted ones, by the queue or the counter that stands beside them.
Claim companionClaim(const Lock &lock)
{
    const CompanionState &beside = *lock.beside;
    const EvidenceSet evidence = lock.evidence | EvidenceSet{Evidence::Content, Evidence::Companions};
    const bool isRedisson =
        isRedissonLock(lock.family) ||
        (isOpenHash(lock) && countedClaim({}, lock.owners, {}).family == Family::Redisson);
    if (beside.hasHandoff && (isRedisson || lock.family == Family::Reentrant))
        return {Family::Handoff, evidence};
    if (isRedisson && beside.hasQueue)
        return {Family::RedissonFair, evidence};
    if (isRedisson && beside.hasFence)
        return {Family::RedissonFenced, evidence};
    return {lock.family, lock.evidence};
}

/// A value with a lease that is renewed, or taken anew: who does that holds something.
void showIfAlive(Lock &lock)
{
    if (lock.family != Family::Unknown || !lock.evidence.has(Evidence::Renewals))
        return;
    // A window of requests, or a list, is written again and again, too.
    if (lock.type != KeyType::String && lock.type != KeyType::Hash)
        lock.evidence.set(Evidence::Renewals, false);
    // Of a record an owner was read, who is neither its value nor a field of it: no script would find them.
    if (lock.owners.isEmpty() || lock.evidence.has(Evidence::Content))
        return;
    if (lock.type == KeyType::String)
        lock.family = Family::Token;
    else if (lock.type == KeyType::Hash)
        lock.family = Family::Reentrant;
}

} // namespace

Recognition recognize(const LockKey &key, const KeyContent &content, CompactOptional<milliseconds> ttl,
                      qint64 nowMs)
{
    if (const auto *hash = std::get_if<HashContent>(&content))
        return recognizeHash(key, *hash, ttl);
    if (const auto *string = std::get_if<StringContent>(&content))
        return recognizeString(key, *string, ttl, nowMs);
    if (const auto *sortedSet = std::get_if<SortedSetContent>(&content))
        return recognizeSortedSet(key, *sortedSet, ttl, nowMs);
    if (const auto *set = std::get_if<SetContent>(&content))
        return recognizeSet(key, *set);
    return {Family::Unknown, {}, Problem::WrongType, {}};
}

void takeRecognition(Lock &lock, const Recognition &found)
{
    lock.family = found.family;
    lock.owners = found.owners;
    lock.problems = found.problems;
    lock.evidence = found.evidence;
    const bool isFault =
        found.alarmsWithoutExpiry || (isProven(found.family, found.evidence) && needsExpiry(found.family));
    lock.problems.setFlag(Problem::NoExpiry, !lock.deadline && isFault);
}

void setFamily(Lock &lock, Family family)
{
    if (family == lock.family)
        return;
    lock.family = family;
    lock.problems.setFlag(Problem::NoExpiry,
                          !lock.deadline && lock.leaseOf != LeaseOf::Unknown && needsExpiry(family));
}

void nameByEvidence(Lock &lock, qint64 nowMs)
{
    showIfAlive(lock);
    if (lock.beside->hasListeners && isCounted(lock.family))
        lock.evidence.set(Evidence::Listeners);
    Claim claim = companionClaim(lock);
    if (claim.family == lock.family)
        claim = claimOf(lock, nowMs);
    claim.evidence |= lock.evidence & (watchedEvidence | Evidence::Rule);
    if (claim.family == lock.family) {
        lock.evidence |= claim.evidence;
    } else if (isProven(claim.family, claim.evidence)) {
        lock.evidence = claim.evidence;
        setFamily(lock, claim.family);
    }
}

QList<Family> candidatesOf(const Lock &lock)
{
    if (isToken(lock))
        return tokenCandidates(lock.key().bytes, lock.owners[0].owner.bytes);
    if (isOpenHash(lock)) {
        if (const Family family = countedClaim({}, lock.owners, {}).family; family != Family::Reentrant)
            return {family};
    }
    return {};
}

QByteArrayList candidateNames(const Lock &lock)
{
    QByteArrayList names;
    for (const Family family : candidatesOf(lock))
        names.append(factsOf(family).name);
    for (const OtherLibrary library : otherCandidatesOf(lock))
        names.append(otherLibrary(library).name);
    return names;
}

QByteArray storedField(const LockOwner &holder)
{
    if (holder.mode != HoldMode::Write)
        return holder.owner.bytes;
    const std::optional<RedissonId> id = redissonId(holder.owner.bytes);
    if (!id || id->writes)
        return holder.owner.bytes;
    QByteArray field = holder.owner.bytes;
    return field.insert(id->clientAndThread.size(), ":write");
}

std::optional<qint64> parseCount(QByteArrayView text)
{
    constexpr qsizetype mostDigits = 15; // Lua's numbers are exact to 2^53
    qint64 count = 0;
    if (text.isEmpty() || text.size() > mostDigits || text[0] < '1' || text[0] > '9')
        return std::nullopt;
    const char *end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, count);
    if (failure != std::errc() || stop != end)
        return std::nullopt;
    return count;
}

} // namespace lockscope

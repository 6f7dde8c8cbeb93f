// SPDX-License-Identifier: GPL-3.0-or-later
// Locks kept as hashes: Redisson's, those of sidekiq-unique-jobs, and counted ones of nobody in particular.
#include "core/family/certainty.h"
#include "core/family/recognizers.h"
#include "core/family/shapes.h"
#include "core/family/standing.h"

#include <algorithm>
#include <tuple>

namespace lockscope {

namespace {

void sort(QList<LockOwner> &owners)
{
    if (owners.size() > 1)
        std::ranges::sort(owners, {}, [](const LockOwner &h) { return std::tuple(h.owner, h.mode); });
}

bool severalAmong(const QList<LockOwner> &sorted)
{
    return sorted.size() > 1 && sorted.front().owner != sorted.back().owner;
}

Recognition finished(Family family, QList<LockOwner> owners, bool complete)
{
    Recognition result{family, std::move(owners), {}};
    sort(result.owners);
    result.problems.setFlag(Problem::TooBig, !complete);
    result.problems.setFlag(Problem::BadCount, std::ranges::any_of(result.owners, [](const LockOwner &h) {
                                return !h.holdCount;
                            }));
    return result;
}

QList<LockOwner> holdersIn(const HashContent &hash)
{
    QList<LockOwner> owners;
    owners.reserve(hash.fields.size());
    for (const auto &[field, value] : hash.fields)
        owners.append({OwnerId(field), value, parseCount(value)});
    return owners;
}

/// What a record says of who holds: somebody's home-made lock, or a record of other things.
Recognition record(const HashContent &hash, bool hasLease)
{
    QList<LockOwner> owners;
    bool saysSomething = false;
    for (const auto &[name, value] : hash.fields) {
        const RecordField field = recordField(name);
        saysSomething = saysSomething || field != RecordField::Nothing;
        if (field == RecordField::Owner && !value.isEmpty())
            owners.append({OwnerId(value), {}, {}}); // it counts nothing
    }
    Recognition result;
    if (!owners.isEmpty() || (saysSomething && hasLease)) {
        result.evidence = Evidence::Content;
        result.owners = owners.mid(0, 1);
    }
    return result;
}

/// A hash of owners and counts, of nobody in particular. What has no end may as well be a count of other things, and
/// what has several fields a table of them.
Recognition counted(const LockKey &key, const HashContent &hash, bool hasLease)
{
    const bool isNamed =
        std::ranges::none_of(hash.fields, [](const auto &field) { return field.first.isEmpty(); });
    const bool areHolders =
        std::ranges::all_of(hash.fields, [](const auto &field) { return looksLikeHolder(field.first); });
    const bool areNamed =
        std::ranges::all_of(hash.fields, [](const auto &field) { return namesAHolder(field.first); });
    const bool anyCount = std::ranges::any_of(
        hash.fields, [](const auto &field) { return parseCount(field.second).has_value(); });
    const bool areCounts = std::ranges::all_of(
        hash.fields, [](const auto &field) { return parseCount(field.second).has_value(); });
    const bool isAlone = hash.fields.size() == 1;
    const bool mayBe = isAlone ? areCounts || areHolders : areNamed && anyCount;
    if (!hash.complete || !isNamed || !mayBe)
        return hash.complete ? record(hash, hasLease) : Recognition();
    const bool isLocks = namesALock(key.bytes);
    if (!hasLease && !areCounts && !isLocks)
        return {};
    Recognition result = finished(Family::Reentrant, holdersIn(hash), true);
    result.problems.setFlag(Problem::SeveralOwners, !isAlone);
    result.alarmsWithoutExpiry = isLocks && areNamed;
    if (!areNamed && (!hasLease || !isLocks)) // it may be a table of other things
        result.problems = {};
    return result;
}

/// Redisson's ids with counts. Without a lease applications count visits and the like so.
Recognition redissonLock(const LockKey &key, const HashContent &hash, CompactOptional<milliseconds> ttl)
{
    Recognition result = finished(Family::Redisson, holdersIn(hash), true);
    const Claim claim = countedClaim(key.bytes, result.owners, ttl);
    result.evidence = claim.evidence;
    if (!isProven(claim.family, claim.evidence)) {
        result.family = Family::Reentrant;
        result.problems = {};
    } else {
        result.problems.setFlag(Problem::SeveralOwners, result.owners.size() > 1);
    }
    return result;
}

/// Fields of Redisson's read-write lock: "mode", and owners of which writers are marked.
Recognition readWrite(const HashContent &hash, bool inWriteMode, bool hasLease)
{
    QList<LockOwner> owners;
    for (const auto &[field, value] : hash.fields) {
        const std::optional<RedissonId> id = redissonId(field);
        if (!id)
            continue; // "mode"
        QByteArray owner = field;
        if (id->writes)
            owner.remove(id->clientAndThread.size(), qsizetype(qstrlen(":write")));
        owners.append(
            {OwnerId(owner), value, parseCount(value), id->writes ? HoldMode::Write : HoldMode::Read});
    }
    Recognition result = finished(Family::RedissonReadWrite, std::move(owners), hash.complete);
    result.evidence = Evidence::Content;
    result.evidence.set(Evidence::Lease, hasLease);
    if (!hasLease) { // documents have a mode, too
        result.family = Family::Reentrant;
        result.problems = {};
        return result;
    }
    // A writer may read as well, but nobody else.
    result.problems.setFlag(Problem::SeveralOwners, inWriteMode && severalAmong(result.owners));
    return result;
}

constexpr qsizetype valueHashLength = 22;
constexpr QByteArrayView countSuffix = ":lock_count";
constexpr QByteArrayView timeSuffix = ":expire_time";

bool beginsWithValueHash(QByteArrayView field)
{
    return field.size() >= valueHashLength && endsSixteenBytes(field[valueHashLength - 1]) &&
           isBase64(field.first(valueHashLength));
}

/// Is `field` HASH:OWNER and `suffix`?
bool isOf(QByteArrayView field, QByteArrayView valueHash, QByteArrayView owner, QByteArrayView suffix)
{
    return field.size() == valueHash.size() + 1 + owner.size() + suffix.size() &&
           field.startsWith(valueHash) && field[valueHash.size()] == ':' && field.endsWith(suffix) &&
           field.sliced(valueHash.size() + 1, owner.size()) == owner;
}

/// Redisson's FasterMultiLock: three fields for each value that is locked. Nothing where it is none.
std::optional<Recognition> multi(const HashContent &hash, bool hasLease)
{
    QList<LockOwner> owners;
    bool anyWhole = false;
    for (const auto &entry : hash.fields) {
        const QByteArray &field = entry.first;
        const QByteArray &owner = entry.second;
        if (!beginsWithValueHash(field))
            return std::nullopt;
        if (field.size() > valueHashLength) {
            if (!field.endsWith(countSuffix) && !field.endsWith(timeSuffix))
                return std::nullopt;
            continue;
        }
        if (!redissonId(owner))
            return std::nullopt;
        const auto count = std::ranges::find_if(
            hash.fields, [&](const auto &other) { return isOf(other.first, field, owner, countSuffix); });
        LockOwner holder{OwnerId(field + ':' + owner), {}, {}};
        if (count != hash.fields.end()) {
            anyWhole = true;
            holder.rawHoldCount = count->second;
            holder.holdCount = parseCount(count->second);
        } else if (!hash.complete) {
            continue; // not bad, but not read
        }
        owners.append(std::move(holder));
    }
    if (!anyWhole)
        return std::nullopt;
    Recognition result = finished(Family::RedissonMulti, std::move(owners), hash.complete);
    result.evidence = Evidence::Content;
    result.evidence.set(Evidence::Lease, hasLease);
    return result;
}

/// The hash of sidekiq-unique-jobs: jobs, with the time or with what is known of each.
bool areJobs(QByteArrayView key, const HashContent &hash)
{
    constexpr QByteArrayView suffix = ":LOCKED";
    constexpr qsizetype jobIdLength = 24;
    if (!key.endsWith(suffix) || !isDigest(key.chopped(suffix.size())))
        return false;
    return std::ranges::all_of(hash.fields, [](const auto &field) {
        const QByteArrayView value = field.second;
        const bool isTime = !value.isEmpty() && isDigits(value.first(1));
        return field.first.size() == jobIdLength && isLowerHex(field.first) &&
               (isTime || value.startsWith('{'));
    });
}

} // namespace

Claim countedClaim(QByteArrayView key, const QList<LockOwner> &owners, CompactOptional<milliseconds> ttl)
{
    const auto isId = [](const LockOwner &holder) {
        const std::optional<RedissonId> id = redissonId(holder.owner.bytes);
        return id && !id->writes;
    };
    if (owners.isEmpty() || !std::ranges::all_of(owners, isId))
        return {Family::Reentrant, {}};
    EvidenceSet evidence(Evidence::Content);
    evidence.set(Evidence::Lease, ttl.has_value());
    evidence.set(Evidence::Name, key.startsWith("redisson_"));
    const bool isShared = std::ranges::any_of(
        owners, [](const LockOwner &holder) { return holder.mode != HoldMode::Exclusive; });
    return {isShared ? Family::RedissonReadWrite : Family::Redisson, evidence};
}

Recognition recognizeHash(const LockKey &key, const HashContent &hash, CompactOptional<milliseconds> ttl)
{
    qsizetype ids = 0;
    qsizetype writers = 0;
    const QByteArray *mode = nullptr;
    for (const auto &[field, value] : hash.fields) {
        if (const std::optional<RedissonId> id = redissonId(field))
            ++(id->writes ? writers : ids);
        else if (field == "mode" && (value == "read" || value == "write"))
            mode = &value;
        else
            break;
    }
    const bool hasLease = ttl.has_value();
    constexpr qsizetype mostIds = 4; // one is a lock, another a fault; a crowd is somebody's statistics
    if (ids > 0 && ids == hash.fields.size() && hash.complete)
        return ids == 1 || (ids <= mostIds && hasLease) ? redissonLock(key, hash, ttl) : Recognition();
    if (mode && ids + writers > 0 && ids + writers + 1 == hash.fields.size())
        return readWrite(hash, *mode == "write", hasLease);
    if (areJobs(key.bytes, hash)) {
        QList<LockOwner> owners;
        for (const auto &field : hash.fields)
            owners.append({OwnerId(field.first), {}, 1});
        Recognition result = finished(Family::SidekiqUniqueJobs, std::move(owners), hash.complete);
        result.evidence = Evidence::Content;
        result.evidence.set(Evidence::Name, key.bytes.contains("uniquejobs:"));
        return result;
    }
    if (const std::optional<Recognition> found = multi(hash, hasLease))
        return *found;
    return counted(key, hash, hasLease);
}

} // namespace lockscope

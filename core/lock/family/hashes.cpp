// SPDX-License-Identifier: GPL-3.0-or-later
// Locks kept as hashes: Redisson's, those of sidekiq-unique-jobs, and counted ones of nobody in particular.
#include "core/lock/family/recognisers.h"
#include "core/lock/family/shapes.h"

#include <algorithm>
#include <tuple>

namespace lockscope {

namespace {

void sort(QList<Holder> &holders)
{
    if (holders.size() > 1)
        std::ranges::sort(holders, {}, [](const Holder &h) { return std::tuple(h.owner, h.mode); });
}

bool severalAmong(const QList<Holder> &sorted)
{
    return sorted.size() > 1 && sorted.front().owner != sorted.back().owner;
}

Recognition finished(Family family, QList<Holder> holders, bool complete)
{
    Recognition result{family, std::move(holders), {}};
    sort(result.holders);
    result.problems.setFlag(Problem::TooBig, !complete);
    result.problems.setFlag(Problem::BadCount,
                            std::ranges::any_of(result.holders, [](const Holder &h) { return !h.holds; }));
    return result;
}

/// Any hash of owners and counts. One field is one owner, whatever became of its count. Among several, at least one
/// must look like a count: else it is somebody's record and no lock.
Recognition counted(const HashContent &hash, Family family)
{
    QList<Holder> holders;
    holders.reserve(hash.fields.size());
    bool anyCount = false;
    bool named = true;
    for (const auto &[field, value] : hash.fields) {
        const Maybe<qint64> count = parseCount(value);
        anyCount = anyCount || count;
        named = named && !field.isEmpty();
        holders.append({OwnerId(field), value, count});
    }
    if (!hash.complete)
        return {Family::Unknown, {}, Problem::TooBig};
    if (!named || (holders.size() > 1 && !anyCount))
        return {};
    Recognition result = finished(family, std::move(holders), true);
    result.problems.setFlag(Problem::SeveralOwners, result.holders.size() > 1);
    return result;
}

/// Fields of Redisson's read-write lock: "mode", and owners of which writers are marked.
Recognition readWrite(const HashContent &hash, bool inWriteMode)
{
    QList<Holder> holders;
    for (const auto &[field, value] : hash.fields) {
        const std::optional<RedissonId> id = redissonId(field);
        if (!id)
            continue; // "mode"
        QByteArray owner = field;
        if (id->writes)
            owner.remove(id->clientAndThread.size(), qsizetype(qstrlen(":write")));
        holders.append(
            {OwnerId(owner), value, parseCount(value), id->writes ? HoldMode::Write : HoldMode::Read});
    }
    Recognition result = finished(Family::RedissonReadWrite, std::move(holders), hash.complete);
    // A writer may read as well, but nobody else.
    result.problems.setFlag(Problem::SeveralOwners, inWriteMode && severalAmong(result.holders));
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
std::optional<Recognition> multi(const HashContent &hash)
{
    QList<Holder> holders;
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
        Holder holder{OwnerId(field + ':' + owner), {}, {}};
        if (count != hash.fields.end()) {
            anyWhole = true;
            holder.countText = count->second;
            holder.holds = parseCount(count->second);
        } else if (!hash.complete) {
            continue; // not bad, but not read
        }
        holders.append(std::move(holder));
    }
    if (!anyWhole)
        return std::nullopt;
    return finished(Family::RedissonMulti, std::move(holders), hash.complete);
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

Recognition recogniseHash(const LockKey &key, const HashContent &hash)
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
    constexpr qsizetype mostIds = 4; // one is a lock, another a fault; a crowd is somebody's statistics
    if (ids > 0 && ids <= mostIds && ids == hash.fields.size())
        return counted(hash, Family::Redisson);
    if (mode && ids + writers > 0 && ids + writers + 1 == hash.fields.size())
        return readWrite(hash, *mode == "write");
    if (areJobs(key.bytes, hash)) {
        QList<Holder> holders;
        for (const auto &field : hash.fields)
            holders.append({OwnerId(field.first), {}, 1});
        return finished(Family::SidekiqUniqueJobs, std::move(holders), hash.complete);
    }
    if (const std::optional<Recognition> found = multi(hash))
        return *found;
    return counted(hash, Family::Reentrant);
}

} // namespace lockscope

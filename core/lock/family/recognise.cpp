// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/recognise.h"

#include "core/lock/family/recognisers.h"
#include "core/lock/family/shapes.h"

#include <charconv>

namespace lockscope {

namespace {

/// A string of one owner, of which content alone says no more.
bool isToken(const Lock &lock)
{
    return lock.family == Family::Token && lock.holders.size() == 1;
}

/// What a token on the name of a job's lock is, once it is known that there is such a job.
Family jobFamily(const Lock &lock)
{
    if (jobKeyOf(lock.key().bytes).isEmpty())
        return lock.family;
    switch (shapeOf(lock.holders[0].owner.bytes)) {
    case TokenShape::Uuid:
        return Family::Bull;
    case TokenShape::CountedUuid:
        return Family::BullMq;
    default:
        return lock.family;
    }
}

} // namespace

Recognition recognise(const LockKey &key, const KeyContent &content, Maybe<milliseconds> ttl, qint64 nowMs)
{
    if (const auto *hash = std::get_if<HashContent>(&content))
        return recogniseHash(key, *hash);
    if (const auto *string = std::get_if<StringContent>(&content))
        return recogniseString(key, *string, ttl, nowMs);
    if (const auto *sortedSet = std::get_if<SortedSetContent>(&content))
        return recogniseSortedSet(key, *sortedSet, ttl, nowMs);
    if (const auto *set = std::get_if<SetContent>(&content))
        return recogniseSet(key, *set);
    return {Family::Unknown, {}, Problem::WrongType, {}};
}

Family familyWithBeside(const Lock &lock)
{
    if (!lock.beside)
        return lock.family;
    const Beside &beside = *lock.beside;
    const bool isRedisson = isRedissonLock(lock.family);
    if (beside.hasHandoff && (isRedisson || lock.family == Family::Reentrant))
        return Family::Handoff;
    if (isRedisson && beside.hasQueue)
        return Family::RedissonFair;
    if (isRedisson && beside.hasFence)
        return Family::RedissonFenced;
    if (!isToken(lock))
        return lock.family;
    if (beside.hasParent)
        return jobFamily(lock);
    const QByteArray &value = lock.holders[0].owner.bytes;
    if (!isCount(value))
        return lock.family;
    if (beside.isSemaphore)
        return Family::RedissonSemaphore;
    return beside.isLatch ? Family::RedissonLatch : lock.family;
}

QList<Family> candidatesOf(const Lock &lock)
{
    return isToken(lock) ? tokenCandidates(lock.key().bytes, lock.holders[0].owner.bytes) : QList<Family>();
}

QByteArray storedField(const Holder &holder)
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

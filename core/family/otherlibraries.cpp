// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/otherlibraries.h"

#include "core/family/shapes.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

using enum OtherLibrary;

// In the order of the enumeration.
constexpr std::array table{
    OtherLibraryFacts{NodeRedisson, "node-redisson", "node-redisson"},
    OtherLibraryFacts{NodeRedisWarlock, "node-redis-warlock", "node-redis-warlock"},
    OtherLibraryFacts{Redislock, "redislock", "redislock (Node)"},
    OtherLibraryFacts{IoredisLock, "ioredis-lock", "ioredis-lock"},
    OtherLibraryFacts{MicrofleetIoredisLock, "microfleet-ioredis-lock", "@microfleet/ioredis-lock"},
    OtherLibraryFacts{SimpleRedisMutex, "simple-redis-mutex", "simple-redis-mutex"},
    OtherLibraryFacts{RedisLock, "redis-lock", "redis-lock (Node)"},
    OtherLibraryFacts{RedisMutex, "redis-mutex", "redis-mutex (Node)"},
    OtherLibraryFacts{NodeResque, "node-resque", "node-resque"},
    OtherLibraryFacts{RqScheduler, "rq", "RQ"},
    OtherLibraryFacts{Aioredlock, "aioredlock", "aioredlock"},
    OtherLibraryFacts{RedlockRb, "redlock-rb", "redlock-rb"},
    OtherLibraryFacts{RedisPlusPlus, "redis-plus-plus", "redis-plus-plus"},
};

constexpr bool isInOrder()
{
    for (size_t i = 0; i < table.size(); ++i) {
        if (table[i].library != static_cast<OtherLibrary>(i))
            return false;
    }
    return table.size() == static_cast<size_t>(RedisPlusPlus) + 1;
}
static_assert(isInOrder());

/// <uuid>:<uuid>, an instance of the client and a lock object.
bool isNodeRedisson(QByteArrayView field)
{
    constexpr qsizetype length = 36;
    return field.size() == 2 * length + 1 && field[length] == ':' && isUuid(field.first(length)) &&
           isUuid(field.last(length));
}

QList<OtherLibrary> ofNumber(QByteArrayView key, QByteArrayView digits)
{
    constexpr qsizetype milliseconds = 13;
    constexpr qsizetype seconds = 10;
    if (key.startsWith("rq:scheduler-lock:"))
        return {RqScheduler};
    if (digits.size() == milliseconds && key.startsWith("lock."))
        return {RedisLock};
    if (digits.size() == seconds && (key.contains(":workerslock:") || key.contains(":lock:")))
        return {NodeResque};
    return {};
}

QList<OtherLibrary> ofToken(QByteArrayView key, QByteArrayView value)
{
    if (key.startsWith("@simple-redis-mutex:lock-"))
        return {SimpleRedisMutex};
    if (key.endsWith(":resque_scheduler_leader_lock"))
        return {NodeResque};
    if (value == "mutex")
        return {RedisMutex};
    if (isDigits(value))
        return ofNumber(key, value);
    switch (shapeOf(value)) {
    case TokenFormat::Uuid: {
        QByteArray hex = value.toByteArray();
        hex.replace("-", "");
        if (uuidVersion(hex) == 1)
            return {Redislock, IoredisLock};
        return key.startsWith("redlock:") ? QList<OtherLibrary>()
                                          : QList{Aioredlock, RedlockRb, MicrofleetIoredisLock};
    }
    case TokenFormat::Hex32:
        return key.startsWith("rq:scheduler-lock:") ? QList{RqScheduler} : QList<OtherLibrary>();
    case TokenFormat::Letters20:
        return {RedisPlusPlus};
    case TokenFormat::Base64Of16:
        return uuidInBase64(value).isEmpty() ? QList<OtherLibrary>() : QList{NodeRedisWarlock};
    default:
        return {};
    }
}

} // namespace

const OtherLibraryFacts &otherLibrary(OtherLibrary library)
{
    return table.at(static_cast<size_t>(library));
}

QList<OtherLibrary> otherCandidatesOf(const Lock &lock)
{
    if (lock.owners.size() != 1)
        return {};
    const QByteArrayView owner = lock.owners.constFirst().owner.bytes;
    if (lock.family == Family::Reentrant)
        return isNodeRedisson(owner) ? QList{NodeRedisson} : QList<OtherLibrary>();
    return lock.family == Family::Token ? ofToken(lock.key().bytes, owner) : QList<OtherLibrary>();
}

} // namespace lockscope

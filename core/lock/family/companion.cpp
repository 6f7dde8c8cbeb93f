// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/family/companion.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr QByteArrayView queueSuffix = ":handoff:queue";
constexpr QByteArrayView waitersSuffix = ":handoff:waiters";
constexpr QByteArrayView fenceSuffix = ":handoff:fence";

} // namespace

HandoffKeys::HandoffKeys(const LockKey &lock)
    : queue(lock.bytes + queueSuffix.toByteArray()),
      waiters(lock.bytes + waitersSuffix.toByteArray()),
      fence(lock.bytes + fenceSuffix.toByteArray())
{
}

QByteArray handoffChannel(const LockKey &lock, const OwnerId &owner)
{
    return lock.bytes + ":handoff:wake:" + owner.bytes;
}

QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name)
{
    const QByteArray bytes = name.toByteArray();
    return prefix.toByteArray() + ':' + (name.contains('{') ? bytes : '{' + bytes + '}');
}

QByteArray redissonSuffixed(QByteArrayView name, QByteArrayView suffix)
{
    const QByteArray bytes = name.toByteArray();
    return (name.contains('{') ? bytes : '{' + bytes + '}') + ':' + suffix.toByteArray();
}

RedissonKeys::RedissonKeys(const LockKey &lock)
    : queue(redissonPrefixed("redisson_lock_queue", lock.bytes)),
      timeouts(redissonPrefixed("redisson_lock_timeout", lock.bytes)),
      fence(redissonPrefixed("redisson_lock_token", lock.bytes))
{
}

QByteArray unlockChannel(Family family, const LockKey &lock)
{
    switch (family) {
    case Family::Reentrant:
    case Family::Redisson:
    case Family::RedissonFair:
    case Family::RedissonFenced:
    case Family::RedissonMulti:
        return redissonPrefixed("redisson_lock__channel", lock.bytes);
    case Family::RedissonReadWrite:
        return redissonPrefixed("redisson_rwlock", lock.bytes);
    case Family::RedissonSemaphore:
        return redissonPrefixed("redisson_sc", lock.bytes);
    case Family::RedissonLatch:
        return "redisson_countdownlatch__channel__{" + lock.bytes + '}';
    default:
        return {};
    }
}

QByteArray turnChannel(Family family, const LockKey &lock, const OwnerId &waiter)
{
    if (family == Family::RedissonFair)
        return redissonPrefixed("redisson_lock__channel", lock.bytes) + ':' + waiter.bytes;
    return family == Family::Handoff ? handoffChannel(lock, waiter) : QByteArray();
}

bool isCompanion(QByteArrayView key)
{
    static constexpr std::array suffixes{queueSuffix, waitersSuffix, fenceSuffix};
    return std::ranges::any_of(suffixes, [key](QByteArrayView suffix) {
        return key.size() > suffix.size() && key.endsWith(suffix);
    });
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/companionkeys.h"

#include "core/family/shapes.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr QByteArrayView queueSuffix = ":handoff:queue";
constexpr QByteArrayView waitersSuffix = ":handoff:waiters";
constexpr QByteArrayView fenceSuffix = ":handoff:fence";
constexpr QByteArrayView permitsSuffix = ":timeout";

LockKey named(QByteArrayView bytes)
{
    return LockKey(bytes.toByteArray());
}

QByteArrayView inBraces(QByteArrayView name)
{
    return name.endsWith('}') ? name.sliced(1).chopped(1) : QByteArrayView();
}

/// The lock's name, from what redissonPrefixed() and redissonSuffixed() make of it; empty where they make no such thing.
QByteArrayView unwrapped(QByteArrayView name)
{
    const qsizetype brace = name.lastIndexOf('{');
    if (brace == 0 && name.endsWith('}'))
        return name.sliced(1, name.size() - 2);
    return brace < 0 ? QByteArrayView() : name;
}

LockKey redissonParent(QByteArrayView key)
{
    static constexpr std::array<QByteArrayView, 3> prefixes{
        "redisson_lock_queue:", "redisson_lock_timeout:", "redisson_lock_token:"};
    constexpr QByteArrayView latch = "redisson_unlock_latch:";
    for (const QByteArrayView prefix : prefixes) {
        if (key.startsWith(prefix))
            return named(unwrapped(key.sliced(prefix.size())));
    }
    if (!key.startsWith(latch))
        return {};
    const QByteArrayView rest = key.sliced(latch.size()); // the name, a colon, a request
    return named(unwrapped(rest.first(std::max(rest.lastIndexOf(':'), qsizetype(0)))));
}

/// {name}:<owner>:rwlock_timeout:<n>, one for each hold of a reader.
LockKey readersParent(QByteArrayView key)
{
    constexpr QByteArrayView part = ":rwlock_timeout:";
    // From the end, for every name that is met comes here: most end with a number, few with this.
    qsizetype digits = 0;
    while (digits < key.size() && key[key.size() - digits - 1] >= '0' && key[key.size() - digits - 1] <= '9')
        ++digits;
    if (digits == 0 || !key.chopped(digits).endsWith(part))
        return {};
    const QByteArrayView hold = key.chopped(digits + part.size());
    for (qsizetype colon = hold.indexOf(':'); colon > 0; colon = hold.indexOf(':', colon + 1)) {
        if (redissonId(hold.sliced(colon + 1)))
            return named(unwrapped(hold.first(colon)));
    }
    return {};
}

LockKey digestsParent(QByteArrayView key)
{
    static constexpr std::array<QByteArrayView, 3> suffixes{":QUEUED", ":PRIMED", ":INFO"};
    constexpr QByteArrayView prefix = "uniquejobs:";
    const auto suffix =
        std::ranges::find_if(suffixes, [key](QByteArrayView ending) { return key.endsWith(ending); });
    if (suffix == suffixes.end())
        return {};
    const QByteArrayView digest = key.chopped(suffix->size());
    const qsizetype at = digest.indexOf(prefix);
    if (at < 0 || (at > 0 && digest[at - 1] != ':') || !isDigest(digest))
        return {};
    return LockKey(digest.toByteArray() + ":LOCKED");
}

/// Belongs to many locks, or to a queue of jobs as a whole.
bool isCommon(QByteArrayView key)
{
    static constexpr std::array<QByteArrayView, 3> names{"uniquejobs:digests", "uniquejobs:expiring_digests",
                                                         "symfony_check_support_time"};
    constexpr QByteArrayView stalled = ":stalled-check";
    constexpr QByteArrayView runOnce = "redisson__execute_task_once_latch:"; // a cache's, and no lock
    if (key.startsWith(runOnce))
        return true;
    if (key.endsWith(stalled)) {
        const QByteArrayView queue = key.chopped(stalled.size());
        const qsizetype colon = queue.lastIndexOf(':');
        return colon > 0 && colon + 1 < queue.size();
    }
    return std::ranges::find(names, key) != names.end();
}

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

LockKey parentOf(QByteArrayView companion)
{
    static constexpr std::array<QByteArrayView, 3> suffixes{queueSuffix, waitersSuffix, fenceSuffix};
    constexpr QByteArrayView signalPrefix = "lock-signal:";
    if (companion.isEmpty())
        return {};
    for (const QByteArrayView suffix : suffixes) {
        if (companion.endsWith(suffix))
            return named(companion.chopped(suffix.size()));
    }
    if (companion.startsWith("redisson_"))
        return redissonParent(companion);
    if (companion.startsWith(signalPrefix) && companion.size() > signalPrefix.size())
        return LockKey("lock:" + companion.sliced(signalPrefix.size()).toByteArray());
    if (LockKey parent = readersParent(companion); !parent.isEmpty())
        return parent;
    // Only where the whole name is in braces: "order:{5}:timeout" may be many things.
    if (companion.lastIndexOf('{') == 0 && companion.endsWith(permitsSuffix))
        return named(inBraces(companion.chopped(permitsSuffix.size())));
    return digestsParent(companion);
}

std::optional<LockKey> sameCompanions(const LockKey &lock)
{
    const QByteArray &name = lock.bytes;
    if (!name.contains('{'))
        return LockKey('{' + name + '}');
    const bool isWrapped = name.lastIndexOf('{') == 0 && name.endsWith('}') && name.size() > 2;
    return isWrapped ? std::optional(LockKey(name.sliced(1, name.size() - 2))) : std::nullopt;
}

LockKey lockOfQueue(QByteArrayView key)
{
    return key.startsWith("redisson_lock_queue:") ? parentOf(key) : LockKey();
}

bool isCompanion(QByteArrayView key)
{
    return isCommon(key) || !parentOf(key).isEmpty();
}

} // namespace lockscope

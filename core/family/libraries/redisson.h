// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of Redisson's families.
#pragma once

#include "core/family/spec.h"
#include "core/model/lock.h"

namespace lockscope {

/// Names in the lock's slot by Redisson's rule: `prefix:{name}`, or `prefix:name` if the name has a brace.
QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name);
QByteArray redissonSuffixed(QByteArrayView name, QByteArrayView suffix);
/// The lock's name in a prefixed or suffixed one; empty for other names.
LockKey redissonUnwrapped(QByteArrayView name);

struct RedissonKeys
{
    QByteArray queue;    ///< list: wait queue of a fair lock
    QByteArray timeouts; ///< sorted set: timeouts of its waiters
    QByteArray fence;

    explicit RedissonKeys(const LockKey &lock);
};

/// One key alone: called often, and cheaper than RedissonKeys.
QByteArray redissonQueue(const LockKey &lock);
QByteArray redissonFence(const LockKey &lock);

QByteArray redissonChannel(const LockKey &lock);
OwnerFacts redissonOwner(const LockKey &key, const OwnerId &owner);
QByteArray redissonThread(const OwnerId &owner);
/// The hash field of a holder; a writer's has a suffix.
QByteArray redissonField(const LockOwner &holder);
/// True for an owner in one of Redisson's hashes, which have one owner, or readers and writers.
bool isRedissonOwner(const LockOwner &holder);
/// True for a lock that is or may be plain, fair or fenced: a hash with one owner.
bool isRedissonLock(const Lock &lock);
/// The evidence in the companions found; nullopt: not such a lock.
std::optional<EvidenceSet> matchRedissonCompanions(const Lock &lock);
/// True for such a lock or any counted hash: their queues and counters are read too.
bool isCountedLock(const Lock &lock);

/// A glob of the companion keys.
inline QByteArray redissonPattern(const Lock &)
{
    return "redisson_lock_*";
}

/// Proof for two Redisson families. Applications also keep counters under IDs; a lock has a lease, and is
/// renewed or waited for.
inline constexpr Proof provenAsRedisson{.certain = {{Evidence::Content, Evidence::Companions},
                                                    {Evidence::Content, Evidence::Listeners},
                                                    {Evidence::Content, Evidence::Lease, Evidence::Renewals},
                                                    {Evidence::Content, Evidence::Lease, Evidence::Name}},
                                        .likely = {{Evidence::Content, Evidence::Lease}}};

/// 30 s, renewed when two thirds are left.
inline constexpr Watchdog redissonWatchdog{milliseconds(30'000), 255 * 2 / 3};

inline constexpr const char *stopsRenewing =
    QT_TRANSLATE_NOOP("phrases", "The holder is not notified and may still be working. It stops renewing "
                                 "within 10 s; its unlock() throws.");

/// The scripts of plain, fair and fenced locks.
extern const Scripts redissonScripts;

} // namespace lockscope

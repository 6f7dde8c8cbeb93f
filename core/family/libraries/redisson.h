// SPDX-License-Identifier: GPL-3.0-or-later
// What Redisson's kinds of locks have in common.
#pragma once

#include "core/family/spec.h"
#include "core/model/lock.h"

namespace lockscope {

/// Redisson's rule for names that must fall into the lock's slot: `prefix:{name}`, or `prefix:name` where the name has
/// a brace anywhere; and the same behind it.
QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name);
QByteArray redissonSuffixed(QByteArrayView name, QByteArrayView suffix);
/// The lock's name, from what these two make of it; empty where they make no such thing.
LockKey redissonUnwrapped(QByteArrayView name);

/// The keys of Redisson's locks beside their own.
struct RedissonKeys
{
    QByteArray queue;    ///< list: who waits for a fair lock
    QByteArray timeouts; ///< sorted set: until when each of them does
    QByteArray fence;    ///< string: the last fencing token

    explicit RedissonKeys(const LockKey &lock);
};

/// One of them alone, for every lock at each look: three would be made for one.
QByteArray redissonQueue(const LockKey &lock);
QByteArray redissonFence(const LockKey &lock);

QByteArray redissonChannel(const LockKey &lock);
OwnerFacts redissonOwner(const LockKey &key, const OwnerId &owner);
QByteArray redissonThread(const OwnerId &owner);
/// The field of a holder: of a writer it is marked.
QByteArray redissonField(const LockOwner &holder);
/// A hash of one of Redisson's ids, or of several, which are readers and writers, or none of both.
bool isRedissonOwner(const LockOwner &holder);
/// A lock kept as a hash with one owner: plain, fair or fenced; or one that may be.
bool isRedissonLock(const Lock &lock);
/// What companions that were seen say of it; nullopt: it is no such lock.
std::optional<EvidenceSet> matchRedissonCompanions(const Lock &lock);
/// The same, or any counted hash: queues and counters are looked for beside all of them.
bool isCountedLock(const Lock &lock);

/// A glob of the keys beside them.
inline QByteArray redissonPattern(const Lock &)
{
    return "redisson_lock_*";
}

/// Two Redisson locks have these: a counter under an id is what applications count visits with, too. A lock has a lease,
/// and is renewed or waited for.
inline constexpr Proof provenAsRedisson{.certain = {{Evidence::Content, Evidence::Companions},
                                                    {Evidence::Content, Evidence::Listeners},
                                                    {Evidence::Content, Evidence::Lease, Evidence::Renewals},
                                                    {Evidence::Content, Evidence::Lease, Evidence::Name}},
                                        .likely = {{Evidence::Content, Evidence::Lease}}};

/// 30 s, renewed when two thirds are left.
inline constexpr Watchdog redissonWatchdog{milliseconds(30'000), 255 * 2 / 3};

inline constexpr const char *stopsRenewing =
    QT_TRANSLATE_NOOP("phrases", "The holder is not notified and may still be working. It stops renewing "
                                 "within 10 s, and its unlock() throws.");

/// The scripts of plain, fair and fenced locks.
extern const Scripts redissonScripts;

} // namespace lockscope

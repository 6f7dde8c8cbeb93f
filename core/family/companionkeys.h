// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <optional>

namespace lockscope {

/// The keys of a hand-off lock beside its own, as the scripts of lua/handoff/ take them.
struct HandoffKeys
{
    QByteArray queue;
    QByteArray waiters;
    QByteArray fence;

    explicit HandoffKeys(const LockKey &lock);
};

/// The channel on which an owner hears that a hand-off lock was passed to it.
QByteArray handoffChannel(const LockKey &lock, const OwnerId &owner);

/// Redisson's rule for names that must fall into the lock's slot: `prefix:{name}`, or `prefix:name` where the name has
/// a brace anywhere; and the same behind it.
QByteArray redissonPrefixed(QByteArrayView prefix, QByteArrayView name);
QByteArray redissonSuffixed(QByteArrayView name, QByteArrayView suffix);

/// The keys of Redisson's locks beside their own.
struct RedissonKeys
{
    QByteArray queue;    ///< list: who waits for a fair lock
    QByteArray timeouts; ///< sorted set: until when each of them does
    QByteArray fence;    ///< string: the last fencing token

    explicit RedissonKeys(const LockKey &lock);
};

/// The channel to which the waiters of such a lock subscribe, one of each process; empty where there is none.
QByteArray unlockChannel(Family family, const LockKey &lock);
/// The channel of one waiter in the queue of a fair lock of this family; empty where it has none of its own.
QByteArray turnChannel(Family family, const LockKey &lock, const OwnerId &waiter);

/// The lock to which the key with this name belongs; empty where it is no companion, or one of many locks. Redisson
/// names the companions of "a" and "{a}" alike: this answers "a".
LockKey parentOf(QByteArrayView companion);

/// The other lock whose companions Redisson names like this one's: of "a" it is "{a}", and the reverse; absent for names
/// with other braces.
std::optional<LockKey> sameCompanions(const LockKey &lock);
/// The fair lock whose queue has this name; empty for other names.
LockKey lockOfQueue(QByteArrayView key);

/// True for a key that belongs to a lock but is none: never to be listed as one.
bool isCompanion(QByteArrayView key);

} // namespace lockscope

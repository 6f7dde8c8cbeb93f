// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArrayList>

#include <optional>

namespace lockscope {

// Names of keys and channels that belong to locks, as their families make them. All pure.

/// The channel to which waiters of such a lock subscribe, once per process; empty if the family has none.
QByteArray unlockChannel(Family family, const LockKey &lock);
/// The channel of one waiter in the queue; empty if waiters of this family have none of their own.
QByteArray waiterChannel(Family family, const LockKey &lock, const OwnerId &waiter);

/// The lock to which the key with this name belongs; empty if the key is no companion, or one of many locks.
/// Redisson names the companions of "a" and "{a}" alike: this returns "a".
LockKey parentOf(QByteArrayView companion);

/// The other lock whose companions have the same names: "{a}" for "a" and the reverse; absent for names with
/// other braces.
std::optional<LockKey> sameCompanions(const LockKey &lock);

/// A lock whose queue was found.
struct QueuedLock
{
    LockKey key; ///< empty: no queue has that name
    Family family;
};
QueuedLock lockOfQueue(QByteArrayView key);
/// The family whose queue was found, or the lock's own family if it has queues; otherwise unknown.
Family queueFamilyOf(const Lock &lock);

/// True for a key that belongs to a lock but is none: never listed as a lock.
bool isCompanion(QByteArrayView key);
/// True for a key with permits, whose presence shows that the number stored next to it is a lock.
bool isPermitsKey(QByteArrayView key);

/// The companion keys that are read for a lock: those of its family, and of each family whose companions were
/// found. Sorted; some may be missing.
QByteArrayList companionKeysOf(const Lock &lock);
/// The channels of a lock to which waiters subscribe, including those of single waiters.
QByteArrayList channelsOf(const Lock &lock);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArrayList>

#include <optional>

namespace lockscope {

// Names of keys and channels that belong to locks, as their families make them. All pure.

/// The channel to which the waiters of such a lock subscribe, one of each process; empty where there is none.
QByteArray unlockChannel(Family family, const LockKey &lock);
/// The channel of one waiter in the queue of a lock of this family; empty where it has none of its own.
QByteArray waiterChannel(Family family, const LockKey &lock, const OwnerId &waiter);

/// The lock to which the key with this name belongs; empty where it is no companion, or one of many locks. Redisson
/// names the companions of "a" and "{a}" alike: this answers "a".
LockKey parentOf(QByteArrayView companion);

/// The other lock whose companions are named like this one's: of "a" it is "{a}", and the reverse; absent for names with
/// other braces.
std::optional<LockKey> sameCompanions(const LockKey &lock);

/// A lock whose queue was met.
struct QueuedLock
{
    LockKey key; ///< empty: the name is not that of a queue
    Family family;
};
QueuedLock lockOfQueue(QByteArrayView key);
/// The family whose queue was found beside the lock, or which a lock of its own family has; unknown where there is none.
Family queueFamilyOf(const Lock &lock);

/// True for a key that belongs to a lock but is none: never to be listed as one.
bool isCompanion(QByteArrayView key);
/// Permits, which make a lock of a number beside them.
bool isPermitsKey(QByteArrayView key);

/// The keys besides its own that are read of a lock: those of its family, and of each whose companions were found beside it.
/// Sorted; some may not be there.
QByteArrayList companionKeysOf(const Lock &lock);
/// The channels on which those who wait for it listen, its waiters' own included.
QByteArrayList channelsOf(const Lock &lock);

} // namespace lockscope

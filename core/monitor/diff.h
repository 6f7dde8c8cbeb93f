// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

namespace lockscope {

/// Events between two readings of one key, in order; nullopt: absent. Pure. `watching` is false after a gap
/// (first reading, reconnection, flush): a new lock is then Found and a missing one Vanished. If another
/// owner stayed, a new owner has Acquired the lock and a missing one Released it.
QList<LockChange> diffEvents(const std::optional<Lock> &before, const std::optional<Lock> &after,
                             bool watching, TimePoint now);

/// True if only time has passed between the readings: no events, and no other difference. Pure.
bool isUnchanged(const Lock &before, const Lock &after);

/// The watched lock with its annotations for the next reading. Pure.
WatchedLock watch(const WatchedLock *before, const Lock &after, const QList<LockChange> &events);

bool isEndOfHold(EventKind kind);

/// True if an apparent renewal may be the end of a hold and the owner's next one. Pure.
bool mayBeNextHold(const WatchedLock &before, const Lock &after, const QList<LockChange> &events);

/// True if the holder was seen to renew it; false if the next holder may write the same token.
bool wasRenewed(const WatchedLock &lock);
/// The length of a hold that has ended. Absent if its start was not seen, if several owners may hold the
/// lock, or if all holders may write the same token. Pure.
CompactOptional<milliseconds> wholeHold(const WatchedLock &ended, TimePoint now);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

namespace lockscope {

/// Events between two readings of one key, in the order in which they are told; nullopt means absent. Pure.
/// `watching` is false where the watching had a gap (first look, reconnection, flush): then a new lock was
/// Found and a missing one Vanished. Where somebody has stayed, who came has Acquired it and who went has Released it.
QList<LockChange> diffEvents(const std::optional<Lock> &before, const std::optional<Lock> &after,
                             bool watching, TimePoint now);

/// Between them only time has passed: there are no events, and nothing else about the lock is different. Pure.
bool isUnchanged(const Lock &before, const Lock &after);

/// The annotations of a lock carried over to its next reading. Pure.
WatchedLock watch(const WatchedLock *before, const Lock &after, const QList<LockChange> &events);

/// The hold is over that was there before it.
bool isEndOfHold(EventKind kind);

/// What looks like a renewal of that hold may be its end and the beginning of the owner's next one. Pure.
bool mayBeNextHold(const WatchedLock &before, const Lock &after, const QList<LockChange> &events);

/// Its holder was seen to renew it: not where the next one may write the same token.
bool wasRenewed(const WatchedLock &lock);
/// How long a hold lasted that is over now. Absent where its beginning was not seen, where several may hold the lock at once,
/// and where every holder may write the same token. Pure.
CompactOptional<milliseconds> wholeHold(const WatchedLock &ended, TimePoint now);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/tablehash.h"
#include "core/model/lockevent.h"

#include <unordered_map>

namespace lockscope {

/// A known lock with its places in the store's orders. Its address is stable: its neighbors point to it.
struct KnownLock
{
    WatchedLock watched;
    TimePoint readAt; ///< last read or taken for reading: its place in the ReadOrder
    TimePoint expiryAt = TimePoint::max();
    KnownLock *older = nullptr; ///< in the ReadOrder
    KnownLock *newer = nullptr;
    qint64 bytes = 0;   ///< size of names and owners
    int generation = 0; ///< number of the gap before its last reading
    int heardSince =
        -1; ///< feed gap after which its hold was reported to begin; -1: none, or maybe several holds
    bool isPushed = false;
    bool isIdle = false; ///< no lock: read only in passes over all
    bool isOrphan = false;
    bool isQueueOld = false; ///< the holder has changed since the queue was read
    bool isInDiff = false;
    bool isWalked = false; ///< its companions may be read: see LockStore::someToAsk()
};

/// A lock whose slot has moved to another cluster node.
struct MigratedLock
{
    WatchedLock watched;
    bool isOrphan = false;
};

using KnownLocks = std::unordered_map<LockKey, KnownLock, TableHash<LockKey>>;

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/tablehash.h"
#include "core/model/lockevent.h"

#include <unordered_map>

namespace lockscope {

/// A known lock with its places in the orders of the store. It stays where it is: its neighbours point to it.
struct KnownLock
{
    WatchedLock watched;
    TimePoint readAt;                      ///< or taken to be read: its place in the ReadOrder
    TimePoint expiryAt = TimePoint::max(); ///< for which it stands in the ExpiryQueue
    KnownLock *older = nullptr;            ///< in the ReadOrder
    KnownLock *newer = nullptr;
    qint64 bytes = 0;   ///< of names and owners
    int generation = 0; ///< of the gap after which it was last read
    int heardSince =
        -1; ///< the gap of the feed after which its hold was heard to begin; -1: it was not, or it may be several
    bool isPushed = false;
    bool isIdle = false;     ///< no lock: it is read where all is
    bool isOrphan = false;   ///< there is no lock, only its queue
    bool isQueueOld = false; ///< its holder has changed since who waits was read
    bool isInDiff = false;   ///< as changed, in the DiffCollector
};

/// A lock whose key another node of the cluster keeps now.
struct HandedOver
{
    WatchedLock watched;
    bool isOrphan = false;
};

using KnownLocks = std::unordered_map<LockKey, KnownLock, TableHash<LockKey>>;

} // namespace lockscope

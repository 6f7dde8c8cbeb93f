// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/companionstate.h"
#include "core/model/lockowner.h"

#include <optional>

namespace lockscope {

/// The meaning of a slice in a lock's lane. Slices of one kind and row never overlap.
enum class SliceKind : quint8 {
    Hold,      ///< an owner holds the lock; one row per simultaneous owner
    Wait,      ///< a waiter in the queue; the row is its position, 0 is the head
    WaitCount, ///< number of waiters, exact or at least, including those in rows
    Lease,     ///< the time left fell only by the passing of time
    Unknown,
    Mark, ///< a moment: a hold expired, was forced, or vanished
};

enum class SliceBegin : quint8 {
    Seen,
    Found,        ///< may have begun earlier, unseen
    OwnerChanged, ///< the hold of another owner ended at the same reading
    Reentered,
    Unwound,
    Renewed,
    Shortened,
    ExpiryLost,
    Moved, ///< a waiter, from another position in the queue
};

enum class SliceEnd : quint8 {
    Open,
    Released,
    Expired,
    Forced,
    OwnerChanged,
    Vanished,  ///< for an unknown reason
    Acquired,  ///< a waiter that now holds the lock
    Left,      ///< a waiter: timed out, gave up, or was removed
    Changed,   ///< continues as the next slice
    Unwatched, ///< the lock is no longer watched; of a waiter: a reading could not show the waiters
    Removed,   ///< the key was evicted, flushed, overwritten, renamed, or lost in a failover
};

/// A slice for display. Times are on the history's axis.
struct HistorySlice
{
    SliceKind kind = SliceKind::Hold;
    int row = 0;
    qint64 fromMs = 0;
    qint64 toMs = 0; ///< now, if open
    SliceBegin begin = SliceBegin::Seen;
    SliceEnd end = SliceEnd::Open;
    /// Hold, Wait: owner number, see SliceStore::owner(). WaitCount: count. Lease: ms left, or noExpiry.
    quint32 value = 0;
    /// Hold: hold count, 0 if not a number. Wait: 1 if dead. WaitCount: a WaiterCertainty.
    quint16 detail = 0;
    /// Number of merged slices, too thin to show one by one; the other members are of the first.
    qint64 merged = 1;

    static constexpr quint32 noExpiry = 0xffff'ffff;
};

struct LaneState
{
    struct Holder
    {
        OwnerId owner;
        int holdCount = 0;   ///< 0: not a number
        qint64 sinceMs = 0;  ///< begin of the hold, regardless of its count
        bool isLate = false; ///< it began earlier, unseen
    };
    struct InQueue
    {
        OwnerId waiter;
        bool isDead = false;
    };

    bool isKnown = true; ///< false: not monitored, or unseen
    QList<Holder> holders;
    QList<InQueue> queue; ///< the first ones
    qint64 waiters = 0;
    WaiterCertainty certainty = WaiterCertainty::Unknown; ///< for `waiters`; Unknown if none are known
    bool isEndless = false;
    std::optional<qint64> leftMs; ///< absent: no hold, no expiry, or unknown
};

} // namespace lockscope

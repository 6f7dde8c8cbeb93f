// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/companionstate.h"
#include "core/model/lockowner.h"

#include <optional>

namespace lockscope {

/// What a slice of a lock's lane says. Slices of one kind and row never overlap.
enum class SliceKind : quint8 {
    Hold,      ///< an owner holds the lock; a row per owner that holds it at once
    Wait,      ///< a waiter stands in the queue; the row is its place, 0 is the head
    WaitCount, ///< so many wait, or at least so many; those in rows are among them
    Lease,     ///< the time left fell by time alone
    Unknown,   ///< what happened in it was not seen
    Mark,      ///< a moment: a hold expired, was forced, or vanished
};

enum class SliceBegin : quint8 {
    Seen,
    Found,        ///< it may have begun earlier: nobody had looked, or a reading could not tell
    OwnerChanged, ///< the hold of another ended at the same reading
    Reentered,
    Unwound,
    Renewed,
    Shortened,
    ExpiryLost,
    Moved, ///< a waiter, from another place in the queue
};

enum class SliceEnd : quint8 {
    Open, ///< goes on
    Released,
    Expired,
    Forced,
    OwnerChanged,
    Vanished,  ///< why is not known
    Acquired,  ///< a waiter that holds the lock now
    Left,      ///< a waiter: timed out, gave up, or was removed
    Changed,   ///< goes on as the next slice
    Unwatched, ///< the lock was watched no longer; of a waiter: a reading could not tell who waits
    Removed, ///< its key went by what was meant for more than this lock: evicted, flushed, overwritten, renamed, a failover
};

/// A slice as it is drawn or told. Times are on the history's axis.
struct HistorySlice
{
    SliceKind kind = SliceKind::Hold;
    int row = 0;
    qint64 fromMs = 0;
    qint64 toMs = 0; ///< of one that goes on: now
    SliceBegin begin = SliceBegin::Seen;
    SliceEnd end = SliceEnd::Open;
    /// Hold, Wait: number of the owner, SliceStore::owner(). WaitCount: how many. Lease: ms left at fromMs, or noExpiry.
    quint32 value = 0;
    /// Hold: hold count, 0 where it is no count. Wait: 1 where it is dead. WaitCount: a WaiterCertainty.
    quint16 detail = 0;
    /// So many slices, too thin to be told apart; what they say is of the first.
    qint64 merged = 1;

    static constexpr quint32 noExpiry = 0xffff'ffff;
};

/// What was so in a lane at one moment.
struct LaneState
{
    struct Holder
    {
        OwnerId owner;
        int holdCount = 0;   ///< 0: not a count
        qint64 sinceMs = 0;  ///< of the hold, whatever its count was
        bool isLate = false; ///< it had begun before
    };
    struct InQueue
    {
        OwnerId waiter;
        bool isDead = false;
    };

    bool isKnown = true; ///< false: nobody looked then, or what happened was not seen
    QList<Holder> holders;
    QList<InQueue> queue; ///< the first ones
    qint64 waiters = 0;
    WaiterCertainty certainty = WaiterCertainty::Unknown; ///< of `waiters`; Unknown where none is known of
    bool isEndless = false;
    std::optional<qint64> leftMs; ///< absent: no hold, no expiry, or not told
};

} // namespace lockscope

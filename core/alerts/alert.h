// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/holdtimes.h"
#include "core/watch/serverreset.h"

#include <QList>

#include <optional>

namespace lockscope {

/// The reason for an alert: each has its row in the table of rules (alertrules.h). In their display order.
enum class AlertKind : quint8 {
    NoExpiry,          ///< the lock's library always sets an expiry
    HeldTooLong,       ///< longer than the rule's limit
    HeldUnusuallyLong, ///< longer than nearly all holds seen of its key, by a multiple of the usual
    ManyWaiters,       ///< above the rule's limit, as far as they can be counted
    DeadWaiters,       ///< above the rule's limit
    Deadlock,          ///< confirmed
    StalledHolder,     ///< renewal overdue while others wait: likely dead, or it hangs
    StalledAlone,      ///< renewal overdue, no known waiters
    SeveralOwners,     ///< for a lock with one owner at most
    NoQuorum,          ///< Redlock group: no owner has it on a majority
    OrphanedQueue,     ///< its lock is gone: nobody will wake the waiters
    ConnectionLost,    ///< to the server, or to one of several: their locks are unknown
    Reset,             ///< locks went at once: server flushed, restarted, swapped or replaced
    Evicted,           ///< removed by the server to free memory: the holder may still be working
    OpenNoExpiry,      ///< it is unknown whether the lock should have an expiry
    BadCount,          ///< a hold count that is no integer of at least 1
    OwnersDiffer,      ///< Redlock group: servers have different owners
    HolderDead,        ///< likely: a heartbeat is missing
    RewrittenByOwner,  ///< force-expired, then written again by its owner
    Inversion,         ///< two threads acquired two locks in opposite order
};
constexpr int alertKinds = static_cast<int>(AlertKind::Inversion) + 1;

/// Worst first.
enum class AlertSeverity : quint8 {
    Critical, ///< blocked, or unknown
    Warning,  ///< a lock that may never end
    Notice,   ///< may be over soon
};

/// A condition to attend to, from its detection to its end.
struct Alert
{
    quint64 number = 0; ///< not reused while the program runs
    AlertKind kind = AlertKind::NoExpiry;
    LockKey key{};   ///< for a deadlock or inversion the first of `cycle`; empty: about the server
    Family family{}; ///< from here on: state when it was last raised
    QList<LockOwner> owners{};
    milliseconds held{0}; ///< at least, if the limit is a time
    milliseconds limit{0};
    HoldTimeStats usual{};  ///< HeldUnusuallyLong: the usual hold
    qint64 waiters = 0;     ///< number that the rule counts
    bool isAtLeast = false; ///< for waiters
    QList<LockKey> cycle{};
    QString server{}; ///< ConnectionLost for one of several servers: its address
    std::optional<ServerReset> resetOf{};
    TimePoint raisedAt{};
    std::optional<TimePoint> endedAt{}; ///< its condition was seen to end
    /// True if it is over once raised, and stays until acknowledged.
    bool isMoment() const
    {
        return kind == AlertKind::Reset || kind == AlertKind::Evicted || kind == AlertKind::Inversion;
    }
    int times = 1; ///< number of times raised, each within AlertWatch::sameAlert of the previous end
};

} // namespace lockscope

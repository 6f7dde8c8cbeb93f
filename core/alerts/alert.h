// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/holdtimes.h"
#include "core/watch/serverreset.h"

#include <QList>

#include <optional>

namespace lockscope {

/// What an alert is raised for: each has its row in the table of rules (alertrules.h). In the order in which they are told.
enum class AlertKind : quint8 {
    NoExpiry,          ///< of a lock whose library gives its locks an expiry
    HeldTooLong,       ///< longer than its limit
    HeldUnusuallyLong, ///< than nearly all holds seen of its key, and so many times the usual
    ManyWaiters,       ///< more than its limit, as far as they can be counted
    DeadWaiters,       ///< more than its limit
    Deadlock,          ///< confirmed
    StalledHolder,     ///< the owner's renewal is overdue while others wait: likely dead, or it hangs
    StalledAlone,      ///< likewise, and nobody is known to wait
    SeveralOwners,     ///< of a lock that one may hold
    NoQuorum,          ///< of a Redlock group: no owner has it on a majority of the servers
    OrphanedQueue,     ///< its lock is gone: nobody will wake those that stand in it
    ConnectionLost,    ///< to the server, or to one of several: nothing is known of its locks meanwhile
    Reset,             ///< locks went at once: the server was flushed, restarted, swapped or replaced
    Evicted,           ///< the server removed a lock to free memory: its holder may still be working
    OpenNoExpiry,      ///< of a lock of which nobody knows whether it should have an expiry
};
constexpr int alertKinds = static_cast<int>(AlertKind::OpenNoExpiry) + 1;

/// The worst first.
enum class AlertSeverity : quint8 {
    Critical, ///< nothing goes on by itself, or nothing is known
    Warning,  ///< a lock that nobody may end
    Notice,   ///< what may be over soon
};

/// One thing that somebody should know of, from when it was seen until it is over.
struct Alert
{
    quint64 number = 0; ///< never used again while the program runs
    AlertKind kind = AlertKind::NoExpiry;
    LockKey key{};   ///< of a deadlock the first of `cycle`; empty: it concerns the server
    Family family{}; ///< as the rest, when it was raised last
    QList<LockOwner> owners{};
    milliseconds held{0};                 ///< where the rule's limit is a time: at least
    milliseconds limit{0};                ///< likewise: what it is longer than
    UsualHold usual{};                    ///< HeldUnusuallyLong: what it is longer than
    qint64 waiters = 0;                   ///< those that its rule counts
    bool isAtLeast = false;               ///< there may be more of them
    QList<LockKey> cycle{};               ///< Deadlock
    QString server{};                     ///< ConnectionLost of one of several servers: its address
    std::optional<ServerReset> resetOf{}; ///< Reset
    TimePoint raisedAt{};
    std::optional<TimePoint> endedAt{}; ///< its condition was seen to be over
    /// It is over when it is raised, and stands until somebody has taken note of it.
    bool isMoment() const { return kind == AlertKind::Reset || kind == AlertKind::Evicted; }
    int times = 1; ///< raised, over and raised again, each within AlertWatch::sameAlert of the end before
};

} // namespace lockscope

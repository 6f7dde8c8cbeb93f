// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/sharedvalue.h"
#include "core/base/taggedbytes.h"

#include <QByteArray>
#include <QFlags>
#include <QList>

#include <algorithm>

namespace lockscope {

enum class Problem : quint16 {
    NoExpiry = 0x01,      ///< it will never end by itself
    BadCount = 0x02,      ///< a re-entry count that is not an integer of at least 1
    SeveralOwners = 0x04, ///< more than one where the family allows one
    WrongType = 0x08,     ///< a lock's name, but no value that a lock could have
    TooBig = 0x10,        ///< more than we read of a key; shown in part
    DeadWaiter = 0x20,    ///< one that stands in the queue does not listen any more: the others wait for it
    Orphaned = 0x40,      ///< a queue without its lock: nobody will wake those that stand in it
    RewrittenByOwner = 0x80, ///< was ended by force, and its owner wrote it anew
    Deadlock = 0x100,        ///< its owner waits, directly or through others, for one that waits for it
    NoQuorum = 0x200,        ///< in a Redlock group: no owner has it on a majority of the servers
    OwnersDiffer = 0x400,    ///< in a Redlock group: servers name different owners
    HolderDead = 0x800,      ///< its heartbeat has stopped
    Unreadable = 0x1000,     ///< this login may not read it any more: the rest is as it was read last
};
Q_DECLARE_FLAGS(Problems, Problem)
Q_DECLARE_OPERATORS_FOR_FLAGS(Problems)

/// In which way a read-write lock is held.
enum class HoldMode : quint8 { Exclusive, Read, Write };

/// What is stored tells about an owner. Absent or empty: nothing is told.
struct OwnerFacts
{
    CompactOptional<qint64> sinceMs; ///< epoch ms by the owner's clock
    bool sinceIsTry = false;         ///< sinceMs is when it began to try, not when it got the lock
    QByteArray client; ///< the UUID of the process or client instance: what a user may give a name
    QByteArray thread;
    QByteArray host;
    QByteArray process;  ///< its number on that host
    QByteArray node;     ///< of a UUID of version 1: a network address, or random
    QByteArray job;      ///< the job that the lock belongs to
    QByteArray jobClass; ///< what that job is an object of
    QByteArray queue;    ///< from which the job came
    QByteArray worker;   ///< which of a client's workers
    QByteArray metadata; ///< what the application added to its token
    QByteArray permit;   ///< its id as its library writes it in logs
    QByteArray transaction;
    QByteArray
        part; ///< which of several values that a lock may lock: the hash of it, for the value itself is not kept
    bool isRecord = false; ///< an application's own fields say so: nobody vouches for what it means by them

    friend bool operator==(const OwnerFacts &, const OwnerFacts &) = default;
};

/// One owner of a lock.
struct LockOwner
{
    OwnerId owner;                     ///< without what the family adds to say in which way it holds
    QByteArray rawHoldCount;           ///< as stored; empty for a token
    CompactOptional<qint64> holdCount; ///< absent where rawHoldCount is no count; 1 for a token
    HoldMode mode = HoldMode::Exclusive;
    SharedValue<OwnerFacts> recorded{}; ///< what stands beside its id: fields of a record, a score

    friend bool operator==(const LockOwner &, const LockOwner &) = default;
};

/// The same hold, whatever is counted of it.
inline bool isSameHold(const LockOwner &a, const LockOwner &b)
{
    return a.owner == b.owner && a.mode == b.mode;
}
inline bool isAmong(const QList<LockOwner> &owners, const LockOwner &one)
{
    return std::ranges::any_of(owners, [&](const LockOwner &holder) { return isSameHold(holder, one); });
}

} // namespace lockscope

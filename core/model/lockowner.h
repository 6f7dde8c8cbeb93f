// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
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

/// One owner of a lock.
struct LockOwner
{
    OwnerId owner;                     ///< without what the family adds to say in which way it holds
    QByteArray rawHoldCount;           ///< as stored; empty for a token
    CompactOptional<qint64> holdCount; ///< absent where rawHoldCount is no count; 1 for a token
    HoldMode mode = HoldMode::Exclusive;

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

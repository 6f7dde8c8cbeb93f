// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/sharedvalue.h"
#include "core/base/taggedbytes.h"

#include <QByteArray>
#include <QFlags>
#include <QList>

#include <algorithm>
#include <utility>

namespace lockscope {

enum class Problem : quint16 {
    NoExpiry = 0x01,
    BadCount = 0x02,         ///< a hold count that is no integer of at least 1
    SeveralOwners = 0x04,    ///< more than the family allows
    WrongType = 0x08,        ///< a lock's name, but a value that no lock has
    TooBig = 0x10,           ///< above the reading limit; shown in part
    DeadWaiter = 0x20,       ///< a queued waiter that is not subscribed blocks the others
    Orphaned = 0x40,         ///< a queue without its lock: nobody will wake its waiters
    RewrittenByOwner = 0x80, ///< force-expired, then written again by its owner
    Deadlock = 0x100,        ///< its owner waits, directly or not, for one that waits for it
    NoQuorum = 0x200,        ///< Redlock group: no owner has it on a majority of the servers
    OwnersDiffer = 0x400,    ///< Redlock group: servers have different owners
    HolderDead = 0x800,
    Unreadable = 0x1000, ///< may not be read any more: the rest is from the last reading
};
Q_DECLARE_FLAGS(Problems, Problem)
Q_DECLARE_OPERATORS_FOR_FLAGS(Problems)

enum class HoldMode : quint8 { Exclusive, Read, Write };

/// Details of an owner in the stored data; absent or empty: unknown.
struct OwnerFacts
{
    CompactOptional<qint64> sinceMs; ///< epoch ms by the owner's clock
    bool sinceIsTry = false;         ///< sinceMs is the start of its attempt, not the acquisition
    QByteArray client;               ///< UUID of the process or client instance, which a user may name
    QByteArray thread;
    QByteArray host;
    QByteArray process; ///< process ID on that host
    QByteArray node;    ///< from a UUID of version 1: a network address, or random
    QByteArray job;
    QByteArray jobClass;
    QByteArray queue;
    QByteArray worker;   ///< worker within a client
    QByteArray metadata; ///< added to the token by the application
    QByteArray permit;   ///< its ID in the library's logs
    QByteArray transaction;
    QByteArray part; ///< hash of the locked value, if a lock may lock several; the value itself is not kept
    bool isRecord = false; ///< from an application's own fields, whose meaning is not certain
    /// All fields and values of a hash of unknown family with a lock's name that names its owner: a forced expiry
    /// compares them.
    QList<std::pair<QByteArray, QByteArray>> allFields;

    friend bool operator==(const OwnerFacts &, const OwnerFacts &) = default;
};

struct LockOwner
{
    OwnerId owner;                     ///< without the family's suffix for the mode
    QByteArray rawHoldCount;           ///< raw text; empty for a token
    CompactOptional<qint64> holdCount; ///< absent for an invalid count; 1 for a token
    HoldMode mode = HoldMode::Exclusive;
    SharedValue<OwnerFacts> recorded{}; ///< stored with its ID: fields of a record, a score

    friend bool operator==(const LockOwner &, const LockOwner &) = default;
};

inline bool isSameHold(const LockOwner &a, const LockOwner &b)
{
    return a.owner == b.owner && a.mode == b.mode;
}
inline bool isAmong(const QList<LockOwner> &owners, const LockOwner &one)
{
    return std::ranges::any_of(owners, [&](const LockOwner &holder) { return isSameHold(holder, one); });
}

} // namespace lockscope

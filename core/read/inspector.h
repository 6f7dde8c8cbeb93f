// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"
#include "core/read/fieldlease.h"
#include "core/redis/connection.h"

#include <QFlags>
#include <QFuture>
#include <QVarLengthArray>

#include <optional>
#include <span>

namespace lockscope {

/// The reading of one key: its lock, or absent.
struct Inspection
{
    LockKey key;
    std::optional<Lock> lock;
    LockKey attachedTo = {};  ///< not empty: the key belongs to this lock by its content
    bool isOtherType = false; ///< the key exists with another type, without a lock
};

/// The result of a reading: the key's lock, or that it must be read again.
struct Reading
{
    std::optional<Inspection> inspection; ///< absent: read it again
    KeyType readAs = KeyType::Unknown;
    /// With these fields' TTLs, if not empty: the inspection has an unknown lease. If it occurs twice, owners
    /// change faster than they can be read.
    QByteArrayList fields{};
    /// Support of field TTLs by the reply; Unknown if not requested.
    FieldLeases fieldLeases = FieldLeases::Unknown;
};

/// Reads keys and the locks in them. Reads are bounded: a key's first fields or first kilobyte; a wrong type
/// or a missing key is a result, not an error. Stateless.
namespace inspector {

/// Limit of keys per batch, to not delay other clients.
constexpr qsizetype batchKeys = 500;

/// A command that reads a part of a key.
enum class Read : quint8 {
    Pttl = 0x01,
    Hscan = 0x02,
    Getrange = 0x04,
    Zrange = 0x08,
    Sscan = 0x10,
    Type = 0x20,
};
Q_DECLARE_FLAGS(Reads, Read)

inline constexpr EnumNames commandName{
    Named<Read>{Read::Pttl, "pttl"},         Named<Read>{Read::Hscan, "hscan"},
    Named<Read>{Read::Getrange, "getrange"}, Named<Read>{Read::Zrange, "zrange"},
    Named<Read>{Read::Sscan, "sscan"},       Named<Read>{Read::Type, "type"}};

/// A key to read, with what is known of it.
struct Target
{
    LockKey key;
    KeyType type = KeyType::Unknown;
    bool announced = false; ///< request an announcement of the next change, with keyed tracking
    FieldLeases fieldLeases = FieldLeases::NotThere;
    QByteArrayList fields{}; ///< a hash's owners, to read their TTLs
    Reads without = {};      ///< forbidden commands, not sent
};

/// The commands of appendRead() in order, except CLIENT CACHING, which precedes them for an announced key.
QVarLengthArray<Read, 3> readsOf(const Target &target);

/// True if no permitted command shows the key's content.
bool isUnreadable(const Target &target);

/// Adds the commands that read one key; interpret() takes their replies.
void appendRead(CommandBatch &batch, const Target &target);

int commandCount(const Target &target);

/// The lock in the replies to appendRead(). An error reply (LOADING, …) is an Error, unless it is about the
/// type, or about a refused command that is not required.
Result<Reading> interpret(const Target &target, int database, std::span<const Reply> replies, TimePoint asked,
                          TimePoint heard);

QFuture<Result<Inspection>> inspect(Link &connection, const LockKey &key);

} // namespace inspector

} // namespace lockscope

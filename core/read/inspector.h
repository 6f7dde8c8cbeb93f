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

/// One key looked at: its lock, or nullopt where nothing is there.
struct Inspection
{
    LockKey key;
    std::optional<Lock> lock;
    LockKey attachedTo = {};  ///< not empty: by what it holds the key belongs to that one
    bool isOtherType = false; ///< no lock was read, but the key is there: with a value of another type
};

/// What the replies to a reading say: the key's lock, or that its type is another than was asked for.
struct Reading
{
    std::optional<Inspection> inspection; ///< absent: read it again
    KeyType readAs = KeyType::Unknown;    ///< as this
    /// With the TTLs of these, where there are any: the inspection says that its lease is unknown. It changes owners faster
    /// than it can be read where it comes to that twice.
    QByteArrayList fields{};
    /// What the answer said of field TTLs; Unknown where none were asked for.
    FieldLeases fieldLeases = FieldLeases::Unknown;
};

/// Reads keys and says what locks they hold. Reads are bounded: a key's first fields or first kilobyte; a
/// wrong type or a vanished key is a result, not a failure. Knows no state of its own.
namespace inspector {

/// Keys in one batch, so that no other client waits long behind it.
constexpr qsizetype batchKeys = 500;

/// A command that reads something of a key.
enum class Read : quint8 {
    Pttl = 0x01,
    Hscan = 0x02,
    Getrange = 0x04,
    Zrange = 0x08,
    Sscan = 0x10,
    Type = 0x20,
};
Q_DECLARE_FLAGS(Reads, Read)

/// Its name, in lower case.
inline constexpr EnumNames commandName{
    Named<Read>{Read::Pttl, "pttl"},         Named<Read>{Read::Hscan, "hscan"},
    Named<Read>{Read::Getrange, "getrange"}, Named<Read>{Read::Zrange, "zrange"},
    Named<Read>{Read::Sscan, "sscan"},       Named<Read>{Read::Type, "type"}};

/// A key to read and what is known of it.
struct Target
{
    LockKey key;
    KeyType type = KeyType::Unknown;
    bool announced =
        false; ///< the server is asked to announce its next change: by a connection with keyed tracking
    FieldLeases fieldLeases = FieldLeases::NotThere;
    QByteArrayList fields{}; ///< of a hash's owners: their TTLs are asked for
    Reads without = {};      ///< not sent: this login may not run them
};

/// The commands of appendRead() in their order, but for CLIENT CACHING, which precedes them where the key is announced.
QVarLengthArray<Read, 3> readsOf(const Target &target);

/// Nothing that can be sent says what the key holds.
bool isUnreadable(const Target &target);

/// Adds the commands that read one key; interpret() takes their replies.
void appendRead(CommandBatch &batch, const Target &target);

/// The number of commands of appendRead().
int commandCount(const Target &target);

/// The lock in the replies to appendRead(). An error reply (LOADING, …) is an Error, unless it is about the type, or a
/// refused command that was not needed to know what the key holds.
Result<Reading> interpret(const Target &target, int database, std::span<const Reply> replies, TimePoint asked,
                          TimePoint heard);

/// Reads one key, whatever its type.
QFuture<Result<Inspection>> inspect(Link &connection, const LockKey &key);

} // namespace inspector

} // namespace lockscope

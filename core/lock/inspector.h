// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"
#include "core/redis/connection.h"

#include <QFuture>
#include <QList>

#include <optional>

namespace lockscope {

/// One key looked at: its lock, or nullopt where nothing is there.
struct Inspection
{
    LockKey key;
    std::optional<Lock> lock;
};

/// Reads keys and says what locks they hold. Reads are bounded: a key's first 64 fields or first kilobyte; a wrong type
/// or a vanished key is a result, not a failure. Knows no state of its own.
class Inspector
{
public:
    /// Commands that read one key: always this many, always answered in this order.
    static constexpr int commandsPerKey = 3;
    /// Keys in one batch, so that no other client waits long behind it.
    static constexpr int batchKeys = 500;

    static void appendRead(CommandBatch &batch, const LockKey &key);
    /// The lock in the replies to appendRead(); `replies` holds commandsPerKey of them. An error reply other than a wrong
    /// type (NOPERM, LOADING, …) is an Error.
    static Result<Inspection> interpret(const LockAddress &address, std::span<const Reply> replies, TimePoint asked,
                                        TimePoint heard);

    /// Reads any number of keys in batches. The first Error ends it.
    static QFuture<Result<QList<Inspection>>> inspect(Connection &connection, QList<LockKey> keys);
};

} // namespace lockscope

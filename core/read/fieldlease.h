// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/command.h"
#include "core/redis/login.h"
#include "core/redis/reply.h"

namespace lockscope {

/// Whether a server supports TTLs of hash fields (Redis 7.4, Valkey 9), and lets them be read.
enum class FieldLeases : quint8 {
    NotThere, ///< not supported
    Unknown,
    Told,
    Forbidden, ///< maybe supported, but may not be read
};

namespace fieldlease {

/// The command to determine support, sent once per connection, and its answer.
void appendQuestion(CommandBatch &batch);
FieldLeases answerIn(const Reply &reply);
/// The answer for a Redis that is too old; otherwise Unknown.
FieldLeases answerExpectedOf(const ServerInfo &server);

/// The owners' fields, which may expire before the key; empty: nothing to read.
QByteArrayList fieldsOf(const Lock &lock);
/// Adds the command that reads these fields' TTLs.
void append(CommandBatch &batch, const LockKey &key, const QByteArrayList &fields);
/// Sets the lease of a lock with the key's TTL: it ends with the last of its owners, if not before with its
/// key. False if other fields are needed.
bool take(Lock &lock, const QByteArrayList &fields, const Reply &reply, TimePoint asked, TimePoint heard);
/// Marks the lease as unknown: fields' TTLs may not be read, and the key has none.
void setNotKnown(Lock &lock);

} // namespace fieldlease

} // namespace lockscope

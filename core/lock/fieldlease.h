// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"
#include "core/redis/command.h"
#include "core/redis/reply.h"

namespace lockscope {

/// Whether a server gives the fields of a hash TTLs of their own (Redis 7.4, Valkey 9), and says them.
enum class FieldLeases : quint8 {
    NotThere, ///< nothing is asked
    NotKnown, ///< not asked yet
    Told,
    Forbidden, ///< they may be there, and may not be asked for
};

namespace fieldlease {

/// The command that asks whether a server has them, and what it says. It is asked once on a connection.
void appendQuestion(CommandBatch &batch);
FieldLeases answerIn(const Reply &reply);

/// The fields of a hash whose key has no TTL; empty where there is nothing to ask.
QByteArrayList fieldsOf(const Lock &lock);
/// Asks for the TTLs of these.
void append(CommandBatch &batch, const LockKey &key, const QByteArrayList &fields);
/// Takes the answer into the lock: it ends with the last of its owners. False where it was asked for others.
bool take(Lock &lock, const QByteArrayList &fields, const Reply &reply, TimePoint asked, TimePoint heard);
/// The key has no TTL, and what its fields have may not be asked.
void setNotKnown(Lock &lock);

} // namespace fieldlease

} // namespace lockscope

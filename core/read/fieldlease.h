// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/command.h"
#include "core/redis/login.h"
#include "core/redis/reply.h"

namespace lockscope {

/// Whether a server gives the fields of a hash TTLs of their own (Redis 7.4, Valkey 9), and says them.
enum class FieldLeases : quint8 {
    NotThere, ///< nothing is asked
    Unknown,  ///< not asked yet
    Told,
    Forbidden, ///< they may be there, and may not be asked for
};

namespace fieldlease {

/// The command that asks whether a server has them, and what it says. It is asked once on a connection.
void appendQuestion(CommandBatch &batch);
FieldLeases answerIn(const Reply &reply);
/// What needs no question: a Redis that is too old for them. Else Unknown.
FieldLeases answerExpectedOf(const ServerInfo &server);

/// The fields of its owners, which may end sooner than its key; empty where there is nothing to ask.
QByteArrayList fieldsOf(const Lock &lock);
/// Asks for the TTLs of these.
void append(CommandBatch &batch, const LockKey &key, const QByteArrayList &fields);
/// Takes the answer into the lock, which says what its key has: it ends with the last of its owners, if not with its key
/// before. False where it was asked for others.
bool take(Lock &lock, const QByteArrayList &fields, const Reply &reply, TimePoint asked, TimePoint heard);
/// What its fields have may not be asked: without a TTL of the key nothing is known.
void setNotKnown(Lock &lock);

} // namespace fieldlease

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/family/ownerfacts.h"

#include <optional>

namespace lockscope {

// UUIDs as owners.

// UUIDs that several libraries draw alike: no evidence for any of them.
/// Matches a UUID with the time at which it was drawn.
std::optional<StringMatch> matchUuid1(const StringValue &string);
/// Matches a UUID without time, not under the prefix of libraries that keep a lock on several servers.
std::optional<StringMatch> matchPlainUuid(const StringValue &string);
/// Matches a UUID without time under that prefix.
std::optional<StringMatch> matchRedlockUuid(const StringValue &string);

/// True for a UUID of version 1 as redis-py draws tokens, which other programs draw for requests and traces
/// too. Its time is that of the first attempt, and must be less than a month ago.
bool isRedisPyToken(QByteArrayView hex, qint64 nowMs);

/// The time and node in a UUID of version 1 as 32 hex digits; it was drawn before the first attempt.
OwnerFacts uuid1Owner(const LockKey &key, const OwnerId &owner);
/// The UUID that a process draws once.
OwnerFacts uuidClient(const LockKey &key, const OwnerId &owner);

} // namespace lockscope

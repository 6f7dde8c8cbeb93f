// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/family/ownerfacts.h"

#include <optional>

namespace lockscope {

// What UUIDs tell of an owner: for the families whose owners are named so.

// A string whose token several libraries draw alike, so that it is no evidence for any of them.
/// One that tells when it was drawn.
std::optional<StringMatch> matchUuid1(const StringValue &string);
/// Another one, and not under the prefix of libraries that spread a lock over several servers.
std::optional<StringMatch> matchPlainUuid(const StringValue &string);
/// One under that prefix.
std::optional<StringMatch> matchRedlockUuid(const StringValue &string);

/// A UUID of version 1, as redis-py draws its tokens: other programs draw them for requests and traces too. The owner is
/// the time at which it began to try; who holds for a month has found another way to fail.
bool isRedisPyToken(QByteArrayView hex, qint64 nowMs);

/// Of a UUID of version 1 as 32 hex digits: when it was drawn, which is before the first attempt, and by which node.
OwnerFacts uuid1Owner(const LockKey &key, const OwnerId &owner);
/// Of a UUID that a process draws once.
OwnerFacts uuidClient(const LockKey &key, const OwnerId &owner);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/family/ownerfacts.h"

namespace lockscope {

// UUIDs as owners.

/// True for a UUID of version 1 as redis-py draws tokens, which other programs draw for requests and traces
/// too. Its time is that of the first attempt, and must be less than a month ago.
bool isRedisPyToken(QByteArrayView hex, qint64 nowMs);

/// The time and node in a UUID of version 1 as 32 hex digits; it was drawn before the first attempt.
OwnerFacts uuid1Owner(const LockKey &key, const OwnerId &owner);

} // namespace lockscope

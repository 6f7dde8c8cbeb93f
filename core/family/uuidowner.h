// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/ownerfacts.h"

namespace lockscope {

// What UUIDs tell of an owner: for the families whose owners are named so.

/// A UUID with hyphens that tells when it was drawn.
bool isUuid1(QByteArrayView dashed);

/// Of a UUID of version 1 as 32 hex digits: when it was drawn, which is before the first attempt, and by which node.
OwnerFacts uuid1Owner(const LockKey &key, const OwnerId &owner);
/// Of a UUID that a process draws once.
OwnerFacts uuidClient(const LockKey &key, const OwnerId &owner);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/base/taggedbytes.h"
#include "core/model/family.h"

namespace lockscope {

/// Why Lockscope does not acquire a lock of this family; empty: it does.
Phrase acquireRefusal(Family family);
/// Why Lockscope does not acquire this key, by its name or family; empty: it does.
Phrase acquireRefusal(const LockKey &key, Family family);

} // namespace lockscope

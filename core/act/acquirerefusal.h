// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/base/taggedbytes.h"
#include "core/model/family.h"

namespace lockscope {

/// Why a lock of this family is not taken for an operator; empty where it is.
Phrase acquireRefusal(Family family);
/// The same of this key: its name alone may say that others write it without asking who holds it.
Phrase acquireRefusal(const LockKey &key, Family family);

} // namespace lockscope

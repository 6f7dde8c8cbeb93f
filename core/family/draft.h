// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/model/lock.h"

namespace lockscope {

/// A family's file (TOML) guessed from one lock, for its user to edit: names, typed parts of what is stored, and the lock as its
/// example, where tokens that look drawn are replaced by others of the same form. Its examples hold, and its form matches the lock.
/// Empty where no form describes the content: of another type, nothing, or too long. `nowMs`: epoch ms. Pure.
QByteArray familyDraft(const LockKey &key, const KeyContent &content, CompactOptional<milliseconds> ttl,
                       qint64 nowMs);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/content.h"
#include "core/model/lock.h"

namespace lockscope {

/// Drafts a family file (TOML) from one lock for the user to edit: names, typed parts of the value, and the
/// lock as an example, with random tokens replaced by others of the same form. Empty if the content is of
/// another type, empty, or too long. `nowMs`: epoch ms. Pure.
QByteArray familyDraft(const LockKey &key, const KeyContent &content, CompactOptional<milliseconds> ttl,
                       qint64 nowMs);

} // namespace lockscope

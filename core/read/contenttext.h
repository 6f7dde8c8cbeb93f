// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/keycontents.h"

#include <QString>

namespace lockscope {

// What was read of a key, for people to look at and to copy. Nothing in it can change how the rest is shown. Pure.

/// A string as printable text; of the other types an element a line, "field: value" where there are two parts.
QString plainText(const StoredKey &content);
/// A string that is JSON, with indents; of the other types an object of the fields, or an array. Bytes that are no UTF-8 stand
/// as \xNN, and exactly in an entry NAME_base64. Empty for a string that is no JSON, or was cut.
QString jsonText(const StoredKey &content);
/// Sixteen bytes a line with their place and their ASCII; of the other types an element after the other.
QString hexText(const StoredKey &content);

} // namespace lockscope

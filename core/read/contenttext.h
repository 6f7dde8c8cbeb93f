// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/keycontents.h"

#include <QString>

namespace lockscope {

// The content of a key for display and copying. Escaped: content cannot change how other text is shown. Pure.

/// A string as printable text; other types with an element per line, "field: value" for pairs.
QString plainText(const StoredKey &content);
/// A JSON string, indented; other types as an object of the fields, or an array. Bytes that are not UTF-8
/// appear as \xNN, and exactly in an entry NAME_base64. Empty for strings that are no JSON, or were cut.
QString jsonText(const StoredKey &content);
/// A hex dump of sixteen bytes per line, with offset and ASCII; other types element by element.
QString hexText(const StoredKey &content);

} // namespace lockscope

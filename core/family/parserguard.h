// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/familyfile.h"

#include <optional>

namespace lockscope {

/// Finds what the TOML parser fails to refuse, before it reads: a file that is too long; keys with many
/// parts, which nest tables to any depth; bytes beyond ASCII outside quotes and comments. Time proportional
/// to the text. Pure.
std::optional<FileFault> faultForParser(QByteArrayView text);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/family/familyfile.h"

#include <optional>

namespace lockscope {

/// What the TOML parser would not refuse as it should, looked for before it reads: more bytes than a file may have; keys of so
/// many parts that it makes tables within tables to any depth; bytes beyond ASCII outside quotes and comments, some of which it
/// takes for impossible. In time proportional to the text. Pure.
std::optional<FileFault> faultForParser(QByteArrayView text);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

namespace lockscope {

/// The translated phrase as plain text, with a server's bytes escaped.
QString inWords(const Phrase &phrase);
/// The details of an error besides its kind; empty: none. For the full text see describe().
QString inWords(const Error &why);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

namespace lockscope {

/// A phrase of the core in the reader's language: plain text, a server's bytes in it made printable.
QString inWords(const Phrase &phrase);
/// Of an error only what is known besides its kind; describe() says all of it. Empty where that is nothing.
QString inWords(const Error &why);

} // namespace lockscope

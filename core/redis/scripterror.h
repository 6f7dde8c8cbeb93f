// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

namespace lockscope {

/// True where this answer to EVAL or EVALSHA, or to their sending, proves that nothing was written: it was not sent, the
/// server refused it before the script began, or it refuses every write of a script alike. An error from inside a
/// script, which may have written before, proves nothing; nor does one whose text is not known.
bool provesNothingWasDone(const Error &error);

} // namespace lockscope

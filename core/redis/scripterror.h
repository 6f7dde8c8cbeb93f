// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"

namespace lockscope {

/// True if this error for EVAL or EVALSHA proves that nothing was written: it was not sent, was refused
/// before the script began, or all writes of scripts are refused. An error from inside a script, which may
/// have written, proves nothing; nor does an unknown text.
bool provesNothingWasDone(const Error &error);

} // namespace lockscope

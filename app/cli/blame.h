// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace lockscope {

class Recording;

/// Prints who made others wait in a period of a recording: a ranking, and the episodes with most waiting.
ExitStatus printBlame(const Options &options, const Recording &recording, milliseconds from, milliseconds to);

} // namespace lockscope

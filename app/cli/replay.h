// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace lockscope {

/// Prints what a recording tells: its events as `watch` would have, its locks at a moment as `list` would have, or what it
/// holds. Needs no server and no event loop.
ExitStatus replay(const Options &options);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace lockscope {

/// Checks an audit file's chain and prints the verdict. Needs no server.
ExitStatus verifyAudit(const Options &options);

} // namespace lockscope

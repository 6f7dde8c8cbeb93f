// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace lockscope {

class Recording;

/// Prints the orders in which threads acquired locks in a period of a recording, where they contradict each other.
ExitStatus printOrders(const Options &options, const Recording &recording, milliseconds from,
                       milliseconds to);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

QString titleOf(const SimulationSetup &setup);
/// Whether it can only run where nothing else lives: it harms the server, or may leave a lock without expiry.
bool needsPrivateServer(const SimulationSetup &setup);
int mostWorkers(const SimulationSetup &setup); ///< of all acts
milliseconds longestLease(const SimulationSetup &setup);
/// In any act, by any visit: counters of fencing tokens outlive the longest lease.
bool givesFences(const SimulationSetup &setup);

} // namespace lockscope

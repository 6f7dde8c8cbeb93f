// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

QString titleOf(const SimulationSetup &setup);
/// A phase that is named after an algorithm has the title of that.
QString phaseTitle(const Phrase &title);
/// True if the setup harms the server or may leave a lock without expiry.
bool needsPrivateServer(const SimulationSetup &setup);
int maxWorkers(const SimulationSetup &setup); ///< maximum of all phases
milliseconds longestLease(const SimulationSetup &setup);
/// True if any phase issues fencing tokens, whose counters outlive the longest lease.
bool givesFences(const SimulationSetup &setup);

} // namespace lockscope

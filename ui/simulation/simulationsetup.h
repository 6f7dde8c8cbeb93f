// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

/// What is to run: a scenario, or the user's own plan.
struct SimulationSetup
{
    const Scenario *scenario = nullptr; ///< null: the plan
    ScenarioSettings settings;          ///< of the scenario
    Plan plan;
};

QString titleOf(const SimulationSetup &setup);
QList<ScenarioPhase> actsOf(const SimulationSetup &setup);
/// What is wrong with it, for the user; nothing where it can run.
std::optional<Phrase> validationError(const SimulationSetup &setup);
/// Whether it can only run where nothing else lives: it harms the server, or may leave a lock without expiry.
bool needsPrivateServer(const SimulationSetup &setup);
int mostWorkers(const SimulationSetup &setup); ///< of all acts
milliseconds longestLease(const SimulationSetup &setup);
/// In any act, by any visit: counters of fencing tokens outlive the longest lease.
bool givesFences(const SimulationSetup &setup);

} // namespace lockscope

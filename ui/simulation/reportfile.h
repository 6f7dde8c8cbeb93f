// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

/// Writes a run's report to a file, whole or not at all: as text for people where the name ends in ".txt", as JSON
/// otherwise. Returns what went wrong, for the user; empty: it is written.
QString writeReport(const ScenarioReport &report, const QString &path);

} // namespace lockscope

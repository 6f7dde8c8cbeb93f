// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

/// "one-winner – One winner": name and title, on the command line and in the window.
QString scenarioCaption(const Scenario &scenario);

/// A report for display: figures, text histograms, three example violations, the first of each kind before
/// others. Translated; plain text of several lines, at most `width` columns wide.
QString describe(const Report &report, int width = 80);
QString describe(const ScenarioReport &report, int width = 80);

} // namespace lockscope

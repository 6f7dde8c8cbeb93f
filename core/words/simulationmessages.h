// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

/// "one-winner – One winner": what it is called on the command line and in the window alike.
QString scenarioCaption(const Scenario &scenario);

/// For people: figures, text histograms, three violations as stories, the first of each sort before others. Translated; plain text of several
/// lines, at most `width` columns wide.
QString describe(const Report &report, int width = 80);
QString describe(const ScenarioReport &report, int width = 80);

} // namespace lockscope

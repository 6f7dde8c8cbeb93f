// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/stage.h"

namespace lockscope {

/// How much is measured. The rows are the same for all.
struct BenchScale
{
    DataSize small;
    DataSize middle;
    DataSize large;
    int rounds;
    milliseconds window; ///< of what is measured over a time
    int changesPerSecond;
    int expiring;
    milliseconds endings; ///< within which they end
    int volatileOthers;
};

// Each prints its rows. False: our own side could not be measured.

/// Scans at full speed beside SCAN alone; `first` and `redisCli`: rows for these too.
struct SweepRows
{
    double wallTarget;
    double cpuTarget; ///< 0: no row
    bool first = false;
    bool redisCli = false;
};
bool benchSweeps(Stage &stage, const BenchScale &scale, const SweepRows &rows);
/// How long the server was held up by any one command of a scan.
bool benchLongestCommand(Stage &stage);
/// What following many changes costs, and how soon they are in the window's model.
bool benchChanges(Stage &stage, const BenchScale &scale);
/// What others lose while the monitor scans within its share.
bool benchOthers(Stage &stage, const BenchScale &scale);
/// Locks that end by themselves among many keys that have an expiry.
bool benchExpiry(Stage &stage, const BenchScale &scale);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/reliability/stage.h"

#include <functional>
#include <vector>

namespace lockscope {

/// A fault that comes over a stage and goes.
struct FaultKind
{
    const char *name;
    bool byProxy = false;
    std::function<void(Stage &)> begin;
    std::function<void(Stage &)> end;
    std::chrono::milliseconds holds{1000};
    bool userRetries = false;   ///< it ends in a refusal: the user presses "try again" when it is over
    bool userRefreshes = false; ///< the user presses F5 when it is over
    bool takesChanges = true;   ///< others can change locks while it lasts
    bool brief = false;         ///< is part of the short form
};

std::vector<FaultKind> faultKinds();

} // namespace lockscope

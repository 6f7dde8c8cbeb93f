// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <functional>
#include <memory>

namespace lockscope {

/// The iterations of one worker. The same seed gives the same iterations, regardless of the server's replies.
class Workload
{
public:
    virtual ~Workload() = default;
    virtual std::optional<Iteration> next() = 0; ///< absent: finished
};

using RoutineFactory = std::function<std::unique_ptr<Workload>(int worker)>;

/// The routines of a plan: its script, or endless random ones.
RoutineFactory routinesOf(const Plan &plan);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <functional>
#include <memory>

namespace lockscope {

/// What one worker does, visit by visit. Whatever the server answers and however long that takes, the same seed
/// gives the same visits.
class Workload
{
public:
    virtual ~Workload() = default;
    virtual std::optional<Iteration> next() = 0; ///< nothing: the worker has done
};

using RoutineFactory = std::function<std::unique_ptr<Workload>(int worker)>;

/// The routines of a plan: its script, or drawn ones without end.
RoutineFactory routinesOf(const Plan &plan);

} // namespace lockscope

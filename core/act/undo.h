// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <optional>

namespace lockscope {

/// The request that undoes an action now, as far as possible: an acquisition is released; an ended lock is
/// acquired again by the same owner for the rest of its lease. Absent for several owners or holds, an unknown
/// or no time left, a family that cannot be acquired, and for changes of leases or levels, whose owner may
/// have continued. The request itself detects another owner. Without consent yet. Pure.
std::optional<ActionRequest> undoOf(const ActionRequest &request, const ActionResult &result, TimePoint now);

} // namespace lockscope

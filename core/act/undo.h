// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <optional>

namespace lockscope {

/// The request that takes an action back at this moment, as far as that can be done: an acquisition is released, a lock that ended is
/// acquired again by the same owner for the time that its lease had left. nullopt where there is no such request: several owners or
/// holds, an unknown time left or none, a family that nobody else acquires; and of a lease or a level, whose owner may have gone on
/// since. The lock may be another's by then, which the request finds out. Not agreed to yet. Pure.
std::optional<ActionRequest> undoOf(const ActionRequest &request, const ActionResult &result, TimePoint now);

} // namespace lockscope

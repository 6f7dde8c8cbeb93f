// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <optional>

namespace lockscope {

/// The request that takes an action back as far as that can be done: an acquisition is released, a level or a lock that ended is
/// acquired again by the same owner for the time that was left, a lease is set back. nullopt where there is no such request: another
/// owner, several of them, an unknown time left, a family that nobody else acquires. The lock may be another's by then, which the
/// request finds out. Pure.
std::optional<ActionRequest> undoOf(const ActionRequest &request, const ActionResult &result, TimePoint now);

} // namespace lockscope

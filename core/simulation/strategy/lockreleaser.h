// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// A way to end a lock by its key and at most its token, whichever algorithm acquired it.
using LockReleaser = Result<ReleaseResult> (*)(const StrategyContext &context, const QByteArray &token);

/// Null for ReleaseMethod::Usual: a script of the strategy's own.
LockReleaser releaserOf(ReleaseMethod form);

} // namespace lockscope

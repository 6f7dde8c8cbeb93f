// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// A way to end a lock by its key and at most its token, whichever algorithm acquired it.
class LockReleaser
{
public:
    virtual ~LockReleaser() = default;
    virtual Result<ReleaseResult> release(const QByteArray &token) = 0;
};

/// Null for ReleaseMethod::Usual: a script of the strategy's own.
std::unique_ptr<LockReleaser> makeReleaser(ReleaseMethod form, const StrategyContext &context);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// How a refused worker comes to try again. Of one strategy; on its thread.
class RetryPolicy
{
public:
    virtual ~RetryPolicy() = default;
    /// Before each attempt: what was heard until now does not matter any more.
    virtual void beforeAttempt() {}
    /// As LockStrategy::await(). `leaseEnd`: when the holder's lease ends, where it was told.
    virtual Result<WakeResult> await(std::optional<TimePoint> leaseEnd, TimePoint until) = 0;
    /// The waiting is over, with the lock or without it.
    virtual void end() {}
    /// After a release that deleted the lock.
    virtual void announce() {}
    virtual bool isWoken() const { return false; }
};

/// `algorithm.wake` for this lock; Usual: as the strategy is published.
std::unique_ptr<RetryPolicy> makeRetryPolicy(const Algorithm &algorithm, const StrategyContext &context);

} // namespace lockscope

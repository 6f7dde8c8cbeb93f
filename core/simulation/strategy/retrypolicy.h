// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

namespace lockscope {

/// How a refused worker retries. Belongs to one strategy; on its thread.
class RetryPolicy
{
public:
    virtual ~RetryPolicy() = default;
    /// Before each attempt: discards earlier messages.
    virtual void beforeAttempt() {}
    /// See LockStrategy::await(). `leaseEnd`: end of the holder's lease, if known.
    virtual Result<WakeResult> await(std::optional<TimePoint> leaseEnd, TimePoint until) = 0;
    /// Ends the wait, with or without the lock.
    virtual void end() {}
    /// After a release that deleted the lock.
    virtual void announce() {}
    virtual bool isWoken() const { return false; }
};

/// The policy of `algorithm.wake` for this lock; Usual: as the strategy is published.
std::unique_ptr<RetryPolicy> makeRetryPolicy(const Algorithm &algorithm, const StrategyContext &context);

} // namespace lockscope

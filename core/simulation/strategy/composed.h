// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/lockreleaser.h"
#include "core/simulation/strategy/retrypolicy.h"
#include "core/simulation/strategy/strategy.h"
#include "core/simulation/strategy/workerconnections.h"

namespace lockscope {

/// A strategy made of three parts: how a lock is taken, which is the subclass, how it is given back and how a
/// refused worker comes to try again. Keeps the belief.
class ComposedStrategy : public LockStrategy
{
public:
    ComposedStrategy(const Algorithm &algorithm, const StrategyContext &context);

    Result<AcquireResult> acquire(const AcquireRequest &request) override;
    Result<WakeResult> await(TimePoint until) override;
    Result<AcquireResult> giveUp() override;
    Result<ReleaseResult> release() override;
    Result<bool> renew(milliseconds lease) override;
    bool isWoken() const override { return m_retryPolicy->isWoken(); }

protected:
    /// One attempt. Reads the belief and leaves it alone.
    virtual Result<AcquireResult> take(const AcquireRequest &request) = 0;
    /// One level, by the algorithm's own script; only where ReleaseMethod::Usual is one.
    virtual Result<ReleaseResult> releaseLevel() = 0;
    virtual Result<bool> extend(milliseconds lease) = 0;
    /// What the stored value must be for a release that compares it.
    virtual QByteArray token() const { return {}; }

    BlockingConnection &connection() { return m_context.links.commands(); }
    const QByteArray &key() const { return m_context.key.bytes; }
    /// When the holder's lease ends, as the last attempt was told.
    std::optional<TimePoint> holdersEnd() const { return m_holdersEnd; }

    StrategyContext m_context;

private:
    const LockReleaser m_releaser; ///< null: releaseLevel()
    std::unique_ptr<RetryPolicy> m_retryPolicy;
    std::optional<TimePoint> m_holdersEnd;
};

/// For StrategySpec::make.
template <typename Strategy>
std::unique_ptr<LockStrategy> makeStrategyOf(const Algorithm &algorithm, const StrategyContext &context)
{
    return std::make_unique<Strategy>(algorithm, context);
}

/// The count of an owner in a lock that is a hash; 0: none.
Result<int> countInHash(const StrategyContext &context);

/// A lease as the scripts take it; kept, since it hardly ever changes.
class LeaseText
{
public:
    const QByteArray &inSeconds(milliseconds lease);
    const QByteArray &inSeconds() const { return m_text; } ///< as last given

private:
    milliseconds m_lease{0};
    QByteArray m_text;
};

} // namespace lockscope

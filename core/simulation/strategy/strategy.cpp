// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/strategy.h"

#include "core/model/lock.h"
#include "core/simulation/model/strategyspec.h"
#include "core/simulation/strategy/retrypolicy.h"

#include <algorithm>

namespace lockscope {

LockStrategy::LockStrategy(const Algorithm &algorithm, const StrategyContext &context)
    : m_context(context),
      m_releaser(releaserOf(releaseOf(algorithm))),
      m_retryPolicy(makeRetryPolicy(algorithm, context))
{
}

Result<AcquireResult> LockStrategy::acquire(const AcquireRequest &request)
{
    m_retryPolicy->beforeAttempt();
    Result<AcquireResult> attempt = take(request);
    if (!attempt)
        return attempt;
    m_holdersEnd.reset();
    if (attempt->holds()) {
        ++m_localHoldCount;
        m_retryPolicy->end();
    } else if (attempt->verdict == AcquireResult::Verdict::Lost) {
        m_localHoldCount = 0;
    } else if (attempt->ttl) {
        // A lease without end in sight must not overflow the clock; a PTTL is rounded down.
        m_holdersEnd = Deadline::fromPttl(*attempt->ttl, {}, Clock::now()).latest;
    }
    return attempt;
}

LockStrategy::~LockStrategy() = default;

bool LockStrategy::isWoken() const
{
    return m_retryPolicy->isWoken();
}

Result<WakeResult> LockStrategy::await(TimePoint until)
{
    return m_retryPolicy->await(m_holdersEnd, until);
}

Result<AcquireResult> LockStrategy::giveUp()
{
    m_retryPolicy->end();
    return AcquireResult{};
}

Result<ReleaseResult> LockStrategy::release()
{
    if (m_localHoldCount == 0)
        return ReleaseResult{};
    // Deleting the key would end all levels at once, so the others are counted here.
    if (m_releaser && m_localHoldCount > 1) {
        --m_localHoldCount;
        return ReleaseResult{.verdict = ReleaseResult::Verdict::Unwound};
    }
    Result<ReleaseResult> returned = m_releaser ? m_releaser(m_context, token()) : releaseLevel();
    if (!returned || returned->verdict == ReleaseResult::Verdict::Died)
        return returned;
    m_localHoldCount = returned->verdict == ReleaseResult::Verdict::Unwound ? m_localHoldCount - 1 : 0;
    if (returned->deleted) {
        m_retryPolicy->announce();
        returned->isPublished = returned->isPublished || m_retryPolicy->isWoken();
    }
    return returned;
}

Result<bool> LockStrategy::renew(milliseconds lease)
{
    Result<bool> extended = extend(lease);
    if (extended && !*extended)
        m_localHoldCount = 0;
    return extended;
}

Result<int> countInHash(const StrategyContext &context)
{
    const Result<Reply> count =
        context.links.commands().send({"HGET", context.key.bytes, context.owner.bytes});
    return count.map([](const Reply &stored) { return stored.text.toInt(); });
}

QByteArray leaseInSeconds(milliseconds lease)
{
    return Lease::fromMilliseconds(std::clamp(lease, milliseconds(1), Lease::longest))->inSeconds();
}

std::unique_ptr<LockStrategy> makeStrategy(const Algorithm &algorithm, const StrategyContext &context)
{
    return specOf(algorithm.strategy).make(algorithm, context);
}

QList<QByteArray> keysOf(StrategyKind kind, const LockKey &key)
{
    const StrategySpec &spec = specOf(kind);
    return QList{key.bytes} + (spec.companionKeys ? spec.companionKeys(key) : QList<QByteArray>());
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/composed.h"

#include <algorithm>

namespace lockscope {

ComposedStrategy::ComposedStrategy(const Algorithm &algorithm, const StrategyContext &hands)
    : m_hands(hands),
      m_releasing(makeReleasing(releaseOf(algorithm), hands)),
      m_waking(makeWaking(algorithm, hands))
{
}

Result<AcquireResult> ComposedStrategy::acquire(const AcquireRequest &asking)
{
    m_waking->beforeAttempt();
    Result<AcquireResult> attempt = take(asking);
    if (!attempt)
        return attempt;
    m_holdersEnd.reset();
    if (attempt->holds()) {
        ++m_believed;
        m_waking->end();
    } else if (attempt->verdict == AcquireResult::Verdict::Lost) {
        m_believed = 0;
    } else if (attempt->ttl) {
        // A lease without end in sight must not overflow the clock; a PTTL is rounded down.
        m_holdersEnd = Deadline::fromPttl(*attempt->ttl, {}, Clock::now()).latest;
    }
    return attempt;
}

Result<WakeResult> ComposedStrategy::await(TimePoint until)
{
    return m_waking->await(m_holdersEnd, until);
}

Result<AcquireResult> ComposedStrategy::giveUp()
{
    m_waking->end();
    return AcquireResult{};
}

Result<ReleaseResult> ComposedStrategy::release()
{
    if (m_believed == 0)
        return ReleaseResult{};
    // Deleting the key would end all levels at once, so the others are counted here.
    if (m_releasing && m_believed > 1) {
        --m_believed;
        return ReleaseResult{.verdict = ReleaseResult::Verdict::Unwound};
    }
    Result<ReleaseResult> returned = m_releasing ? m_releasing->release(token()) : releaseLevel();
    if (!returned || returned->verdict == ReleaseResult::Verdict::Died)
        return returned;
    m_believed = returned->verdict == ReleaseResult::Verdict::Unwound ? m_believed - 1 : 0;
    if (returned->deleted)
        m_waking->announce();
    return returned;
}

Result<bool> ComposedStrategy::renew(milliseconds lease)
{
    Result<bool> extended = extend(lease);
    if (extended && !*extended)
        m_believed = 0;
    return extended;
}

const QByteArray &LeaseText::inSeconds(milliseconds lease)
{
    if (lease != m_lease) {
        m_lease = std::clamp(lease, milliseconds(1), Lease::longest);
        m_text = Lease::fromMilliseconds(m_lease)->inSeconds();
    }
    return m_text;
}

} // namespace lockscope

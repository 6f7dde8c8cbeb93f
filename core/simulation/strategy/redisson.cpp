// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/strategy.h"

namespace lockscope {

namespace {

/// Replies, messages and times are Redisson's, to share locks with its clients. Like them, a re-entry does
/// not notice that the lease had ended.
class Redisson : public LockStrategy
{
public:
    using LockStrategy::LockStrategy;

    Result<int> storedHolds() override { return countInHash(m_context); }

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        static const Script script("redisson/acquire.lua");
        m_lease = QByteArray::number(qint64(request.lease.count()));
        const Result<Reply> left = run(script);
        if (!left)
            return tl::unexpected(left.error());
        if (left->isNil())
            return AcquireResult{.verdict = m_localHoldCount == 0 ? AcquireResult::Verdict::Acquired
                                                                  : AcquireResult::Verdict::Reentered};
        AcquireResult refused;
        if (m_localHoldCount > 0)
            refused.verdict = AcquireResult::Verdict::Lost;
        if (left->integer >= 0)
            refused.ttl = milliseconds(left->integer);
        return refused;
    }

    Result<ReleaseResult> releaseLevel() override
    {
        static const Script script("redisson/release.lua");
        const Result<Reply> released = run(script);
        if (!released)
            return tl::unexpected(released.error());
        if (released->isNil())
            return ReleaseResult{};
        const bool whole = released->integer == 1;
        return ReleaseResult{.verdict =
                                 whole ? ReleaseResult::Verdict::Released : ReleaseResult::Verdict::Unwound,
                             .deleted = whole};
    }

    Result<bool> extend(milliseconds lease) override
    {
        static const Script script("redisson/renew.lua");
        m_lease = QByteArray::number(qint64(lease.count()));
        const Result<Reply> renewed = run(script);
        return renewed.map([](const Reply &reply) { return reply.integer == 1; });
    }

private:
    Result<Reply> run(const Script &script)
    {
        return script.run(connection(), {key()}, {m_lease, m_context.owner.bytes});
    }

    QByteArray m_lease; ///< in ms
};

} // namespace

constexpr StrategySpec strategies::redisson{
    .kind = StrategyKind::Redisson,
    .name = "redisson",
    .title = QT_TRANSLATE_NOOP("phrases", "As in Redisson"),
    .meaning = QT_TRANSLATE_NOOP(
        "phrases", "Redisson's: hash with hold count, watchdog, and a channel that wakes all waiters"),
    .make = makeStrategyOf<Redisson>,
    .isReentrant = true,
    .canPoll = false, // backing off is what its spin lock does
    .isSubscribed = true,
};

} // namespace lockscope

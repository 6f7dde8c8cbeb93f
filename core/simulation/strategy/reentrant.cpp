// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/composed.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/strategies.h"

#include <array>

namespace lockscope {

namespace {

class Reentrant : public ComposedStrategy
{
public:
    using ComposedStrategy::ComposedStrategy;

    Result<int> storedHolds() override { return countInHash(m_context); }

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        static const Script script("reentrant/acquire.lua");
        const Result<ScriptReply> answer = run(script, m_lease.inSeconds(request.lease));
        if (!answer)
            return tl::unexpected(answer.error());
        const bool isTaken = answer->outcome == "acquired" || answer->outcome == "reentered";
        if (m_localHoldCount == 0)
            return AcquireResult{.verdict = isTaken ? AcquireResult::Verdict::Acquired
                                                    : AcquireResult::Verdict::Refused,
                                 .ttl = answer->ttl};
        if (answer->outcome == "reentered")
            return AcquireResult{.verdict = AcquireResult::Verdict::Reentered, .ttl = answer->ttl};
        // It had ended in between: even where it could be acquired anew, what it was to protect was not.
        if (isTaken) {
            if (const Result<ReleaseResult> undone = releaseLevel(); !undone)
                return tl::unexpected(undone.error());
        }
        return AcquireResult{.verdict = AcquireResult::Verdict::Lost, .ttl = {}};
    }

    Result<ReleaseResult> releaseLevel() override
    {
        static const Script script("reentrant/release.lua");
        const Result<ScriptReply> answer = run(script, m_lease.inSeconds());
        if (!answer)
            return tl::unexpected(answer.error());
        if (answer->outcome == "unwound")
            return ReleaseResult{.verdict = ReleaseResult::Verdict::Unwound};
        const bool released = answer->outcome == "released";
        return ReleaseResult{.verdict = released ? ReleaseResult::Verdict::Released
                                                 : ReleaseResult::Verdict::NotHeld,
                             .deleted = released};
    }

    Result<bool> extend(milliseconds lease) override
    {
        static const Script script("reentrant/extend.lua");
        const Result<ScriptReply> answer = run(script, m_lease.inSeconds(lease));
        return answer.map([](const ScriptReply &given) { return given.outcome == "extended"; });
    }

private:
    Result<ScriptReply> run(const Script &script, const QByteArray &lease)
    {
        const std::array<QByteArrayView, 1> keys{key()};
        const std::array<QByteArrayView, 3> arguments{m_context.owner.bytes, lease, "named"};
        return answerFrom(script.run(connection(), keys, arguments));
    }

    LeaseText m_lease;
};

} // namespace

constexpr StrategySpec strategies::reentrant{
    .kind = StrategyKind::Reentrant,
    .name = "reentrant",
    .meaning = QT_TRANSLATE_NOOP(
        "phrases", "A hash with owner and hold count; re-entrant. One script acquires, one releases."),
    .make = makeStrategyOf<Reentrant>,
    .isReentrant = true,
};

} // namespace lockscope

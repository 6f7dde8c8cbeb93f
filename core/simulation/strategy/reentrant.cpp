// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/strategy.h"

namespace lockscope {

namespace {

class Reentrant : public LockStrategy
{
public:
    using LockStrategy::LockStrategy;

    Result<int> storedHolds() override { return countInHash(m_context); }

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        static const Script script("reentrant/acquire.lua");
        const Result<ScriptReply> answer = run(script, m_lease = request.lease);
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
        return AcquireResult{.verdict = AcquireResult::Verdict::Lost};
    }

    Result<ReleaseResult> releaseLevel() override
    {
        static const Script script("reentrant/release.lua");
        return run(script, m_lease).map(levelReleased);
    }

    Result<bool> extend(milliseconds lease) override
    {
        static const Script script("reentrant/extend.lua");
        const Result<ScriptReply> answer = run(script, m_lease = lease);
        return answer.map([](const ScriptReply &given) { return given.outcome == "extended"; });
    }

private:
    Result<ScriptReply> run(const Script &script, milliseconds lease)
    {
        return answerFrom(
            script.run(connection(), {key()}, {m_context.owner.bytes, leaseInSeconds(lease), "named"}));
    }

    milliseconds m_lease{0};
};

} // namespace

constexpr StrategySpec strategies::reentrant{
    .kind = StrategyKind::Reentrant,
    .name = "reentrant",
    .title = QT_TRANSLATE_NOOP("phrases", "Hash with hold count"),
    .meaning = QT_TRANSLATE_NOOP("phrases", "Hash with owner and hold count, by scripts; re-entrant"),
    .make = makeStrategyOf<Reentrant>,
    .isReentrant = true,
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/token.h"

namespace lockscope {

namespace {

using Verdict = AcquireResult::Verdict;

class TokenSetnx : public Token
{
public:
    using Token::Token;

    /// After a reply lost between SETNX and EXPIRE, a holder sets the expiry first.
    Result<int> storedHolds() override
    {
        Result<int> holds = Token::storedHolds();
        if (!holds || *holds == 0 || !m_endless)
            return holds;
        const Result<bool> ends = expire();
        if (!ends)
            return tl::unexpected(ends.error());
        return *ends ? 1 : 0;
    }

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        m_wanted = request.lease;
        m_endless = true; // until the server has answered
        const Result<Reply> set = connection().send({"SETNX", key(), candidate()});
        if (!set)
            return tl::unexpected(set.error());
        m_endless = set->integer == 1;
        if (!m_endless)
            return refused(request);
        if (!m_context.faultHook.pass(FaultHook::Moment::BeforeExpire))
            return AcquireResult{.verdict = Verdict::Died};
        const Result<bool> ends = expire();
        if (!ends)
            return tl::unexpected(ends.error());
        return *ends ? won() : AcquireResult{}; // deleted in between
    }

private:
    Result<bool> expire()
    {
        const Result<Reply> expires = connection().send({"EXPIRE", key(), wholeSeconds(m_wanted)});
        if (!expires)
            return tl::unexpected(expires.error());
        m_endless = false;
        return expires->integer == 1;
    }

    /// Another worker's lock without expiry: its holder died before EXPIRE, so sets one.
    Result<AcquireResult> refused(const AcquireRequest &request)
    {
        const Result<Reply> left = connection().send({"TTL", key()});
        if (!left)
            return tl::unexpected(left.error());
        if (left->integer >= 0)
            return AcquireResult{.ttl = std::chrono::seconds(left->integer)};
        if (left->integer == -1) {
            const Result<Reply> repaired = connection().send({"EXPIRE", key(), wholeSeconds(request.lease)});
            if (!repaired)
                return tl::unexpected(repaired.error());
        }
        return AcquireResult{};
    }

    milliseconds m_wanted{0};
    bool m_endless = false; ///< SETNX was sent, and EXPIRE perhaps not
};

} // namespace

constexpr StrategySpec strategies::tokenSetnx{
    .kind = StrategyKind::TokenSetnx,
    .name = "token-setnx",
    .title = QT_TRANSLATE_NOOP("phrases", "Token, SETNX then EXPIRE"),
    .meaning = QT_TRANSLATE_NOOP("phrases", "SETNX, then EXPIRE; a crash in between leaves no expiry"),
    .make = makeStrategyOf<TokenSetnx>,
    .usualRelease = ReleaseMethod::CompareAndDelete,
    .isToken = true,
    .inWholeSeconds = true,
    .splitsAcquire = true,
};

} // namespace lockscope

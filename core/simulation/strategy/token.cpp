// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/algorithms.h"
#include "core/simulation/strategy/scriptreply.h"

#include <QUuid>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

using Verdict = AcquireResult::Verdict;

QByteArray newToken()
{
    return QUuid::createUuid().toByteArray(QUuid::WithoutBraces);
}

QByteArray wholeSeconds(milliseconds lease)
{
    return QByteArray::number(qint64(std::chrono::ceil<std::chrono::seconds>(lease).count()));
}

/// What the four have in common: a token that becomes the holder's only when the server took it, so that an
/// attempt never overwrites the one that may still be stored.
class Token : public ComposedStrategy
{
public:
    using ComposedStrategy::ComposedStrategy;

    Result<int> storedHolds() override
    {
        const Result<Reply> stored = connection().send({"GET", key()});
        if (!stored)
            return tl::unexpected(stored.error());
        if (!stored->isText())
            return 0;
        if (!m_next.isEmpty() && stored->text == m_next)
            m_held = std::exchange(m_next, {}); // an attempt whose answer was lost
        return stored->text == m_held ? 1 : 0;
    }

protected:
    QByteArray token() const override { return m_held; }
    Result<ReleaseResult> releaseLevel() override
    {
        return ReleaseResult{};
    } // a token is released by its key
    Result<bool> extend(milliseconds lease) override
    {
        static const Script script("token/extend.lua");
        const QByteArray held = token();
        const std::array<QByteArrayView, 1> keys{key()};
        const std::array<QByteArrayView, 3> arguments{held, m_lease.inSeconds(lease), "named"};
        return answerFrom(script.run(connection(), keys, arguments)).map([](const ScriptReply &answer) {
            return answer.outcome == "extended";
        });
    }

    /// For the next attempt; the same until one succeeds.
    const QByteArray &candidate()
    {
        if (m_next.isEmpty())
            m_next = newToken();
        return m_next;
    }
    AcquireResult won()
    {
        m_held = std::exchange(m_next, {});
        return AcquireResult{.verdict = Verdict::Acquired, .ttl = {}};
    }

    LeaseText m_lease;

private:
    QByteArray m_held; ///< the last that the server took
    QByteArray m_next;
};

class TokenSet : public Token
{
public:
    using Token::Token;

protected:
    Result<AcquireResult> take(const AcquireRequest &asking) override
    {
        const Result<Reply> set = connection().send(
            {"SET", key(), candidate(), "NX", "PX", QByteArray::number(qint64(asking.lease.count()))});
        if (!set)
            return tl::unexpected(set.error());
        return set->isNil() ? AcquireResult{} : won();
    }
};

class TokenLua : public Token
{
public:
    using Token::Token;

protected:
    Result<AcquireResult> take(const AcquireRequest &asking) override
    {
        static const Script script("token/acquire.lua");
        const std::array<QByteArrayView, 1> keys{key()};
        const std::array<QByteArrayView, 3> arguments{candidate(), m_lease.inSeconds(asking.lease), "named"};
        const Result<ScriptReply> answer = answerFrom(script.run(connection(), keys, arguments));
        if (!answer)
            return tl::unexpected(answer.error());
        return answer->outcome == "acquired" ? won() : AcquireResult{.ttl = answer->ttl};
    }
};

class TokenSetnx : public Token
{
public:
    using Token::Token;

    /// Where the answer was lost between SETNX and EXPIRE, whoever finds to be the holder sets the end first.
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
    Result<AcquireResult> take(const AcquireRequest &asking) override
    {
        m_wanted = asking.lease;
        m_endless = true; // until the server has answered
        const Result<Reply> set = connection().send({"SETNX", key(), candidate()});
        if (!set)
            return tl::unexpected(set.error());
        m_endless = set->integer == 1;
        if (!m_endless)
            return refused(asking);
        if (!m_hands.interlude.pass(FaultHook::Moment::BeforeExpire))
            return AcquireResult{.verdict = Verdict::Died, .ttl = {}};
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

    /// Another's lock without expiry is one whose holder died before it could set any: it gets one from us.
    Result<AcquireResult> refused(const AcquireRequest &asking)
    {
        const Result<Reply> left = connection().send({"TTL", key()});
        if (!left)
            return tl::unexpected(left.error());
        if (left->integer >= 0)
            return AcquireResult{.ttl = std::chrono::seconds(left->integer)};
        if (left->integer == -1) {
            const Result<Reply> repaired = connection().send({"EXPIRE", key(), wholeSeconds(asking.lease)});
            if (!repaired)
                return tl::unexpected(repaired.error());
        }
        return AcquireResult{};
    }

    milliseconds m_wanted{0};
    bool m_endless = false; ///< SETNX was sent, and perhaps no EXPIRE
};

/// Counts in the client: the server is not asked about a further level, so that a lease that ended goes unnoticed.
class TokenCounted : public Token
{
public:
    using Token::Token;

    Result<int> storedHolds() override
    {
        const Result<Reply> stored = connection().send({"GET", key()});
        return stored.map(
            [this](const Reply &value) { return value.text == m_id ? std::max(m_believed, 1) : 0; });
    }

protected:
    QByteArray token() const override { return m_id; }
    Result<AcquireResult> take(const AcquireRequest &asking) override
    {
        if (m_believed > 0)
            return AcquireResult{.verdict = Verdict::Reentered, .ttl = {}};
        const Result<Reply> set =
            connection().send({"SET", key(), m_id, "NX", "EX", wholeSeconds(asking.lease)});
        if (!set)
            return tl::unexpected(set.error());
        if (!set->isNil())
            return AcquireResult{.verdict = Verdict::Acquired, .ttl = {}};
        const Result<Reply> stored = connection().send({"GET", key()});
        if (!stored)
            return tl::unexpected(stored.error());
        return AcquireResult{.verdict = stored->text == m_id ? Verdict::Acquired : Verdict::Refused,
                             .ttl = {}};
    }

private:
    const QByteArray m_id = newToken(); // fixed for the lock object, as published
};

} // namespace

std::unique_ptr<LockStrategy> makeToken(const Algorithm &algorithm, const StrategyContext &hands)
{
    switch (algorithm.strategy) {
    case StrategyKind::TokenLua:
        return std::make_unique<TokenLua>(algorithm, hands);
    case StrategyKind::TokenSetnx:
        return std::make_unique<TokenSetnx>(algorithm, hands);
    case StrategyKind::TokenCounted:
        return std::make_unique<TokenCounted>(algorithm, hands);
    default:
        return std::make_unique<TokenSet>(algorithm, hands);
    }
}

} // namespace lockscope

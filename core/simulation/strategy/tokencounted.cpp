// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/token.h"

#include <algorithm>

namespace lockscope {

namespace {

using Verdict = AcquireResult::Verdict;

/// Counts in the client: further levels are not sent to the server, and an expired lease goes unnoticed.
class TokenCounted : public Token
{
public:
    using Token::Token;

    Result<int> storedHolds() override
    {
        const Result<Reply> stored = connection().send({"GET", key()});
        return stored.map(
            [this](const Reply &value) { return value.text == m_id ? std::max(m_localHoldCount, 1) : 0; });
    }

protected:
    QByteArray token() const override { return m_id; }
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        if (m_localHoldCount > 0)
            return AcquireResult{.verdict = Verdict::Reentered};
        const Result<Reply> set =
            connection().send({"SET", key(), m_id, "NX", "EX", wholeSeconds(request.lease)});
        if (!set)
            return tl::unexpected(set.error());
        if (!set->isNil())
            return AcquireResult{.verdict = Verdict::Acquired};
        const Result<Reply> stored = connection().send({"GET", key()});
        if (!stored)
            return tl::unexpected(stored.error());
        return AcquireResult{.verdict = stored->text == m_id ? Verdict::Acquired : Verdict::Refused};
    }

private:
    const QByteArray m_id = newToken(); // fixed for the lock object, as published
};

} // namespace

constexpr StrategySpec strategies::tokenCounted{
    .kind = StrategyKind::TokenCounted,
    .name = "token-counted",
    .title = QT_TRANSLATE_NOOP("phrases", "Token, counted by the client"),
    .meaning = QT_TRANSLATE_NOOP("phrases", "String with a token; the client counts re-entries"),
    .make = makeStrategyOf<TokenCounted>,
    .usualRelease = ReleaseMethod::UncheckedDelete, // as published
    .isToken = true,
    .isReentrant = true,
    .inWholeSeconds = true,
};

} // namespace lockscope

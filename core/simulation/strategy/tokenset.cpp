// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/token.h"

namespace lockscope {

namespace {

class TokenSet : public Token
{
public:
    using Token::Token;

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        const Result<Reply> set = connection().send(
            {"SET", key(), candidate(), "NX", "PX", QByteArray::number(qint64(request.lease.count()))});
        if (!set)
            return tl::unexpected(set.error());
        return set->isNil() ? AcquireResult{} : won();
    }
};

} // namespace

constexpr StrategySpec strategies::tokenSet{
    .kind = StrategyKind::TokenSet,
    .name = "token-set",
    .meaning = QT_TRANSLATE_NOOP("phrases", "A string with a random token, written by SET with NX and PX."),
    .make = makeStrategyOf<TokenSet>,
    .usualRelease = ReleaseMethod::CompareAndDelete,
    .isToken = true,
};

} // namespace lockscope

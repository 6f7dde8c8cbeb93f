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
        const QByteArray lease = QByteArray::number(qint64(request.lease.count()));
        return connection()
            .send({"SET", key(), candidate(), "NX", "PX", lease})
            .map([this](const Reply &set) { return set.isNil() ? AcquireResult{} : won(); });
    }
};

} // namespace

constexpr StrategySpec strategies::tokenSet{
    .kind = StrategyKind::TokenSet,
    .name = "token-set",
    .title = QT_TRANSLATE_NOOP("phrases", "Token, SET NX PX"),
    .meaning = QT_TRANSLATE_NOOP("phrases", "String with a random token, by SET NX PX"),
    .make = makeStrategyOf<TokenSet>,
    .usualRelease = ReleaseMethod::CompareAndDelete,
    .isToken = true,
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/token.h"

namespace lockscope {

namespace {

class TokenLua : public Token
{
public:
    using Token::Token;

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        static const Script script("token/acquire.lua");
        return answerFrom(
                   script.run(connection(), {key()}, {candidate(), leaseInSeconds(request.lease), "named"}))
            .map([this](const ScriptReply &answer) {
                return answer.outcome == "acquired" ? won() : AcquireResult{.ttl = answer.ttl};
            });
    }
};

} // namespace

constexpr StrategySpec strategies::tokenLua{
    .kind = StrategyKind::TokenLua,
    .name = "token-lua",
    .title = QT_TRANSLATE_NOOP("phrases", "Token, by scripts"),
    .meaning = QT_TRANSLATE_NOOP("phrases", "String with a random token, by scripts"),
    .make = makeStrategyOf<TokenLua>,
    .usualRelease = ReleaseMethod::CompareAndDelete,
    .isToken = true,
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/token.h"

#include <array>

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
        const std::array<QByteArrayView, 1> keys{key()};
        const std::array<QByteArrayView, 3> arguments{candidate(), m_lease.inSeconds(request.lease), "named"};
        const Result<ScriptReply> answer = answerFrom(script.run(connection(), keys, arguments));
        if (!answer)
            return tl::unexpected(answer.error());
        return answer->outcome == "acquired" ? won() : AcquireResult{.ttl = answer->ttl};
    }
};

} // namespace

constexpr StrategySpec strategies::tokenLua{
    .kind = StrategyKind::TokenLua,
    .name = "token-lua",
    .meaning =
        QT_TRANSLATE_NOOP("phrases", "A string with a random token, acquired and released by scripts."),
    .make = makeStrategyOf<TokenLua>,
    .usualRelease = ReleaseMethod::CompareAndDelete,
    .isToken = true,
};

} // namespace lockscope

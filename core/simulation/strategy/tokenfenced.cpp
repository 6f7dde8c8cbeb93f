// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/token.h"

namespace lockscope {

namespace {

QByteArray fenceKey(const QByteArray &lock)
{
    return lock + ":fence";
}

class TokenFenced : public Token
{
public:
    using Token::Token;

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        static const Script script("token-fenced/acquire.lua");
        const QByteArray fence = fenceKey(key());
        const Result<ScriptReply> answer = answerFrom(
            script.run(connection(), {key(), fence}, {candidate(), leaseInSeconds(request.lease)}));
        if (!answer)
            return tl::unexpected(answer.error());
        if (answer->outcome != "acquired")
            return AcquireResult{.ttl = answer->ttl};
        AcquireResult result = won();
        result.fence = answer->fence;
        return result;
    }
};

QList<QByteArray> companionKeys(const LockKey &key)
{
    return {fenceKey(key.bytes)};
}

} // namespace

constexpr StrategySpec strategies::tokenFenced{
    .kind = StrategyKind::TokenFenced,
    .name = "token-fenced",
    .title = QT_TRANSLATE_NOOP("phrases", "Token with fencing"),
    .meaning = QT_TRANSLATE_NOOP("phrases",
                                 "String with a random token, and a fencing token to reject stale writes"),
    .make = makeStrategyOf<TokenFenced>,
    .usualRelease = ReleaseMethod::CompareAndDelete,
    .isToken = true,
    .givesFences = true,
    .companionKeys = companionKeys,
};

} // namespace lockscope

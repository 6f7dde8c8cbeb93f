// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"
#include "tests/support/rewritingproxy.h"

#include <chrono>

namespace lockscope {

/// A cloud's service in front of a server: it lets in with tokens alone, which a command prints, and which the
/// test may end.
class TokenService : public RewritingProxy
{
public:
    /// `life`: what the command says of its tokens.
    TokenService(const RedisServer &server, std::chrono::seconds life)
        : RewritingProxy(server.socketAddress()), m_life(life)
    {
        server.cli({"ACL", "SETUSER", "cloud", "on", "nopass", "+@all", "~*", "&*"});
        rewrite = [this](const QByteArrayList &command, bool) {
            if (command[0] != "AUTH")
                return command;
            const QByteArray &token = command.last();
            if (!token.startsWith("token-") || m_revoked.contains(token))
                return refusal("WRONGPASS invalid username-password pair or user is disabled.");
            if (!m_tokens.contains(token))
                m_tokens << token;
            return command;
        };
    }

    /// The user, and the command that prints its tokens.
    ServerAddress address() const
    {
        ServerAddress address = RewritingProxy::address();
        address.user = "cloud";
        address.passwordCommand =
            QStringLiteral(R"(sh -c "date +token-%1-%s.%N; echo %2")").arg(address.port).arg(m_life.count());
        return address;
    }

    /// Those that logins were made with, the oldest first.
    const QByteArrayList &tokens() const { return m_tokens; }
    void cutOlderThan(const QByteArray &token)
    {
        cutUnless([&](const QByteArray &password) {
            return m_tokens.indexOf(password) >= m_tokens.indexOf(token);
        });
    }
    void revoke(const QByteArray &token)
    {
        m_revoked << token;
        cutUnless([&](const QByteArray &password) { return password != token; });
    }

private:
    const std::chrono::seconds m_life;
    QByteArrayList m_tokens;
    QByteArrayList m_revoked;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

namespace lockscope {

/// The commands of a monitor without CLIENT TRACKING.
inline const QByteArrayList monitorCommands{
    "+scan",           "+pttl",         "+hscan",          "+getrange",
    "+zrange",         "+sscan",        "+type",           "+exists",
    "+lrange",         "+llen",         "+zscore",         "+hmget",
    "+multi",          "+exec",         "+dbsize",         "+info",
    "+ping",           "+select",       "+subscribe",      "+psubscribe",
    "+client|setname", "+client|id",    "+client|caching", "+client|trackinginfo",
    "+config|get",     "+pubsub|numsub"};

/// A server user whose permissions a test changes.
class Login
{
public:
    explicit Login(RedisServer &server, const QByteArrayList &rules = {"~*"}) : m_server(server)
    {
        change(QByteArrayList{"reset", "on", ">p", "-@all"} + monitorCommands + rules);
    }

    void change(const QByteArrayList &rules)
    {
        const QByteArray answer = m_server.cli(QByteArrayList{"ACL", "SETUSER", "mo"} + rules);
        if (answer != "OK")
            qFatal("ACL SETUSER: %s", answer.constData());
    }
    ServerAddress address() const
    {
        ServerAddress address = m_server.socketAddress();
        address.user = "mo";
        address.password = "p";
        return address;
    }
    QByteArrayList options() const { return {"--user", "mo", "-a", "p"}; }

    void resetLog() { m_server.cli({"ACL", "LOG", "RESET"}); }
    /// Returns the number of refusals in the server's ACL log.
    qsizetype logLines() const { return m_server.cli({"ACL", "LOG", "10000"}).count("reason"); }

private:
    RedisServer &m_server;
};

} // namespace lockscope

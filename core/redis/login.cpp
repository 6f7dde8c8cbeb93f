// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/login.h"

#include "core/redis/info.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr size_t optionalReplies = 3; // the connection's name and INFO
constexpr qsizetype longestName = 24;

bool logsIn(const ServerAddress &address)
{
    return !address.user.isEmpty() || !address.password.isEmpty();
}

template <typename... Arguments>
Error refused(const char *why, const Arguments &...arguments)
{
    return {ErrorKind::InvalidArgument, Phrase(why, arguments...)};
}

Error loginRefused(const QByteArray &said)
{
    return refused(QT_TRANSLATE_NOOP("phrases", "The server refused the login. It said: “%1”"), said);
}

/// The server's "ERR" as a sentence: retries are useless.
Error refusalOf(const ServerAddress &address, bool isLogin, bool isCluster, const QByteArray &said)
{
    if (isLogin)
        return said.contains("wrong number of arguments")
                   ? refused(QT_TRANSLATE_NOOP("phrases", "Redis before 6 has no users. Log in without one."))
                   : loginRefused(said);
    const bool isUnknown = said.contains("out of range") || said.contains("invalid DB index");
    if (said.contains("cluster") || (isUnknown && isCluster))
        return refused(QT_TRANSLATE_NOOP("phrases", "This cluster has no database %1, usually only 0."),
                       address.database);
    if (isUnknown)
        return refused(QT_TRANSLATE_NOOP("phrases", "The server has no database %1. Usual are 0 to 15."),
                       address.database);
    return refused(QT_TRANSLATE_NOOP("phrases", "The server refused database %1. It said: “%2”"),
                   address.database, said);
}

/// A server that stays in RESP2 after HELLO 3 would not send pushes.
bool agreesToResp3(const Reply &hello)
{
    const Reply *version = valueOf(hello, "proto");
    return version && version->integer == 3;
}

/// The server's name: others than Redis report it, with their version, besides the compatible Redis version.
QByteArray nameIn(const QByteArray &info)
{
    constexpr QByteArrayView suffix = "_version";
    QByteArray name = infoField(info, "server_name");
    for (const QByteArray &line : info.split('\n')) {
        const QByteArrayView field = QByteArrayView(line).first(std::max<qsizetype>(line.indexOf(':'), 0));
        if (name.isEmpty() && field.endsWith(suffix) && field != "redis_version" && field != "gcc_version")
            name = field.chopped(suffix.size()).toByteArray();
    }
    // KeyDB names itself nowhere else.
    constexpr qsizetype longestPath = 4096;
    if (name.isEmpty() && (infoField(info, "executable", longestPath).endsWith("keydb-server") ||
                           !infoField(info, "mvcc_depth").isEmpty()))
        return "keydb";
    return (name.isEmpty() ? QByteArray("redis") : name).left(longestName).toLower();
}

} // namespace

ServerInfo serverInfoFrom(const QByteArray &server, const QByteArray &replication)
{
    ServerInfo info;
    const QByteArray compatible = infoField(server, "redis_version");
    const QList<QByteArray> parts = compatible.split('.');
    info.major = parts.value(0).toInt();
    info.minor = parts.value(1).toInt();
    if (server.contains("_version:"))
        info.name = nameIn(server);
    const QByteArray own = infoField(server, info.name + "_version");
    info.version = own.isEmpty() ? compatible : own;
    const QByteArray mode = infoField(server, "redis_mode");
    info.mode = mode.isEmpty() ? infoField(server, "server_mode") : mode;
    info.runId = infoField(server, "run_id");
    info.role = infoField(replication, "role");
    if (info.role == "replica") // Dragonfly, by an option
        info.role = "slave";
    info.replicas = infoField(replication, "connected_slaves").toInt();
    const auto primary = NodeAddress::from(infoField(replication, "master_host"),
                                           infoNumber(replication, "master_port").value_or(0));
    if (info.isReplica() && primary) {
        info.replicaOf = ReplicaLink{*primary, infoField(replication, "master_link_status") == "up",
                                     infoField(replication, "master_sync_in_progress") == "1",
                                     infoNumber(replication, "master_last_io_seconds_ago"),
                                     infoNumber(replication, "master_link_down_since_seconds")};
    }
    return info;
}

void addLogin(CommandBatch &batch, const ServerAddress &address)
{
    if (!address.user.isEmpty())
        batch.add({"AUTH", address.user, address.password});
    else if (logsIn(address))
        batch.add({"AUTH", address.password});
}

CommandBatch loginBatch(const ServerAddress &address, QByteArrayView clientName, RespVersion version)
{
    CommandBatch batch;
    addLogin(batch, address);
    if (address.database != 0)
        batch.add({"SELECT", QByteArray::number(address.database)});
    if (version == RespVersion::Resp3)
        batch.add({"HELLO", "3"});
    batch.add({"CLIENT", "SETNAME", clientName});
    batch.add({"INFO", "server"});
    batch.add({"INFO", "replication"});
    return batch;
}

Result<ServerInfo> parseLoginReplies(const ServerAddress &address, const std::vector<Reply> &replies,
                                     bool expectsSentinel, RespVersion version)
{
    const size_t firstOptional = replies.size() - std::min(replies.size(), optionalReplies);
    const auto isHello = [&](size_t at) { return version == RespVersion::Resp3 && at + 1 == firstOptional; };
    const ServerInfo info = serverInfoFrom(replies[replies.size() - 2].text, replies.back().text);
    if (info.mode == "sentinel" && !expectsSentinel)
        return tl::unexpected(refused(
            QT_TRANSLATE_NOOP("phrases", "This is a Redis Sentinel, which keeps no locks. Use --sentinel and "
                                         "--master, or redis-sentinel://host:port/name.")));
    if (!info.mode.isEmpty() && info.mode != "sentinel" && expectsSentinel)
        return tl::unexpected(refused(
            QT_TRANSLATE_NOOP("phrases", "%1 is a data server, not a Sentinel. Connect to it directly."),
            address.toDisplayString()));
    for (size_t i = 0; i < replies.size(); ++i) {
        if (!replies[i].isError() && isHello(i) && !agreesToResp3(replies[i]))
            return tl::unexpected(loginRefused(replies[i].text));
        if (!replies[i].isError())
            continue;
        Error error = serverError(replies[i].text);
        const bool required = i < firstOptional;
        // Busy with a script it answers nothing, and would not be known when it does again.
        const bool isTheEnd = error.kind == ErrorKind::AuthRequired ||
                              error.kind == ErrorKind::TooManyClients || error.kind == ErrorKind::Busy;
        if (!required && !isTheEnd)
            continue;
        if (required && error.kind == ErrorKind::ServerError)
            error = isHello(i)
                        ? loginRefused(error.detail)
                        : refusalOf(address, i == 0 && logsIn(address), info.mode == "cluster", error.detail);
        return tl::unexpected(error);
    }
    return info;
}

} // namespace lockscope

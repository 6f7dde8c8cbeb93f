// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/login.h"

namespace lockscope {

namespace {

constexpr size_t optionalReplies = 3; // the connection's name and INFO

QByteArray infoField(const QByteArray &info, QByteArrayView name)
{
    for (const QByteArray &line : info.split('\n')) {
        if (line.startsWith(name) && line.size() > name.size() && line[name.size()] == ':')
            return line.sliced(name.size() + 1).trimmed().left(64);
    }
    return {};
}

ServerInfo serverInfo(const QByteArray &server, const QByteArray &replication)
{
    ServerInfo info;
    info.version = infoField(server, "redis_version");
    const QList<QByteArray> parts = info.version.split('.');
    info.major = parts.value(0).toInt();
    info.minor = parts.value(1).toInt();
    info.mode = infoField(server, "redis_mode");
    info.runId = infoField(server, "run_id");
    info.role = infoField(replication, "role");
    info.replicas = infoField(replication, "connected_slaves").toInt();
    return info;
}

} // namespace

CommandBatch loginBatch(const ServerAddress &address, QByteArrayView clientName)
{
    CommandBatch batch;
    if (!address.password.isEmpty() && !address.user.isEmpty())
        batch.add({"AUTH", address.user, address.password});
    else if (!address.password.isEmpty())
        batch.add({"AUTH", address.password});
    if (address.database != 0)
        batch.add({"SELECT", QByteArray::number(address.database)});
    batch.add({"CLIENT", "SETNAME", clientName});
    batch.add({"INFO", "server"});
    batch.add({"INFO", "replication"});
    return batch;
}

Result<ServerInfo> readLogin(const std::vector<Reply> &replies)
{
    for (size_t i = 0; i < replies.size(); ++i) {
        if (!replies[i].isError())
            continue;
        Error error = serverError(replies[i].text);
        const bool required = i + optionalReplies < replies.size();
        if (!required && error.kind != ErrorKind::AuthRequired && error.kind != ErrorKind::TooManyClients)
            continue;
        if (required && error.kind == ErrorKind::ServerError)
            error.kind =
                ErrorKind::InvalidArgument; // a database that does not exist: trying again won't make it
        return tl::unexpected(error);
    }
    return serverInfo(replies[replies.size() - 2].text, replies.back().text);
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/command.h"
#include "core/redis/error.h"
#include "core/redis/nodeaddress.h"
#include "core/redis/reply.h"
#include "core/redis/serveraddress.h"

#include <optional>
#include <vector>

namespace lockscope {

/// A replica's link to its primary, as the replica reports it.
struct ReplicaLink
{
    NodeAddress primary;
    bool isUp = false;
    bool isSyncing = false;             ///< full resynchronization
    std::optional<qint64> heardSeconds; ///< time since it last heard from its primary
    std::optional<qint64> downSeconds;  ///< time since the link went down

    friend bool operator==(const ReplicaLink &, const ReplicaLink &) = default;
};

/// The server's self-description at login. Missing parts are empty: a user may be restricted.
struct ServerInfo
{
    QByteArray name;    ///< "redis", "valkey"
    QByteArray version; ///< "7.0.15"
    int major = 0;      ///< Redis version, or compatible one; 0: unknown
    int minor = 0;
    QByteArray mode; ///< "standalone", "cluster", "sentinel"
    QByteArray role; ///< "master", "slave"
    bool isReplica() const { return role == "slave"; }
    int replicas = 0; ///< number connected to a master
    std::optional<ReplicaLink> replicaOf{};
    QByteArray runId; ///< changes with every start of the server
    /// Set if subscribers of all cluster nodes are counted.
    bool countsAllNodes = false;
};

/// From the replies to INFO server and INFO replication.
ServerInfo serverInfoFrom(const QByteArray &server, const QByteArray &replication);

/// AUTH if the address requires it.
void addLogin(CommandBatch &batch, const ServerAddress &address);
/// AUTH and SELECT if the address requires them, HELLO 3 for RESP3, the connection's name, and INFO, in one
/// write. A user without a password is sent too, since the connection would otherwise belong to the default
/// user.
CommandBatch loginBatch(const ServerAddress &address, QByteArrayView clientName,
                        RespVersion version = RespVersion::Resp2);

/// Reads the replies to loginBatch(). Only a failed AUTH, SELECT or HELLO, or a server busy with a script, is
/// an error: INFO and names may be forbidden. ErrorKind::InvalidArgument: a missing database, a user on a
/// server without users, a Sentinel instead of a server or the reverse, or no RESP3 where required.
Result<ServerInfo> parseLoginReplies(const ServerAddress &address, const std::vector<Reply> &replies,
                                     bool expectsSentinel = false, RespVersion version = RespVersion::Resp2);

} // namespace lockscope

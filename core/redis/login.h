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

/// A replica's link to the server whose data it has, as the replica tells.
struct ReplicaLink
{
    NodeAddress primary;
    bool isUp = false;      ///< the replica hears of changes
    bool isSyncing = false; ///< it takes over all data anew
    std::optional<qint64>
        heardSeconds; ///< so long ago it heard from its primary last, if only that it is there
    std::optional<qint64> downSeconds; ///< so long the link has been down

    friend bool operator==(const ReplicaLink &, const ReplicaLink &) = default;
};

/// What the server said of itself at login. Absent parts are empty: a restricted user may not ask.
struct ServerInfo
{
    QByteArray name;    ///< "redis", "valkey": whose server it is
    QByteArray version; ///< "7.0.15": its own
    int major = 0;      ///< of the Redis that it is, or says to be compatible with; 0: not known
    int minor = 0;
    QByteArray mode; ///< "standalone", "cluster", "sentinel"
    QByteArray role; ///< "master", "slave"
    bool isReplica() const { return role == "slave"; }
    int replicas = 0; ///< of a master, connected now
    std::optional<ReplicaLink> replicaOf{};
    QByteArray runId; ///< changes with every start of the server
    /// Asked through a link that counts the subscribers of all nodes of the cluster.
    bool countsAllNodes = false;
};

/// From the replies to INFO server and INFO replication.
ServerInfo serverInfoFrom(const QByteArray &server, const QByteArray &replication);

/// AUTH and SELECT where the address asks for them, HELLO 3 for RESP3, the connection's name, and INFO, in one write. A user
/// without a password is sent too, for the connection would be the default user's otherwise: the server lets in those that
/// have none.
CommandBatch loginBatch(const ServerAddress &address, QByteArrayView clientName,
                        RespVersion version = RespVersion::Resp2);

/// Reads the replies to loginBatch(). Only a failed AUTH, SELECT or HELLO is the end, and a server that is busy with a script: a
/// user may be forbidden to ask for INFO or to name the connection. A database that does not exist, a user of a server that has none and a Sentinel, which
/// keeps no data, are ErrorKind::InvalidArgument, as is a server that does where a Sentinel is expected, and one that does not
/// speak RESP3 where that is asked for.
Result<ServerInfo> parseLoginReplies(const ServerAddress &address, const std::vector<Reply> &replies,
                                     bool expectsSentinel = false, RespVersion version = RespVersion::Resp2);

} // namespace lockscope

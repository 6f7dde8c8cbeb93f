// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QString>

namespace lockscope {

struct Lock;

/// One line for a shell that runs redis-cli with these arguments, byte for byte. Plain where plain will do;
/// else in redis-cli's own quoting ("\xNN", by its option --quoted-input). Never with a password: redis-cli
/// asks for it.
QString redisCliLine(const ServerAddress &server, const QList<QByteArray> &command);

/// What redis-cli is to be run against.
struct RedisCliTarget
{
    ServerAddress server;
    bool isCluster = false;
    int major = 7; ///< the version of the Redis that it is, or is compatible with; 0: not known
};

/// redisCliLine() for a script file, which has to be whole: as built or installed, not one of the sources. A server before
/// Redis 7 does not take its first line.
QString redisCliEvalLine(const RedisCliTarget &target, const QString &path, const QList<QByteArray> &keys,
                         const QList<QByteArray> &arguments);

/// What reads this lock, and, commented out so that a paste harms nothing, the script call that ends it if it
/// is still as seen. Where the server is reached through an SSH host: by a tunnel that a comment says how to open, to
/// that server alone, so that in a cluster it has to be the lock's own node.
QString redisCliFor(const RedisCliTarget &target, const Lock &lock);

} // namespace lockscope

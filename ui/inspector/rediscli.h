// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QString>

namespace lockscope {

struct Lock;

/// Returns a shell command that runs redis-cli with exactly these arguments. Uses redis-cli's quoting
/// ("\xNN", --quoted-input) only where needed. Contains no password: redis-cli asks for it.
QString redisCliLine(const ServerAddress &server, const QList<QByteArray> &command);

struct RedisCliTarget
{
    ServerAddress server;
    bool isCluster = false;
    int major = 7; ///< Redis version, or the compatible one; 0: unknown
};

/// Variant of redisCliLine() for a complete script file as built or installed. Servers before Redis 7 reject
/// its first line.
QString redisCliEvalLine(const RedisCliTarget &target, const QString &path, const QList<QByteArray> &keys,
                         const QList<QByteArray> &arguments);

/// Returns commands that read the lock and, commented out, the script call that force-expires it if
/// unchanged. Behind an SSH host a comment shows the command for a tunnel to that server, which must be the
/// lock's node.
QString redisCliFor(const RedisCliTarget &target, const Lock &lock);

} // namespace lockscope

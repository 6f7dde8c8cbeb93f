// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/redis/link.h"

#include <QFuture>
#include <QMap>

#include <optional>

namespace lockscope {

/// Whether servers accept writes, such as heartbeats. A dead holder and a refused heartbeat look the same.
struct ServerWrites
{
    std::optional<ErrorKind> refusal{};  ///< why writes are refused now
    bool areCounted = true;              ///< false: writes may have been refused without a trace
    bool mayEvict = false;               ///< keys without expiry or with
    QMap<QByteArray, qint64> refusals{}; ///< by the run ID of each server, since its start

    void add(const QByteArray &info);
    /// True if no write was refused from `before` to this reading, on the same servers.
    bool areUnrefusedSince(const ServerWrites &before) const;
};

/// Reads INFO of every server that has one of these locks or the heartbeat of a holder.
QFuture<Result<ServerWrites>> readServerWrites(Link &connection, const QList<Lock> &locks);

} // namespace lockscope

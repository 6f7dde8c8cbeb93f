// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/model/monitorevent.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace lockscope {

/// A sudden loss of the server's keys, or another server process.
struct ServerReset
{
    enum class Cause : quint8 {
        Flush,    ///< reported by the server: FLUSHALL, FLUSHDB, or a replica's resynchronization
        Swap,     ///< the server counted a SWAPDB, and most locks went with it
        Restart,  ///< another process answers: restarted, or replaced
        Failover, ///< to another server, which may lack data of the previous one
        Unknown,  ///< the keyspace was found empty: flushed, swapped, or all keys deleted or expired
    };

    Cause cause = Cause::Unknown;
    std::optional<bool> hasData; ///< keys existed when it was noticed; after a restart: it kept them
    qint64 locks = 0;            ///< number of known locks that are gone
    TimePoint at;
    qint64 wallMs = 0; ///< the same moment in epoch ms, for display
    QString from{},
        to{}; ///< for a failover: addresses of the servers; in a Redlock group `to` is the affected one
    qint64 stillHeld = 0; ///< in a group: number of these locks that a majority has without this server

    bool isOfGroup() const { return cause != Cause::Failover && !to.isEmpty(); }
};

inline MonitorEventKind momentKind(const ServerReset &reset)
{
    switch (reset.cause) {
    case ServerReset::Cause::Swap:
        return MonitorEventKind::Swapped;
    case ServerReset::Cause::Restart:
        return reset.hasData == false ? MonitorEventKind::Flushed : MonitorEventKind::Restarted;
    case ServerReset::Cause::Failover:
        return MonitorEventKind::FailedOver;
    case ServerReset::Cause::Flush:
    case ServerReset::Cause::Unknown:
        break;
    }
    return MonitorEventKind::Flushed;
}

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ServerReset)

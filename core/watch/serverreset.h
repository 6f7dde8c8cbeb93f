// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/model/moment.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace lockscope {

/// The server's keys went at once, or another server process answers than before.
struct ServerReset
{
    enum class Cause : quint8 {
        Flush,    ///< the server told of it: FLUSHALL, FLUSHDB, or a replica that takes over all data anew
        Swap,     ///< the server has counted a SWAPDB, and most locks went with it
        Restart,  ///< another process answers: restarted, or another one took its place
        Failover, ///< another server has taken over, which may not have all that the one before had
        Unknown,  ///< the keyspace was found empty: flushed, swapped, or every key deleted or expired
    };

    Cause cause = Cause::Unknown;
    std::optional<bool>
        hasData;       ///< there were keys when it was noticed; after a restart: it came back with them
    qint64 locks = 0;  ///< of those known before, so many are gone
    TimePoint at;      ///< when it was noticed
    qint64 wallMs = 0; ///< the same moment in epoch ms, for people
    QString from{},
        to{}; ///< of a failover: the servers' addresses; of a Redlock group `to` is the server that it befell
    qint64 stillHeld = 0; ///< of a group: of these locks, those that a majority has without this server

    bool isOfGroup() const { return cause != Cause::Failover && !to.isEmpty(); }
};

/// As which it stands in a list of events.
inline MomentKind momentKind(const ServerReset &reset)
{
    switch (reset.cause) {
    case ServerReset::Cause::Swap:
        return MomentKind::Swapped;
    case ServerReset::Cause::Restart:
        return reset.hasData == false ? MomentKind::Flushed : MomentKind::Restarted;
    case ServerReset::Cause::Failover:
        return MomentKind::FailedOver;
    case ServerReset::Cause::Flush:
    case ServerReset::Cause::Unknown:
        break;
    }
    return MomentKind::Flushed;
}

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ServerReset)

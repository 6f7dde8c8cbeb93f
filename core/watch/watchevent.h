// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/watch/clusterstatus.h"
#include "core/watch/connectionstatus.h"
#include "core/watch/feedstatus.h"
#include "core/watch/permissionstatus.h"
#include "core/watch/scanstats.h"
#include "core/watch/serverreset.h"
#include "core/watch/waitforgraph.h"

#include <QList>
#include <QMetaType>

#include <variant>

namespace lockscope {

/// Everything that is known was so then.
struct Confirmed
{
    TimePoint at;
};

/// What happened to the watching, or to several locks at once: it follows from what was told before.
struct WatchMoment
{
    MomentKind kind = MomentKind::Disconnected;
    /// Disconnected: why. FeedGap and FeedChanged: the gap, the mode. A reset. A deadlock. A node, as it was told of last.
    std::variant<std::monostate, Error, FeedGap, FeedMode, ServerReset, Deadlock, NodeStatus> what{};
    qint64 wallMs = 0; ///< epoch ms
};

/// One thing that a watch tells.
///  - LockDiff: locks that came, changed or went, and their events; at most 60 times a second
///  - Confirmed: the rest of what is known is still so
///  - ScanStats: a scan goes on, or, where it is complete, has come to its end
///  - FeedStatus, PermissionStatus, ClusterStatus: as it is from now on
///  - QList<Deadlock>: all that there are. Each was seen in two pictures, one after the other
///  - ServerReset: before the changes that tell of each lock, where it is known by then
///  - Error: a scan or a read was refused, or a scan could not be finished (isIncomplete()); it is tried again later
///  - ConnectionStatus, WatchMoment: by a WatchSource alone
using WatchEvent = std::variant<LockDiff, Confirmed, ScanStats, FeedStatus, PermissionStatus, ClusterStatus,
                                QList<Deadlock>, ServerReset, Error, ConnectionStatus, WatchMoment>;

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::WatchEvent)

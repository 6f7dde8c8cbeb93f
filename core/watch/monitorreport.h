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

/// All data is current at this moment.
struct DataConfirmed
{
    TimePoint at;
};

/// An event of the monitor, or of several locks at once, that follows from earlier reports.
struct SourceEvent
{
    MonitorEventKind kind = MonitorEventKind::Disconnected;
    /// Disconnected: the error. FeedGap and FeedChanged: gap or mode. A reset, a deadlock, or a node.
    std::variant<std::monostate, Error, FeedGap, FeedMode, ServerReset, Deadlock, NodeStatus> what{};
    qint64 wallMs = 0; ///< epoch ms
};

/// A report of a monitor.
/// - LockDiff: new, changed and removed locks, and their events; at most 60 times a second
/// - DataConfirmed: all other data is still current
/// - ScanStats: progress of a scan or, if complete, its end
/// - FeedStatus, PermissionStatus, ClusterStatus: the present state
/// - QList<Deadlock>: all deadlocks, each seen in two successive snapshots
/// - ServerReset: before the changes of each lock, if known by then
/// - Error: a scan or a read was refused, or a scan was not finished (isIncomplete()); it is retried later
/// - ConnectionStatus, SourceEvent: only from a MonitorSource
using MonitorReport =
    std::variant<LockDiff, DataConfirmed, ScanStats, FeedStatus, PermissionStatus, ClusterStatus,
                 QList<Deadlock>, ServerReset, Error, ConnectionStatus, SourceEvent>;

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::MonitorReport)

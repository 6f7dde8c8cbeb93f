// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/deploymentmonitor.h"
#include "core/monitor/lockmonitor.h"

namespace lockscope {

/// The monitor of one server, with its last reports.
struct DeploymentMonitor::Part
{
    Part(Shard &of, const MonitorOptions &options) : shard(of), monitor(of, options) {}

    Shard &shard;
    LockMonitor monitor;
    qsizetype index = 0;                  ///< stays the same in a Redlock group
    ScanStats scan;                       ///< last or current
    std::optional<ScanStats> whole;       ///< last one finished on this connection
    std::optional<TimePoint> confirmedAt; ///< since it became ready
    std::optional<TimePoint> knownAt;     ///< the last one, even before that
    FeedStatus feed;
    QList<WaitEdge> waits;
    QList<Deadlock> deadlocks; ///< for a server in a Redlock group
    bool hasNewWaits = false;  ///< since the last snapshot of all
    PermissionStatus permissions;
};

} // namespace lockscope

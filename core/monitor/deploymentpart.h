// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/deploymentmonitor.h"
#include "core/monitor/lockmonitor.h"

namespace lockscope {

/// One server's.
struct DeploymentMonitor::Part
{
    Part(Shard &of, const MonitorOptions &options) : shard(of), monitor(of, options) {}

    Shard &shard;
    LockMonitor monitor;
    qsizetype index = 0;                  ///< among all; of a Redlock group it stays the same
    ScanStats scan;                       ///< the last, or the one under way
    std::optional<ScanStats> whole;       ///< the last one that came to its end, on this connection
    std::optional<TimePoint> confirmedAt; ///< since it is ready
    std::optional<TimePoint> knownAt;     ///< the same, also before
    FeedStatus feed;
    QList<WaitEdge> waits;
    QList<Deadlock> deadlocks; ///< of a Redlock group's server
    bool hasNewWaits = false;  ///< since the last picture of all
    PermissionStatus permissions;
};

} // namespace lockscope

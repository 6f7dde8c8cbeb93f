// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockmonitor.h"
#include "tests/support/picture.h"

#include <QSignalSpy>

#include <algorithm>

namespace lockscope {

/// A monitor with what it said: the picture as the diffs build it, the events as "kind key" lines, the rest as it came.
class Watcher : public QObject, public Picture
{
public:
    explicit Watcher(const ServerAddress &address, const MonitorOptions &options = {})
        : connection(address), monitor(connection, options)
    {
        connect(&monitor, &LockMonitor::changed, this, [this](const LockDiff &diff) { take(diff); });
        connect(&monitor, &LockMonitor::confirmed, this, [this](TimePoint at) { confirmedAt = at; });
        connect(&monitor, &LockMonitor::feedChanged, this,
                [this](const FeedStatus &status) { feeds << status; });
        connect(&monitor, &LockMonitor::permissionsChanged, this,
                [this](const PermissionStatus &status) { permissions = status; });
        connect(&monitor, &LockMonitor::scanFinished, this,
                [this](const ScanStats &stats) { sweptSince = stats.finishedAt - stats.wallTime; });
        monitor.start();
        connection.open();
    }

    /// Locks that may not be read any more.
    QByteArrayList unreadable() const
    {
        QByteArrayList keys;
        for (auto at = locks.begin(); at != locks.end(); ++at) {
            if (at->problems().testFlag(Problem::Unreadable))
                keys << at.key();
        }
        std::ranges::sort(keys);
        return keys;
    }
    QHash<QByteArray, Lock> held() const
    {
        QHash<QByteArray, Lock> held;
        for (auto at = locks.begin(); at != locks.end(); ++at)
            held.insert(at.key(), at->lock);
        return held;
    }

    Connection connection;
    LockMonitor monitor;
    QList<FeedStatus> feeds;
    PermissionStatus permissions;
    TimePoint confirmedAt; ///< the moment of which the picture is said to be true
    TimePoint sweptSince;  ///< when the last whole scan began
    QSignalSpy scanFinished{&monitor, &LockMonitor::scanFinished};
    QSignalSpy errorOccurred{&monitor, &LockMonitor::errorOccurred};
};

} // namespace lockscope

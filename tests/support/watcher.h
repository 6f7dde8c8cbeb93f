// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockmonitor.h"
#include "tests/support/picture.h"
#include "tests/support/told.h"

#include <QSignalSpy>

#include <algorithm>

namespace lockscope {

/// A monitor and its output: picture, events as "kind key" lines, and the rest unchanged.
class Watcher : public QObject, public DisplayedState
{
public:
    explicit Watcher(const ServerAddress &address, const MonitorOptions &options = {})
        : connection(address), monitor(connection, options)
    {
        onTold<LockDiff>(monitor, this, [this](const LockDiff &diff) { take(diff); });
        onTold<DataConfirmed>(monitor, this, [this](TimePoint at) { confirmedAt = at; });
        onTold<FeedStatus>(monitor, this, [this](const FeedStatus &status) { feeds << status; });
        onTold<PermissionStatus>(monitor, this,
                                 [this](const PermissionStatus &status) { permissions = status; });
        onTold<ScanStats>(monitor, this,
                          [this](const ScanStats &stats) { sweptSince = stats.finishedAt - stats.wallTime; });
        monitor.start();
        connection.open();
    }

    /// Returns the keys that are no longer readable.
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
    TimePoint confirmedAt; ///< the picture is true as of then
    TimePoint sweptSince;  ///< start of the last full scan
    ToldSpy<ScanStats> scanFinished{monitor};
    ToldSpy<Error> errorOccurred{monitor};
};

} // namespace lockscope

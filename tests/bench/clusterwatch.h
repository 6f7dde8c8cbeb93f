// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/deploymentmonitor.h"
#include "tests/bench/waituntil.h"
#include "tests/support/told.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace lockscope {

/// A deployment under watch, with the picture as the diffs build it.
class ClusterWatch
{
public:
    explicit ClusterWatch(const ServerAddress &address, const MonitorOptions &options = {})
        : deployment(address, {}), monitor(deployment, options)
    {
        onTold<LockDiff>(monitor, &monitor, [this](const LockDiff &diff) {
            if (isReadLater)
                return told.append(diff);
            for (const LockKey &key : diff.removed)
                locks.remove(key.bytes);
            for (const WatchedLock &lock : diff.changed)
                locks.insert(lock.key().bytes, lock.lock.owners.value(0).owner.bytes);
            events += std::ranges::count_if(diff.events, [this](const LockEvent &event) {
                return event.address.key.bytes.startsWith(counted);
            });
            if (looksAtFewest)
                fewest = std::min(fewest, std::ranges::count_if(locks.keyBegin(), locks.keyEnd(),
                                                                [this](const QByteArray &key) {
                                                                    return key.startsWith(counted);
                                                                }));
        });
        onTold<DataConfirmed>(monitor, &monitor, [this](TimePoint at) { confirmedAt = at; });
        onTold<ScanStats>(monitor, &monitor, [this](const ScanStats &stats) { sweeps.push_back(stats); });
    }
    void open()
    {
        monitor.start();
        deployment.open();
    }

    /// The moment from which it reads. Whoever asks for a scan gets it at full speed.
    TimePoint openAndRead(bool isAskedFor = true)
    {
        deployment.open();
        if (!waitUntil([this] { return deployment.link().state() == Link::State::Ready; }))
            qFatal("no connection");
        if (isAskedFor)
            monitor.scanNow();
        const TimePoint begun = Clock::now();
        monitor.start();
        return begun;
    }

    Deployment deployment;
    DeploymentMonitor monitor;
    QHash<QByteArray, QByteArray> locks;                      ///< and their owners
    qsizetype fewest = std::numeric_limits<qsizetype>::max(); ///< of these names
    bool looksAtFewest = false;
    QByteArray counted; ///< the beginning of the names whose events are counted
    qint64 events = 0;
    TimePoint confirmedAt;
    std::vector<ScanStats> sweeps;
    bool isReadLater = false; ///< only told, to take no part in what is measured
    QList<LockDiff> told;
};

} // namespace lockscope

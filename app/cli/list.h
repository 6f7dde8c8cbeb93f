// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/monitor/lockmonitor.h"

#include <QElapsedTimer>
#include <QMap>

namespace lockscope {

/// One sweep, every lock found.
class List : public Command
{
public:
    explicit List(Options options);

private:
    void run() override;
    void showProgress(const SweepStats &soFar);
    void takeSweep(const SweepStats &stats);
    void print(const SweepStats &stats);
    QString humanText(const SweepStats &stats) const;

    LockMonitor m_monitor;
    QMap<LockKey, Lock> m_locks;
    PermissionStatus m_permissions;
    QElapsedTimer m_running;
    bool m_isSwept = false;
};

/// What the monitor of a command line is to look for.
MonitorOptions monitorOptions(const Options &options);

} // namespace lockscope

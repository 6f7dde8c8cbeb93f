// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/monitor/deploymentmonitor.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QMap>

namespace lockscope {

/// One scan, every lock found.
class ListCommand : public Command
{
public:
    explicit ListCommand(Options options);

private:
    void run() override;
    void showProgress(const ScanStats &soFar);
    void takeScan(const ScanStats &stats);
    void readDoubted(const ScanStats &stats);
    void readBeside(qsizetype server, const ScanStats &stats);
    void readCompanions(Link &server, const QList<Lock> &locks, const std::function<void()> &then);
    void errorOccurred(const Error &why);
    void hide();
    void print(const ScanStats &stats);
    QJsonArray nodesJson() const;
    QJsonObject serverJson() const;
    QByteArray json(const ScanStats &stats) const;
    QString humanText(const ScanStats &stats) const;

    DeploymentMonitor m_monitor;
    QMap<LockKey, Lock> m_locks;
    PermissionStatus m_permissions;
    QElapsedTimer m_running;
    ScanStats m_soFar;
    std::optional<Error> m_incomplete; ///< why the list is not whole
    qint64 m_hidden = 0;
    qint64 m_unreadBeside = 0; ///< locks, hidden ones included, beside which something could not be read
    bool m_isSwept = false;
};

/// What the monitor of a command line is to look for.
MonitorOptions monitorOptions(const Options &options);
/// --share 100: the scan waits for no budget.
bool isFullSpeed(const Options &options);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/eventbacklog.h"
#include "core/monitor/deploymentmonitor.h"
#include "core/monitor/forcedends.h"

#include <QJsonObject>
#include <QSet>
#include <QTimer>

namespace lockscope {

/// The live feed, an event a line, until Ctrl-C, the end of --duration, or the end of who reads it.
class WatchCommand : public Command
{
public:
    explicit WatchCommand(Options options);

private:
    void run() override;
    void connectionLost(const Error &why) override;
    void interrupted() override { end(); }
    void printChanges(const LockDiff &diff);
    void scanFinished(const ScanStats &stats);
    void errorOccurred(const Error &why);
    void feedChanged(const FeedStatus &status);
    void permissionsChanged(const PermissionStatus &status);
    void tellReplica(const ReplicaLink &link);
    void clusterChanged(const ClusterStatus &status);
    void printPermission(const char *event, const PermissionStatus::Missing &missing);
    void printUnreadable();
    void serverReset(const ServerReset &reset);
    void printBacklog(qsizetype keys);
    void printEvents(const QList<LockEvent> &events);
    void printEvent(const LockEvent &event);
    void printMoment(const char *event, QJsonObject details, const QString &text);
    void print(const QByteArray &line);
    void end();

    DeploymentMonitor m_monitor;
    QTimer m_readerCheck;   ///< a quiet feed would never notice that nobody reads it any more
    EventBacklog m_backlog; ///< of the first scan, told after "ready"; and of many locks at once
    QTimer m_backlogTimer;
    ForcedEnds m_forcedEnds; ///< by this user's other programs
    bool m_ready = false;
    std::optional<Error> m_trouble; ///< the last that was heard of
    bool m_connected = true;
    FeedStatus m_feed;
    PermissionStatus m_permissions;
    qint64 m_toldUnreadable = 0;
    QSet<QString> m_toldMissing; ///< nodes
    QByteArray m_toldReplica;    ///< the state of its link
    ErrorKind m_toldTrouble = ErrorKind::Canceled;
};

} // namespace lockscope

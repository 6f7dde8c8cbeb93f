// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/eventbacklog.h"
#include "app/cli/sessioncommand.h"

#include <QJsonObject>
#include <QTimer>

namespace lockscope {

/// The live feed, an event a line, until Ctrl-C, the end of --duration, or the end of who reads it.
class WatchCommand : public SessionCommand
{
public:
    explicit WatchCommand(Options options);

private:
    void take(const WatchEvent &event) override;
    void connectionLost(const Error &why) override { m_trouble = why; }
    void errorOccurred(const Error &why) override;
    void interrupted() override { end(); }
    void printChanges(const LockDiff &diff);
    void takeScan(const ScanStats &stats);
    void takeMoment(const WatchMoment &moment);
    void takePermissions(const PermissionStatus &status);
    void printReplica();
    void printNode(const char *event, const NodeStatus &node, const QString &text);
    void printPermission(const char *event, const PermissionStatus::Missing &missing);
    void printUnreadable();
    void printBacklog(qsizetype keys);
    void printEvents(const QList<LockEvent> &events);
    void printMoment(const char *event, QJsonObject details, const QString &text);
    void print(const QByteArray &line);
    void end();

    QTimer m_readerCheck;   ///< a quiet feed would never notice that nobody reads it any more
    EventBacklog m_backlog; ///< of the first scan, told after "ready"; and of many locks at once
    QTimer m_backlogTimer;
    bool m_ready = false;
    std::optional<Error> m_trouble; ///< the last that was heard of
    PermissionStatus m_permissions;
    qint64 m_toldUnreadable = 0;
    QByteArray m_toldReplica; ///< the state of its link
};

} // namespace lockscope

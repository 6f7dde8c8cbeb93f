// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "core/monitor/lockmonitor.h"

#include <QJsonObject>
#include <QTimer>

namespace lockscope {

/// The live feed, an event a line, until Ctrl-C, the end of --duration, or the end of who reads it.
class Watch : public Command
{
public:
    explicit Watch(Options options);

private:
    void run() override;
    void connectionLost(const Error &why) override;
    void tell(const LockDiff &diff);
    void swept(const SweepStats &stats);
    void troubled(const Error &why);
    void feedChanged(const FeedStatus &status);
    void permissionsChanged(const PermissionStatus &status);
    void printPermission(const char *event, const PermissionStatus::Missing &missing);
    void printUnreadable();
    void printEvent(const LockEvent &event);
    void printMoment(const char *event, QJsonObject details, const QString &text);
    void print(const QByteArray &line);

    LockMonitor m_monitor;
    Interrupt m_interrupt;
    QTimer m_readerCheck;      ///< a quiet feed would never notice that nobody reads it any more
    QList<LockEvent> m_before; ///< of the first sweep: told after "ready"
    bool m_ready = false;
    bool m_connected = true;
    Feed m_feed = Feed::Polling;
    PermissionStatus m_permissions;
    qint64 m_toldUnreadable = 0;
    ErrorKind m_toldTrouble = ErrorKind::Cancelled;
};

} // namespace lockscope

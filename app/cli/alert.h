// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/alertprogram.h"
#include "app/cli/alertwebhook.h"
#include "app/cli/command.h"
#include "core/alerts/alertwatch.h"
#include "core/monitor/session.h"

#include <QTimer>

#include <memory>

namespace lockscope {

/// Watches all locks, and tells of alerts: on standard output, and to a program or a webhook. A server that is not reached is waited
/// for.
class AlertCommand : public Command
{
public:
    explicit AlertCommand(Options options);

    void start() override;

private:
    void run() override {} // the session has the connections
    void statusChanged(const ConnectionStatus &status);
    void interrupted() override { finish(ExitStatus::Done); }
    void scanFinished(const ScanStats &stats);
    void errorOccurred(const Error &why);
    void tell();
    void print(const QJsonObject &object, const QString &line);

    Session m_session;
    HoldTimes m_usual;
    AlertWatch m_alerts;
    QTimer m_time;
    std::unique_ptr<AlertProgram> m_program; ///< null: none
    std::unique_ptr<AlertWebhook> m_webhook; ///< likewise
    bool m_isReady = false;
    bool m_isRead = false;
    std::optional<ErrorKind> m_toldTrouble;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/alertprogram.h"
#include "app/cli/alertwebhook.h"
#include "app/cli/sessioncommand.h"
#include "core/alerts/alertwatch.h"

#include <QTimer>

#include <memory>

namespace lockscope {

/// Watches all locks, and tells of alerts: on standard output, and to a program or a webhook.
class AlertCommand : public SessionCommand
{
public:
    explicit AlertCommand(Options options);

    void start() override;

private:
    void take(const WatchEvent &event) override;
    void takeScan(const ScanStats &stats);
    void interrupted() override;
    void errorOccurred(const Error &why) override;
    void fail(const Error &why) override;
    void handOnThen(const std::function<void()> &end);
    void tell();
    void print(const QJsonObject &object, const QString &line);

    AlertWatch m_alerts;
    QTimer m_time;
    std::unique_ptr<AlertProgram> m_program; ///< null: none
    std::unique_ptr<AlertWebhook> m_webhook; ///< likewise
    bool m_isWatching = false;
    bool m_isEnding = false;
    qint64 m_toldNotRaised = 0;
    qint64 m_toldUnread = 0;
    QTimer m_handingOn;
};

} // namespace lockscope

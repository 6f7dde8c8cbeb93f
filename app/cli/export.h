// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/exportpage.h"
#include "app/cli/scrapeserver.h"
#include "core/monitor/session.h"

namespace lockscope {

/// Watches all locks, and serves figures of them over HTTP until a signal ends it. A server that is not reached, at first or
/// later, is waited for. The monitor has a thread of its own, as under the window, so that a scrape does not wait for it.
class ExportCommand : public Command
{
public:
    explicit ExportCommand(Options options);

    void start() override;

private:
    void run() override {} // the session has the connections
    void statusChanged(const ConnectionStatus &status);
    void interrupted() override { finish(ExitStatus::Done); }
    void scanFinished(const ScanStats &stats);
    void errorOccurred(const Error &why);
    ScrapeServer::Answer answer(const QString &path, const QByteArray &accept) const;
    ExportFigures figures() const;

    ScrapeServer m_http;
    Session m_session;
    ConnectionStatus m_status;
    ClusterStatus m_cluster;
    LockTally m_tally;
    ExportFigures m_figures; ///< but for what a scrape has to compute
    bool m_isRead = false;   ///< all locks, since the connection was made
    std::optional<TimePoint> m_confirmedAt;
    std::optional<ErrorKind> m_toldTrouble;
};

} // namespace lockscope

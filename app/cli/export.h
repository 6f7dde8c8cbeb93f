// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exportpage.h"
#include "app/cli/scrapeserver.h"
#include "app/cli/sessioncommand.h"

namespace lockscope {

/// Watches all locks, and serves figures of them over HTTP until a signal ends it. A scrape does not wait for the monitor.
class ExportCommand : public SessionCommand
{
public:
    explicit ExportCommand(Options options);

    void start() override;

private:
    void take(const WatchEvent &event) override;
    void takeScan(const ScanStats &stats);
    void errorOccurred(const Error &why) override;
    ScrapeServer::Answer answer(const QString &path, const QByteArray &accept) const;
    ExportFigures figures() const;

    ScrapeServer m_http;
    LockTally m_tally;
    ExportFigures m_figures; ///< but for what a scrape has to compute
    bool m_isRead = false;   ///< all locks, since the connection was made
};

} // namespace lockscope

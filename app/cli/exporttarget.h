// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/exportpage.h"
#include "app/cli/scrapeserver.h"
#include "core/history/contentiontally.h"
#include "core/history/orderwatch.h"
#include "core/monitor/pollerwatch.h"
#include "core/monitor/session.h"
#include "core/state/locktally.h"

#include <QTimer>

namespace lockscope {

/// The metrics of one session, counted from its reports.
class ExportTarget : public QObject
{
    Q_OBJECT

public:
    /// `session` must outlive this. `asksNamedUser`: estimate polling clients for a named user, too.
    ExportTarget(const Session &session, bool asksNamedUser);

    void take(const MonitorReport &event);
    ScrapeServer::Answer answer(const QByteArray &accept) const;

private:
    void takeStatus(const ConnectionStatus &status);
    void takeScan(const ScanStats &stats);
    void work();
    ExportFigures figures() const;
    const MonitorState &watched() const { return m_session.watched(); }

    const Session &m_session;
    LockTally m_tally;
    ContentionTally m_contention;
    OrderWatch m_orders;
    std::unique_ptr<PollerWatch> m_pollers; ///< absent: not for this server
    QTimer m_work;
    ExportFigures m_figures; ///< without values computed per scrape
    bool m_isRead = false;   ///< all locks were read since the connection
};

} // namespace lockscope

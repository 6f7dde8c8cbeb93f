// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/clockjumps.h"
#include "core/monitor/servercounters.h"
#include "core/read/fieldlease.h"
#include "core/redis/link.h"

#include <QTimer>

namespace lockscope {

/// Asks a server what it says of itself as a whole: each second what it has counted and what its clock says, when it is
/// asked to how many keys it has and how far it has loaded them. Answers that come over another connection than the present
/// one, where they would tell of the past, are not told. On the connection's thread.
class InfoWatch : public QObject
{
    Q_OBJECT

public:
    InfoWatch(Link &connection, QObject *parent);

    /// On another connection.
    void begin();
    /// The connection is gone.
    void halt();
    /// At once and each second: also where it was forbidden.
    void ask();
    /// False: it is forbidden, or there is no connection.
    bool isAsking() const { return m_timer.isActive(); }
    void countKeys();
    /// With how far the server has come, where that is known.
    void tellLoading(const Error &why);

signals:
    /// The answer to ServerCounters::question().
    void countersTold(const QByteArray &info, lockscope::TimePoint at);
    /// Nothing is asked any more.
    void countersForbidden(const lockscope::Error &why);
    void clockSet();
    void keysCounted(qint64 keys);
    void fieldLeasesTold(lockscope::FieldLeases leases);
    void loadingTold(const lockscope::Error &why);

private:
    Link &m_connection;
    ClockJumps m_clockJumps;
    QTimer m_timer;
    int m_generation = 0; ///< of the connection
};

} // namespace lockscope

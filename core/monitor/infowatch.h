// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/clockjumps.h"
#include "core/monitor/servercounters.h"
#include "core/read/fieldlease.h"
#include "core/redis/link.h"

#include <QTimer>

namespace lockscope {

/// Requests a server's counters and clock each second, and on request its number of keys and loading
/// progress. Replies of an earlier connection are dropped. On the connection's thread.
class InfoWatch : public QObject
{
    Q_OBJECT

public:
    InfoWatch(Link &connection, QObject *parent);

    /// Starts on a new connection.
    void begin();
    /// Stops when the connection is lost.
    void halt();
    /// Requests the counters now and each second, even if they were forbidden before.
    void ask();
    /// False: forbidden, or not connected.
    bool isAsking() const { return m_timer.isActive(); }
    void countKeys();
    /// Emits loadingTold() with the server's progress, if known.
    void tellLoading(const Error &why);

signals:
    /// Emits the reply to ServerCounters::question().
    void countersTold(const QByteArray &info, lockscope::TimePoint at);
    void countersForbidden(const lockscope::Error &why);
    /// Not asked again on this connection.
    void countersMissing();
    void clockSet();
    void keysCounted(qint64 keys);
    void fieldLeasesTold(lockscope::FieldLeases leases);
    void loadingTold(const lockscope::Error &why);

private:
    Link &m_connection;
    ClockJumps m_clockJumps;
    QTimer m_timer;
    int m_generation = 0;
};

} // namespace lockscope

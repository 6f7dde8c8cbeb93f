// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/monitor/clusterstatus.h"
#include "core/monitor/feedstatus.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/permissionstatus.h"
#include "core/monitor/serverreset.h"
#include "core/monitor/waitforgraph.h"
#include "core/redis/connection.h"

#include <QDateTime>
#include <QObject>

#include <optional>

namespace lockscope {

/// The state of a session's connection as a value that crosses threads.
struct ConnectionStatus
{
    Connection::State state = Connection::State::Closed;
    ServerInfo server;
    Error error;                        ///< Waiting, Refused, Closed: why
    std::optional<TimePoint> nextTryAt; ///< Waiting
};

/// Who tells what is known of the locks of a server, or of several: a Session, or a recording of one. Its signals arrive on
/// the thread on which it lives.
class WatchSource : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// The moment of which is told, by both clocks: of a session the present.
    virtual TimePoint now() const { return Clock::now(); }
    virtual qint64 wallNow() const { return QDateTime::currentMSecsSinceEpoch(); }

signals:
    void statusChanged(const lockscope::ConnectionStatus &status);
    void changed(const lockscope::LockDiff &diff);
    void confirmed(lockscope::TimePoint at);
    void scanProgressed(const lockscope::ScanStats &soFar);
    void scanFinished(const lockscope::ScanStats &stats);
    void feedChanged(const lockscope::FeedStatus &status);
    void deadlocksChanged(const QList<lockscope::Deadlock> &deadlocks);
    void serverReset(const lockscope::ServerReset &reset);
    void permissionsChanged(const lockscope::PermissionStatus &status);
    void errorOccurred(const lockscope::Error &why);
    void clusterChanged(const lockscope::ClusterStatus &status);
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ConnectionStatus)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/watch/clusterstatus.h"
#include "core/watch/connectionstatus.h"
#include "core/watch/feedstatus.h"
#include "core/watch/permissionstatus.h"
#include "core/watch/scanstats.h"
#include "core/watch/serverreset.h"
#include "core/watch/waitforgraph.h"

#include <QDateTime>
#include <QObject>

namespace lockscope {

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

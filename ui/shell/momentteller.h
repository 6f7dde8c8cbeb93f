// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/moment.h"
#include "core/watch/watchsource.h"

#include <QObject>
#include <QSet>
#include <QStringList>

#include <functional>
#include <optional>

namespace lockscope {

/// Says of a source what belongs into a list of events beside those of locks: lost connections, gaps, resets, deadlocks.
class MomentTeller : public QObject
{
    Q_OBJECT

public:
    /// A deadlock in words.
    using Describe = std::function<QString(const Deadlock &)>;

    /// `source` must outlive this. `serverName`: as the user calls it.
    MomentTeller(const WatchSource &source, QString serverName, Describe describeDeadlock,
                 QObject *parent = nullptr);

    /// What is told next is of another time.
    void forget();
    /// What was so before is not known to have been so until what is told next.
    void skipGap();

signals:
    void happened(const lockscope::Moment &moment);

private:
    void takeStatus(const ConnectionStatus &status);
    void takeFeed(const FeedStatus &status);
    void takeReset(const ServerReset &reset);
    void takeDeadlocks(const QList<Deadlock> &deadlocks);
    void takeCluster(const ClusterStatus &cluster);
    void tell(MomentKind kind, const QString &text, const LockKey &key = {});

    const WatchSource &m_source;
    const QString m_serverName;
    const Describe m_describeDeadlock;
    ConnectionStatus m_status;
    bool m_wasLost = false;
    FeedStatus m_feed;
    std::optional<TimePoint> m_incidentAt; ///< of the last one that was told
    QList<Deadlock> m_deadlocks;
    QSet<QString> m_missing; ///< nodes that were told of as lost
};

} // namespace lockscope

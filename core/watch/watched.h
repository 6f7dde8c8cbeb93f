// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/allread.h"
#include "core/watch/holdtimes.h"
#include "core/watch/resetnotes.h"
#include "core/watch/watchevent.h"

#include <QSet>

#include <optional>

namespace lockscope {

/// What is known of a watch, put together of all that it has told, but for the locks. Each WatchSource keeps one; whoever listens
/// to it asks there.
class Watched
{
public:
    /// `now`, `wallMs`: the moment of which is told. What follows besides is to be told after the event.
    QList<WatchMoment> take(const WatchEvent &event, TimePoint now, qint64 wallMs);
    /// What is told next is of another time, and not new: of the same watch.
    void forget();
    /// What was so before is not known to have been so until what is told next.
    void skipGap();

    const ConnectionStatus &status() const { return m_status; }
    bool isReady() const { return m_status.state == Link::State::Ready; }
    const ClusterStatus &cluster() const { return m_cluster; }
    const FeedStatus &feed() const { return m_feed; }
    const PermissionStatus &permissions() const { return m_permissions; }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    /// The last scan, or the one under way.
    const ScanStats &scan() const { return m_scan; }
    /// All locks were read since the connection is ready and since its feed missed something last; and whether that was so once.
    bool isRead() const { return m_read.isRead(); }
    bool wasRead() const { return m_read.wasRead(); }
    /// Everything that is known was so then; nullopt: that is not known of any moment.
    std::optional<TimePoint> confirmedAt() const { return m_confirmedAt; }
    /// The connection was lost, and not everything has been confirmed since: the last moment of which it was.
    std::optional<TimePoint> staleSince() const { return m_staleSince; }
    /// Why not all can be read though the server is reached. Where it is NoPermission, permissions() tells more.
    const std::optional<Error> &trouble() const { return m_trouble; }
    /// Until they are dismissed.
    const ResetNotes &resets() const { return m_resets; }
    void dismissResets() { m_resets.clear(); }
    const HoldTimes &holdTimes() const { return m_holdTimes; }

private:
    void take(const ConnectionStatus &status, TimePoint now);
    void take(const ScanStats &stats);
    void take(const FeedStatus &status);
    void take(const QList<Deadlock> &deadlocks);
    void take(const ClusterStatus &cluster);

    ConnectionStatus m_status;
    ClusterStatus m_cluster;
    FeedStatus m_feed;
    PermissionStatus m_permissions;
    QList<Deadlock> m_deadlocks;
    ScanStats m_scan;
    AllRead m_read;
    std::optional<TimePoint> m_confirmedAt;
    std::optional<TimePoint> m_staleSince;
    std::optional<Error> m_trouble;
    ResetNotes m_resets;
    HoldTimes m_holdTimes;

    // What was said to have happened.
    bool m_wasLost = false;
    std::optional<TimePoint> m_incidentAt; ///< of the last one of the feed
    QSet<QString> m_missing;               ///< nodes, as lost
    QList<WatchMoment> m_happened;
};

} // namespace lockscope

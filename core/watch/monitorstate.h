// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/holdtimes.h"
#include "core/watch/monitorreport.h"
#include "core/watch/readcompleteness.h"
#include "core/watch/undismissedresets.h"

#include <QSet>

#include <optional>

namespace lockscope {

/// The state of a monitor by all its reports, except for the locks. Each MonitorSource has one, for its
/// listeners.
class MonitorState
{
public:
    /// `now`, `wallMs`: the moment of the report. Returns the moments to report after the event.
    QList<SourceEvent> take(const MonitorReport &event, TimePoint now, qint64 wallMs);
    /// Prepares for another time of the same watch, whose state is not new.
    void forget();
    /// Marks the state before the next report as unknown.
    void skipGap();

    const ConnectionStatus &status() const { return m_status; }
    bool isReady() const { return m_status.state == Link::State::Ready; }
    const ClusterStatus &cluster() const { return m_cluster; }
    const FeedStatus &feed() const { return m_feed; }
    const PermissionStatus &permissions() const { return m_permissions; }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    const ScanStats &scan() const { return m_scan; }
    /// True if all locks were read since the connection was made and its feed's last gap; hasEverReadAll(): ever.
    bool isRead() const { return m_read.hasReadAll(); }
    bool hasEverReadAll() const { return m_read.hasEverReadAll(); }
    /// The moment for which all data is current; absent: unknown.
    std::optional<TimePoint> confirmedAt() const { return m_confirmedAt; }
    /// The last confirmed moment before the connection was lost; absent once everything is confirmed again.
    std::optional<TimePoint> staleSince() const { return m_staleSince; }
    /// Why not all can be read from a reachable server. NoPermission: see permissions().
    const std::optional<Error> &trouble() const { return m_trouble; }
    /// Resets until they are dismissed.
    const UndismissedResets &resets() const { return m_resets; }
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
    ReadCompleteness m_read;
    std::optional<TimePoint> m_confirmedAt;
    std::optional<TimePoint> m_staleSince;
    std::optional<Error> m_trouble;
    UndismissedResets m_resets;
    HoldTimes m_holdTimes;

    // Moments reported so far.
    bool m_wasLost = false;
    std::optional<TimePoint> m_incidentAt;
    QSet<QString> m_missing; ///< nodes reported as lost
    QList<SourceEvent> m_happened;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/clusterstatus.h"

#include <QDateTime>

#include <algorithm>
#include <optional>

namespace lockscope {

/// The time of the shown data. While the connection is lost it stops at the last confirmed moment, since a
/// running countdown would be a guess. In a recording the present is the replayed moment.
class DisplayTime
{
public:
    TimePoint now() const { return m_stoppedAt ? *m_stoppedAt : m_heldAt ? *m_heldAt : present(); }
    TimePoint present() const { return m_replayed ? m_replayed->at : Clock::now(); }
    /// True if the shown data is stale.
    bool isStopped() const { return m_stoppedAt.has_value(); }
    bool isPast() const { return m_stoppedAt || m_heldAt; }
    bool isReplayed() const { return m_replayed.has_value(); }
    /// Returns how long time has stood still: the minimum age of the data.
    milliseconds pastFor() const
    {
        const auto passed = present() - now();
        return std::max(std::chrono::duration_cast<milliseconds>(passed), milliseconds::zero());
    }
    /// Returns now() in epoch ms, by the clock of this machine or of the recording one.
    qint64 wallMs() const
    {
        const qint64 wall = m_replayed ? m_replayed->wallMs : QDateTime::currentMSecsSinceEpoch();
        return wall - pastFor().count();
    }

    void stopAt(TimePoint at)
    {
        m_heldAt = std::nullopt;
        m_stoppedAt = at;
    }

protected:
    struct Replayed
    {
        TimePoint at;
        qint64 wallMs = 0;
    };

    std::optional<Replayed> m_replayed;
    std::optional<TimePoint> m_stoppedAt;
    std::optional<TimePoint> m_heldAt; ///< set by a pause while the data was current
};

/// The time of a window; in a cluster also that of each node's locks.
class DisplayClock : public DisplayTime
{
public:
    void holdAt(TimePoint at)
    {
        run();
        m_heldAt = at;
    }
    void run() { m_stoppedAt = m_heldAt = std::nullopt; }
    /// Sets the present to this moment until the next call.
    void replay(TimePoint at, qint64 wallMs) { m_replayed = {at, wallMs}; }
    bool isHeld() const { return m_heldAt.has_value(); }

    const ClusterStatus &cluster() const { return m_cluster; }
    void setCluster(const ClusterStatus &cluster)
    {
        m_cluster = cluster;
        m_hasStoppedNodes =
            cluster.isCluster() &&
            std::ranges::any_of(cluster.nodes, [](const NodeStatus &node) { return !node.isCurrent; });
    }
    bool hasStoppedNodes() const { return m_hasStoppedNodes; }
    /// Returns the time of a lock; it stops at the last confirmed moment of a disconnected node.
    DisplayTime of(const LockKey &key) const
    {
        if (isStopped() || !m_hasStoppedNodes)
            return *this;
        const NodeStatus *node = m_cluster.nodeOf(key);
        if (node && node->isCurrent)
            return *this;
        DisplayTime stopped = *this;
        stopped.stopAt(node && node->confirmedAt ? *node->confirmedAt : present());
        return stopped;
    }

private:
    ClusterStatus m_cluster;
    bool m_hasStoppedNodes = false;
};

} // namespace lockscope

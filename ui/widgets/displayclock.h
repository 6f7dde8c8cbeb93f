// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/clusterstatus.h"

#include <QDateTime>

#include <algorithm>
#include <optional>

namespace lockscope {

/// What time it is for what is shown. While the connection is lost it stands still at the last moment that was confirmed:
/// a countdown that goes on would claim what nobody knows. Of a recording the present is the moment that is replayed.
class DisplayTime
{
public:
    TimePoint now() const { return m_stoppedAt ? *m_stoppedAt : m_heldAt ? *m_heldAt : present(); }
    TimePoint present() const { return m_replayed ? m_replayed->at : Clock::now(); }
    /// What is shown is not current, as far as is known.
    bool isStopped() const { return m_stoppedAt.has_value(); }
    /// Time stands still, for whatever reason: what is said of the present would be a guess.
    bool isPast() const { return m_stoppedAt || m_heldAt; }
    /// The present is a moment of a recording.
    bool isReplayed() const { return m_replayed.has_value(); }
    /// How long it has stood still: so old is what is shown at least.
    milliseconds pastFor() const
    {
        const auto passed = present() - now();
        return std::max(std::chrono::duration_cast<milliseconds>(passed), milliseconds::zero());
    }
    /// The same moment as now(), in epoch ms by the clock of this machine, or of the one that recorded it.
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
    /// One moment by both clocks.
    struct Replayed
    {
        TimePoint at;
        qint64 wallMs = 0;
    };

    std::optional<Replayed> m_replayed;
    std::optional<TimePoint> m_stoppedAt;
    std::optional<TimePoint> m_heldAt; ///< by the user: a moment in which all was current
};

/// The time in the window; of a cluster, that of each node's locks.
class DisplayClock : public DisplayTime
{
public:
    void holdAt(TimePoint at)
    {
        run();
        m_heldAt = at;
    }
    void run() { m_stoppedAt = m_heldAt = std::nullopt; }
    /// From here on the present is this moment, until the next call.
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
    /// Some locks' time stands still.
    bool hasStoppedNodes() const { return m_hasStoppedNodes; }
    /// Of a lock, which is as old as what its node has told last.
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

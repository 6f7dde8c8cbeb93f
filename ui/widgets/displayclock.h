// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/clusterstatus.h"

#include <QDateTime>

#include <algorithm>
#include <optional>

namespace lockscope {

/// What time it is for what is shown. While the connection is lost it stands still at the last moment that was confirmed:
/// a countdown that goes on would claim what nobody knows.
class DisplayTime
{
public:
    DisplayTime() = default;
    explicit DisplayTime(std::optional<TimePoint> stoppedAt) : m_stoppedAt(stoppedAt) {}

    TimePoint now() const { return m_stoppedAt ? *m_stoppedAt : m_heldAt ? *m_heldAt : Clock::now(); }
    /// What is shown is not current, as far as is known.
    bool isStopped() const { return m_stoppedAt.has_value(); }
    /// Time stands still, for whatever reason: what is said of the present would be a guess.
    bool isPast() const { return m_stoppedAt || m_heldAt; }
    /// How long it has stood still: so old is what is shown at least.
    milliseconds pastFor() const
    {
        const auto passed = Clock::now() - now();
        return std::max(std::chrono::duration_cast<milliseconds>(passed), milliseconds::zero());
    }
    /// The same moment as now(), in epoch ms by the clock of this machine.
    qint64 wallMs() const { return QDateTime::currentMSecsSinceEpoch() - pastFor().count(); }

protected:
    std::optional<TimePoint> m_stoppedAt;
    std::optional<TimePoint> m_heldAt; ///< by the user: a moment in which all was current
};

/// The time in the window; of a cluster, that of each node's locks.
class DisplayClock : public DisplayTime
{
public:
    void stopAt(TimePoint at)
    {
        run();
        m_stoppedAt = at;
    }
    void holdAt(TimePoint at)
    {
        run();
        m_heldAt = at;
    }
    void run() { m_stoppedAt = m_heldAt = std::nullopt; }
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
        return DisplayTime(node && node->confirmedAt ? *node->confirmedAt : Clock::now());
    }

private:
    ClusterStatus m_cluster;
    bool m_hasStoppedNodes = false;
};

} // namespace lockscope

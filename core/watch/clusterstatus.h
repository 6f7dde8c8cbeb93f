// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/base/time.h"
#include "core/redis/deployment/sentinelwatch.h"
#include "core/redis/deployment/slot.h"

#include <QList>
#include <QMetaType>

#include <array>
#include <memory>
#include <optional>

namespace lockscope {

/// A server of a monitored deployment.
struct NodeStatus
{
    QString name;        ///< its address; empty: the given one
    NodeAddress address; ///< for TCP or TLS
    QString label;       ///< the part of the address that distinguishes the nodes: port or host
    Link::State state = Link::State::Closed;
    Error error;                          ///< for Backoff, Refused and Closed
    std::optional<TimePoint> confirmedAt; ///< the time for which its locks are known
    int slotTotal = 0;                    ///< number of its slots
    bool isDecided = false;               ///< it was ready or failed since it has these slots
    bool isCurrent = false;               ///< it is ready, and its locks were read since
    bool isReplica = false;
    std::optional<ReplicaLink> replicaOf;

    bool isReady() const { return state == Link::State::Ready; }
};

/// The servers of the locks: the nodes of a cluster with their slots, the members of a Redlock group, or a
/// single server with its replication role and Sentinels. A value that crosses threads.
struct ClusterStatus
{
    using Keepers = std::array<qint16, slotCount>;

    QList<NodeStatus> nodes;                ///< by address; one for a single server
    std::shared_ptr<const Keepers> keepers; ///< by slot: index of the node, or -1; absent: no cluster

    std::optional<SentinelStatus> sentinels; ///< absent: no Sentinels

    bool isGroup = false; ///< the nodes are those of a Redlock group, in its order

    /// Slots with possibly missed changes: their node is not ready, not read yet or unknown. Absent: none, or
    /// no node was read yet. All slots if a server of a Redlock group is missing: any lock may have a part of
    /// its majority there.
    SharedSlots unknownSlots;

    bool isCluster() const { return keepers != nullptr; }
    /// True if one missing node does not affect the others.
    bool hasSeveral() const { return isCluster() || isGroup; }
    void labelNodes();
    void findUnknownSlots();
    /// nullptr if no node has the key, or several do.
    const NodeStatus *nodeOf(const LockKey &key) const;
    /// Nodes that have failed and are not ready: their locks are outdated.
    QList<NodeStatus> missing() const;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ClusterStatus)

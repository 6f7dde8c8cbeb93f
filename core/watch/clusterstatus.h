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

/// A server of a deployment that is watched.
struct NodeStatus
{
    QString name;        ///< its address; empty: the one that was given
    NodeAddress address; ///< where it is reached; of a server by TCP or TLS
    QString label;       ///< what of it tells the nodes apart: the port, or the host
    Link::State state = Link::State::Closed;
    Error error;                          ///< in Backoff, Refused, Closed: why
    std::optional<TimePoint> confirmedAt; ///< the moment of which its locks are known
    int slotTotal = 0;                    ///< that it keeps
    bool isDecided = false;               ///< it was ready, or failed, since it keeps these slots
    bool isCurrent = false;               ///< it is ready, and its locks were read since it is
    bool isReplica = false;               ///< as it said last
    std::optional<ReplicaLink> replicaOf; ///< where it tells

    bool isReady() const { return state == Link::State::Ready; }
};

/// The servers that keep the locks: the nodes of a cluster, and which lock is on which, the members of a Redlock group, or a
/// single one, with its part in replication and its Sentinels. A value that crosses threads.
struct ClusterStatus
{
    using Keepers = std::array<qint16, slotCount>;

    QList<NodeStatus> nodes;                ///< by address; a server that stands alone is one
    std::shared_ptr<const Keepers> keepers; ///< by slot, the node's index, or -1; absent: no cluster

    std::optional<SentinelStatus> sentinels; ///< that name the server

    bool isGroup = false; ///< the nodes are those of a Redlock group, in its order

    /// Slots of whose locks changes may be missed now: the node that keeps them is not ready or not read yet, or it is not known which
    /// one does. Absent: none, or no node was read yet. Of a Redlock group all while one server is missing: any lock may have a part of
    /// its majority there.
    SharedSlots unknownSlots;

    bool isCluster() const { return keepers != nullptr; }
    /// One that is missing says nothing of the others.
    bool hasSeveral() const { return isCluster() || isGroup; }
    /// Sets the labels.
    void labelNodes();
    /// Sets unknownSlots by nodes and keepers.
    void findUnknownSlots();
    /// nullptr where nobody keeps the key, or each of several does.
    const NodeStatus *nodeOf(const LockKey &key) const;
    /// Nodes that are not ready, and have had their chance: what is shown of their locks is as old as it is.
    QList<NodeStatus> missing() const;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ClusterStatus)

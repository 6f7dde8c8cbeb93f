// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/slot.h"
#include "core/redis/error.h"
#include "core/redis/nodeaddress.h"
#include "core/redis/reply.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace lockscope {

struct ClusterNode
{
    QByteArray id; ///< 40 hexadecimal digits, and for ever
    NodeAddress address;
    bool isFailed = false; ///< as the cluster has agreed

    friend bool operator==(const ClusterNode &, const ClusterNode &) = default;
};

/// A primary with its replicas, and the slots that they keep.
struct ClusterShard
{
    ClusterNode primary;
    QList<ClusterNode> replicas;
    SlotSet slotSet;

    bool hasNode(const QByteArray &id) const;
    friend bool operator==(const ClusterShard &, const ClusterShard &) = default;
};

/// Who keeps which slots, as one node of the cluster sees it.
struct ClusterTopology
{
    QList<ClusterShard> shards; ///< also those without slots, where the server tells of them
    /// Every node that the cluster knows is among them: nobody can be subscribed to another. False where that is not known.
    bool isWhole = false;
    qint64 epoch = -1; ///< grows with every failover and move of slots; -1: not known

    /// From the replies to CLUSTER SHARDS or CLUSTER SLOTS, whichever it is, and CLUSTER INFO, which may be an error.
    /// ErrorKind::UnexpectedReply for anything else, ErrorKind::ClusterDown where no slot belongs to anybody.
    static Result<ClusterTopology> parse(const Reply &nodes, const Reply &info);
    /// Nodes that only another answer of the same moment names, by which this becomes whole.
    void addNodes(const ClusterTopology &whole);
};

} // namespace lockscope

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
    QByteArray id; ///< 40 hexadecimal digits, permanent
    NodeAddress address;
    bool isFailed = false; ///< by agreement of the cluster

    friend bool operator==(const ClusterNode &, const ClusterNode &) = default;
};

/// A primary with its replicas and their slots.
struct ClusterShard
{
    ClusterNode primary;
    QList<ClusterNode> replicas;
    SlotSet slotSet;

    bool hasNode(const QByteArray &id) const;
    friend bool operator==(const ClusterShard &, const ClusterShard &) = default;
};

/// The slots of all nodes, as one node of the cluster sees them.
struct ClusterTopology
{
    QList<ClusterShard> shards; ///< including those without slots, if the server reports them
    /// True if all known nodes are included: no subscriber can be at another. False if unknown.
    bool isWhole = false;
    qint64 epoch = -1; ///< grows with every failover and move of slots; -1: unknown

    /// Reads the replies to CLUSTER SHARDS or CLUSTER SLOTS, and CLUSTER INFO, which may be an error.
    /// ErrorKind::UnexpectedReply for anything else, ErrorKind::ClusterDown if no slot has a node.
    static Result<ClusterTopology> parse(const Reply &nodes, const Reply &info);
    /// Adds nodes that only another reply of the same moment names, which makes this whole.
    void addNodes(const ClusterTopology &whole);
};

} // namespace lockscope

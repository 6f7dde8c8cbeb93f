// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/topology.h"

#include "core/redis/info.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxShardNodes = 4096; // a cluster is told to have a thousand at most
constexpr qsizetype longestId = 64;

tl::unexpected<Error> unexpected(const char *why)
{
    return failedWith(ErrorKind::UnexpectedReply, why);
}

bool addSlots(SlotSet &slotSet, const Reply &first, const Reply &last)
{
    if (!first.isInteger() || !last.isInteger() || first.integer < 0 || last.integer >= slotCount ||
        first.integer > last.integer)
        return false;
    for (qint64 slot = first.integer; slot <= last.integer; ++slot)
        slotSet.set(static_cast<size_t>(slot));
    return true;
}

/// Reads [host, port, id, …]; a nil host is the replying server's.
std::optional<ClusterNode> nodeOfSlots(const Reply &node)
{
    const auto &parts = node.elements;
    if (parts.size() < 3 || !parts[1].isInteger() || parts[2].text.isEmpty() ||
        parts[2].text.size() > longestId)
        return std::nullopt;
    const auto address = NodeAddress::from(parts[0].isNil() ? QByteArray() : parts[0].text, parts[1].integer);
    return address ? std::optional(ClusterNode{parts[2].text, *address}) : std::nullopt;
}

ClusterShard &shardOf(QList<ClusterShard> &shards, const ClusterNode &primary)
{
    const auto found = std::ranges::find_if(
        std::as_const(shards), [&](const ClusterShard &shard) { return shard.primary.id == primary.id; });
    if (found != shards.cend())
        return shards[found - shards.cbegin()];
    shards.append(ClusterShard{primary, {}, {}});
    return shards.last();
}

/// Reads [first, last, primary, replica, …] for each range.
bool takeSlots(QList<ClusterShard> &shards, const Reply &ranges)
{
    for (const Reply &range : ranges.elements) {
        if (range.elements.size() < 3)
            return false;
        const std::optional<ClusterNode> primary = nodeOfSlots(range.elements[2]);
        if (!primary || shards.size() >= maxShardNodes)
            return false;
        ClusterShard &shard = shardOf(shards, *primary);
        if (!addSlots(shard.slotSet, range.elements[0], range.elements[1]))
            return false;
        for (size_t i = 3; i < range.elements.size() && shard.replicas.size() < maxShardNodes; ++i) {
            const std::optional<ClusterNode> replica = nodeOfSlots(range.elements[i]);
            if (replica && !shard.hasNode(replica->id))
                shard.replicas.append(*replica);
        }
    }
    return true;
}

/// Reads a map; the server lists the port for the protocol in use, TLS or not.
std::optional<ClusterNode> nodeOfShards(const Reply &node)
{
    const Reply *id = valueOf(node, "id");
    const Reply *endpoint = valueOf(node, "endpoint");
    const Reply *ip = valueOf(node, "ip");
    const Reply *port = valueOf(node, "port");
    const Reply *tlsPort = valueOf(node, "tls-port");
    const Reply *health = valueOf(node, "health");
    const Reply *usable = port ? port : tlsPort;
    if (!id || id->text.isEmpty() || id->text.size() > longestId || !usable || !usable->isInteger())
        return std::nullopt;
    auto address =
        NodeAddress::from(endpoint && endpoint->isText() ? endpoint->text : QByteArray(), usable->integer);
    if (address && address->host.isEmpty() && ip && ip->isText() && !(endpoint && endpoint->isNil()))
        address = NodeAddress::from(ip->text, usable->integer);
    if (!address)
        return std::nullopt;
    return ClusterNode{id->text, *address, health && health->text == "fail"};
}

bool isPrimary(const Reply &node)
{
    const Reply *role = valueOf(node, "role");
    return role && (role->text == "master" || role->text == "primary");
}

/// Reads [{slots: [first, last, …], nodes: [{…}]}]. During a failover a shard may list two primaries: the one
/// that has not failed counts.
bool takeShards(QList<ClusterShard> &shards, const Reply &all)
{
    for (const Reply &each : all.elements) {
        const Reply *ranges = valueOf(each, "slots");
        const Reply *nodes = valueOf(each, "nodes");
        if (!ranges || !nodes || shards.size() >= maxShardNodes)
            return false;
        ClusterShard shard;
        for (size_t i = 0; i + 1 < ranges->elements.size(); i += 2) {
            if (!addSlots(shard.slotSet, ranges->elements[i], ranges->elements[i + 1]))
                return false;
        }
        for (const Reply &reply : nodes->elements) {
            const std::optional<ClusterNode> node = nodeOfShards(reply);
            if (!node || shard.replicas.size() >= maxShardNodes)
                continue;
            if (!isPrimary(reply) || (!shard.primary.id.isEmpty() && node->isFailed)) {
                shard.replicas.append(*node);
                continue;
            }
            if (!shard.primary.id.isEmpty())
                shard.replicas.append(shard.primary);
            shard.primary = *node;
        }
        if (!shard.primary.id.isEmpty())
            shards.append(shard);
    }
    return true;
}

} // namespace

bool ClusterShard::hasNode(const QByteArray &id) const
{
    return primary.id == id ||
           std::ranges::any_of(replicas, [&](const ClusterNode &node) { return node.id == id; });
}

void ClusterTopology::addNodes(const ClusterTopology &whole)
{
    const auto isKnown = [this](const ClusterNode &node) {
        return std::ranges::any_of(shards, [&](const ClusterShard &shard) { return shard.hasNode(node.id); });
    };
    for (const ClusterShard &other : whole.shards) {
        for (const ClusterNode &node : QList<ClusterNode>{other.primary} + other.replicas) {
            if (!isKnown(node))
                shards.append(ClusterShard{node, {}, {}});
        }
    }
    isWhole = whole.isWhole;
}

Result<ClusterTopology> ClusterTopology::parse(const Reply &nodes, const Reply &info)
{
    if (nodes.isError())
        return tl::unexpected(serverError(nodes.text));
    ClusterTopology topology;
    const bool areShards =
        nodes.isArray() && !nodes.elements.empty() && valueOf(nodes.elements.front(), "nodes") != nullptr;
    if (!nodes.isArray() ||
        !(areShards ? takeShards(topology.shards, nodes) : takeSlots(topology.shards, nodes)))
        return failedWith(ErrorKind::UnexpectedReply, QT_TRANSLATE_NOOP("phrases", "unexpected reply to %1"),
                          QByteArray("CLUSTER"));
    SlotSet seen;
    qint64 known = 0;
    for (const ClusterShard &shard : std::as_const(topology.shards)) {
        if ((seen & shard.slotSet).any())
            return unexpected(QT_TRANSLATE_NOOP("phrases", "two nodes have the same slot"));
        seen |= shard.slotSet;
        known += 1 + shard.replicas.size();
    }
    if (seen.none())
        return failedWith(ErrorKind::ClusterDown, QT_TRANSLATE_NOOP("phrases", "no node has slots"));
    if (!info.isError()) {
        topology.isWhole = infoNumber(info.text, "cluster_known_nodes") == known;
        topology.epoch = infoNumber(info.text, "cluster_current_epoch").value_or(-1);
    }
    return topology;
}

} // namespace lockscope

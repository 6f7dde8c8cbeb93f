// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/topology.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype mostNodes = 4096; // a cluster is told to have a thousand at most
constexpr qsizetype longestHost = 255;
constexpr qsizetype longestId = 64;

Error unexpected(const Phrase &why)
{
    return {ErrorKind::UnexpectedReply, why};
}

bool isHost(const QString &host)
{
    return host.size() <= longestHost && std::ranges::all_of(host, [](QChar c) {
               return c.isLetterOrNumber() || c == u'.' || c == u'-' || c == u'_' || c == u':' || c == u'%';
           });
}

/// What stands for "not known".
QString hostFrom(QByteArrayView text)
{
    const QString host = QString::fromUtf8(text.toByteArray());
    return host == QLatin1String("?") || !isHost(host) ? QString() : host;
}

std::optional<quint16> portFrom(qint64 port)
{
    return port > 0 && port <= 65535 ? std::optional(static_cast<quint16>(port)) : std::nullopt;
}

/// The value behind a name in [name, value, name, value, …], or in a map of RESP3.
const Reply *field(const Reply &map, QByteArrayView name)
{
    for (size_t i = 0; i + 1 < map.elements.size(); i += 2) {
        if (map.elements[i].text == name)
            return &map.elements[i + 1];
    }
    return nullptr;
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

/// [host, port, id, …]: a host that is nil is that of the server which answers.
std::optional<ClusterNode> nodeOfSlots(const Reply &node)
{
    const auto &parts = node.elements;
    if (parts.size() < 3 || !parts[1].isInteger() || parts[2].text.isEmpty() ||
        parts[2].text.size() > longestId)
        return std::nullopt;
    const std::optional<quint16> port = portFrom(parts[1].integer);
    if (!port)
        return std::nullopt;
    return ClusterNode{parts[2].text, {parts[0].isNil() ? QString() : hostFrom(parts[0].text), *port}};
}

ClusterShard &shardOf(QList<ClusterShard> &shards, const ClusterNode &primary)
{
    const auto found = std::ranges::find_if(
        shards, [&](const ClusterShard &shard) { return shard.primary.id == primary.id; });
    if (found != shards.end())
        return *found;
    shards.append(ClusterShard{primary, {}, {}});
    return shards.last();
}

/// [first, last, primary, replica, …] for each range.
bool takeSlots(QList<ClusterShard> &shards, const Reply &ranges)
{
    for (const Reply &range : ranges.elements) {
        if (range.elements.size() < 3)
            return false;
        const std::optional<ClusterNode> primary = nodeOfSlots(range.elements[2]);
        if (!primary || shards.size() >= mostNodes)
            return false;
        ClusterShard &shard = shardOf(shards, *primary);
        if (!addSlots(shard.slotSet, range.elements[0], range.elements[1]))
            return false;
        for (size_t i = 3; i < range.elements.size() && shard.replicas.size() < mostNodes; ++i) {
            const std::optional<ClusterNode> replica = nodeOfSlots(range.elements[i]);
            if (replica && !shard.hasNode(replica->id))
                shard.replicas.append(*replica);
        }
    }
    return true;
}

/// A map of names; by which of its ports depends on whether we speak TLS, and the server lists the one that we use.
std::optional<ClusterNode> nodeOfShards(const Reply &node)
{
    const Reply *id = field(node, "id");
    const Reply *endpoint = field(node, "endpoint");
    const Reply *ip = field(node, "ip");
    const Reply *port = field(node, "port");
    const Reply *tlsPort = field(node, "tls-port");
    const Reply *health = field(node, "health");
    const Reply *usable = port ? port : tlsPort;
    if (!id || id->text.isEmpty() || id->text.size() > longestId || !usable || !usable->isInteger())
        return std::nullopt;
    const std::optional<quint16> number = portFrom(usable->integer);
    if (!number)
        return std::nullopt;
    QString host = endpoint && endpoint->isText() ? hostFrom(endpoint->text) : QString();
    if (host.isEmpty() && ip && ip->isText() && !(endpoint && endpoint->isNil()))
        host = hostFrom(ip->text);
    return ClusterNode{id->text, {host, *number}, health && health->text == "fail"};
}

bool isPrimary(const Reply &node)
{
    const Reply *role = field(node, "role");
    return role && (role->text == "master" || role->text == "primary");
}

/// [{slots: [first, last, …], nodes: [{…}]}]. A shard in the midst of a failover may list two primaries: the one that has
/// not failed is it.
bool takeShards(QList<ClusterShard> &shards, const Reply &all)
{
    for (const Reply &each : all.elements) {
        const Reply *ranges = field(each, "slots");
        const Reply *nodes = field(each, "nodes");
        if (!ranges || !nodes || shards.size() >= mostNodes)
            return false;
        ClusterShard shard;
        for (size_t i = 0; i + 1 < ranges->elements.size(); i += 2) {
            if (!addSlots(shard.slotSet, ranges->elements[i], ranges->elements[i + 1]))
                return false;
        }
        for (const Reply &reply : nodes->elements) {
            const std::optional<ClusterNode> node = nodeOfShards(reply);
            if (!node || shard.replicas.size() >= mostNodes)
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

std::optional<qint64> infoNumber(const QByteArray &info, QByteArrayView name)
{
    for (const QByteArray &line : info.split('\n')) {
        if (!line.startsWith(name) || line.size() <= name.size() || line[name.size()] != ':')
            continue;
        bool isNumber = false;
        const qint64 value = line.sliced(name.size() + 1).trimmed().toLongLong(&isNumber);
        if (isNumber && value >= 0)
            return value;
    }
    return std::nullopt;
}

} // namespace

std::optional<NodeAddress> NodeAddress::parse(QByteArrayView text)
{
    text = text.first(std::min(text.size(), longestHost + 16));
    if (const qsizetype bus = text.indexOf('@'); bus >= 0)
        text = text.first(bus);
    if (const qsizetype comma = text.indexOf(','); comma >= 0)
        text = text.first(comma);
    const qsizetype colon = text.lastIndexOf(':');
    if (colon < 0)
        return std::nullopt;
    bool isNumber = false;
    const std::optional<quint16> port = portFrom(text.sliced(colon + 1).toByteArray().toInt(&isNumber));
    if (!isNumber || !port)
        return std::nullopt;
    QByteArrayView host = text.first(colon);
    if (host.startsWith('[') && host.endsWith(']'))
        host = host.sliced(1, host.size() - 2);
    const QString name = hostFrom(host);
    if (name.isEmpty() && !host.isEmpty() && host != "?")
        return std::nullopt;
    return NodeAddress{name, *port};
}

QString NodeAddress::toDisplayString() const
{
    return (host.contains(u':') ? u'[' + host + u']' : host) + u':' + QString::number(port);
}

ServerAddress reachableAddress(const NodeAddress &node, const ServerAddress &given,
                               const ServerAddress &teller)
{
    const bool isByPath = teller.transport == ServerAddress::Transport::Unix;
    if (node.host.isEmpty() && isByPath) // a cluster of one, which knows no address of its own
        return teller;
    ServerAddress address = given;
    if (given.transport == ServerAddress::Transport::Unix)
        address.transport = ServerAddress::Transport::Tcp;
    address.socketPath.clear();
    address.host = node.host.isEmpty() ? teller.host : node.host;
    address.port = node.port;
    const QHash<QString, QString> &map = given.nodeAddresses;
    const QString announced = NodeAddress{address.host, address.port}.toDisplayString();
    if (const auto exact = map.constFind(announced); exact != map.constEnd()) {
        if (const auto reached = NodeAddress::parse(exact->toUtf8())) {
            address.host = reached->host;
            address.port = reached->port;
        }
    } else if (const auto host = map.constFind(address.host); host != map.constEnd()) {
        address.host = *host;
    }
    return address;
}

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
        nodes.isArray() && !nodes.elements.empty() && field(nodes.elements.front(), "nodes") != nullptr;
    if (!nodes.isArray() ||
        !(areShards ? takeShards(topology.shards, nodes) : takeSlots(topology.shards, nodes)))
        return tl::unexpected(
            unexpected(Phrase(QT_TRANSLATE_NOOP("phrases", "the nodes of the cluster can't be understood"))));
    SlotSet seen;
    qint64 known = 0;
    for (const ClusterShard &shard : std::as_const(topology.shards)) {
        if ((seen & shard.slotSet).any())
            return tl::unexpected(unexpected(
                Phrase(QT_TRANSLATE_NOOP("phrases", "two nodes of the cluster are said to have one slot"))));
        seen |= shard.slotSet;
        known += 1 + shard.replicas.size();
    }
    if (seen.none())
        return tl::unexpected(Error(ErrorKind::ClusterDown,
                                    Phrase(QT_TRANSLATE_NOOP("phrases", "no slot belongs to any node"))));
    if (!info.isError()) {
        topology.isWhole = infoNumber(info.text, "cluster_known_nodes") == known;
        topology.epoch = infoNumber(info.text, "cluster_current_epoch").value_or(-1);
    }
    return topology;
}

} // namespace lockscope

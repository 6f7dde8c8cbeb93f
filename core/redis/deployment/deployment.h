// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/sentinelwatch.h"
#include "core/redis/deployment/shard.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QHash>
#include <QTimer>

#include <array>
#include <optional>

namespace lockscope {

/// The servers of one address: a single one, the one that Sentinels name, the nodes of a cluster, which it
/// detects, or the independent primaries of a Redlock group. Follows failovers and topology changes. Lives on
/// one thread with an event loop.
class Deployment : public QObject
{
    Q_OBJECT

public:
    Deployment(const ServerAddress &address, Connection::Options options, QObject *parent = nullptr);
    ~Deployment() override;

    void open();
    void close();
    void retryNow();

    const ServerAddress &address() const { return m_address; }
    bool isCluster() const { return m_isCluster; }
    bool isBySentinels() const { return m_sentinels != nullptr; }
    /// True for a Redlock group: every shard has every key.
    bool isGroup() const { return m_address.isGroup(); }
    bool isOpen() const { return m_isOpen; }
    /// Absent without Sentinels.
    std::optional<SentinelStatus> sentinels() const;
    /// At least one; in a cluster those with slots, in a Redlock group the members in the given order.
    const QList<Shard *> &shards() const { return m_shards; }
    /// nullptr: no node has the slot, or, in a Redlock group, all have the key.
    Shard *shardOf(QByteArrayView key) const;
    /// In a cluster; nullptr: none.
    Shard *keeperOf(size_t slot) const { return m_bySlot[slot]; }
    const ClusterTopology &topology() const { return m_topology; }
    /// In a cluster: number of slots without a node, whose keys cannot be read.
    int slotsWithoutNode() const;
    /// Addresses of all known nodes, including replicas; the server itself without a cluster.
    QList<ServerAddress> nodeAddresses() const;
    /// The link to all servers: commands go to the node with their key, in a Redlock group to any. Ready once
    /// every node has answered or failed, and one has answered.
    Link &link();

signals:
    /// Shards were added, removed, or got other slots; removed ones exist until the call returns.
    void shardsChanged();
    /// A node is ready, lost, or waiting for a retry.
    void nodesChanged();

private:
    friend class Shard;
    friend class RoutedBatch;
    class AnyLink;

    void loggedIn(Shard &shard);
    void shardLost(Shard &shard);
    void shardChanged();
    Link &linkFor(QByteArrayView key);
    Shard *anyReady() const;

    void refresh();
    void takeDecision(const SentinelView &view, const ServerAddress &teller);
    void takeIndecision(const Error &why);
    void checkRole();
    void watchReplication();
    void pollReplication();
    void takeReplication(const QByteArray &info);

    void takeMember(Shard &shard);
    std::optional<Error> whyNoMember(const Shard &shard) const;
    void refuseMember(Shard &shard, const Error &why);
    void pollMembers();

    void requestTopology(Shard *preferred = nullptr);
    void takeTopology(Connection *asked, const Result<std::vector<Reply>> &replies);
    void apply(ClusterTopology topology, const ServerAddress &teller);
    void keepOtherNodes(const ServerAddress &teller);
    void confirmShards();
    void scheduleRefresh();
    void scout();
    ServerAddress addressOf(const NodeAddress &node, const ServerAddress &teller) const;
    /// nullptr: too many unknown nodes. A server that names ever new ones is not followed forever.
    Connection *connectionTo(const NodeAddress &node, const ServerAddress &teller);
    Connection &openOther(const QByteArray &id, const ServerAddress &address);
    /// Nodes without slots, and replicas: clients may be subscribed there.
    QList<Connection *> otherNodes();

    const ServerAddress m_address;
    const Connection::Options m_options;
    bool m_isCluster = false;
    ClusterTopology m_topology;
    SlotSet m_covered;                            ///< slots of its nodes
    QList<Shard *> m_shards;                      ///< children
    QHash<QByteArray, Connection *> m_otherNodes; ///< by ID, or address; children, opened when first needed
    QHash<QByteArray, ServerAddress> m_otherAddresses;
    std::array<Shard *, slotCount> m_bySlot{};
    AnyLink *m_link;
    SentinelWatch *m_sentinels = nullptr; ///< a child; absent: no Sentinels
    SentinelStatus m_toldSentinels;
    QDeadlineTimer m_memberRetry; ///< retry time of refused servers
    QTimer m_replication;         ///< a server's role changes without a message
    bool m_isOpen = false;
    Connection *m_scout = nullptr; ///< asks further nodes if none of the known ones answers
    qsizetype m_scouted = 0;
    QTimer m_refresh;
    QDeadlineTimer m_askedUntil;   ///< timeout for a reply about the topology
    bool m_asksShards = true;      ///< CLUSTER SHARDS was not refused yet
    QElapsedTimer m_troubledSince; ///< invalid while every node is ready
    qsizetype m_nextAsked = 0;
    std::optional<QDeadlineTimer> m_epochHolds; ///< until then older views are rejected
};

} // namespace lockscope

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

/// The servers behind one address: one that stands alone, the one that Sentinels name, the nodes of a cluster, which is
/// noticed by itself, or the independent primaries of a Redlock group. Follows failovers and the topology as they happen.
/// Lives on one thread with an event loop.
class Deployment : public QObject
{
    Q_OBJECT

public:
    Deployment(const ServerAddress &address, Connection::Options options, QObject *parent = nullptr);
    ~Deployment() override;

    void open();
    void close();
    void retryNow();

    /// What was given: where the first node is asked.
    const ServerAddress &address() const { return m_address; }
    bool isCluster() const { return m_isCluster; }
    bool isBySentinels() const { return m_sentinels != nullptr; }
    /// Every shard has every key.
    bool isGroup() const { return m_address.isGroup(); }
    /// Wanted: open() was called, and not close().
    bool isOpen() const { return m_isOpen; }
    /// Of no Sentinels: absent.
    std::optional<SentinelStatus> sentinels() const;
    /// At least one; in a cluster those that keep slots, in a Redlock group its members in the order in which they were given.
    const QList<Shard *> &shards() const { return m_shards; }
    /// nullptr: nobody has the slot, or, in a Redlock group, everybody has the key.
    Shard *shardOf(QByteArrayView key) const;
    /// Of a cluster; nullptr: nobody.
    Shard *keeperOf(size_t slot) const { return m_bySlot[slot]; }
    const ClusterTopology &topology() const { return m_topology; }
    /// Of a cluster, as the topology says: their keys can't be read.
    int slotsWithoutNode() const;
    /// Where every node is reached that is known, replicas included; the server itself where there is no cluster.
    QList<ServerAddress> nodeAddresses() const;
    /// To all of them: each command goes to where its key is, in a Redlock group to any. Ready when every node has answered or
    /// failed, and one has answered.
    Link &link();

signals:
    /// Shards came, or keep other slots than before: those that leave are there until the call returns.
    void shardsChanged();
    /// A node is ready, lost, or waits for its next try.
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
    /// nullptr: a server that names ever new nodes is not followed for ever.
    Connection *connectionTo(const NodeAddress &node, const ServerAddress &teller);
    Connection &openOther(const QByteArray &id, const ServerAddress &address);
    /// Those that keep no slots, and replicas: somebody may be subscribed there.
    QList<Connection *> otherNodes();

    const ServerAddress m_address;
    const Connection::Options m_options;
    bool m_isCluster = false;
    ClusterTopology m_topology;
    SlotSet m_covered;       ///< slots that its nodes keep
    QList<Shard *> m_shards; ///< children
    QHash<QByteArray, Connection *>
        m_otherNodes; ///< by id, or address; children, opened when first asked for
    QHash<QByteArray, ServerAddress> m_otherAddresses;
    std::array<Shard *, slotCount> m_bySlot{};
    AnyLink *m_link;
    SentinelWatch *m_sentinels = nullptr; ///< a child; absent: nobody names the server
    SentinelStatus m_toldSentinels;
    QDeadlineTimer m_memberRetry; ///< then servers that were refused are asked again
    QTimer m_replication;         ///< a server's part in it changes without a word
    bool m_isOpen = false;
    Connection *m_scout = nullptr; ///< asks any node that may be there when none of the known answers
    qsizetype m_scouted = 0;
    QTimer m_refresh;
    QDeadlineTimer m_askedUntil;   ///< so long an answer about the topology is awaited
    bool m_asksShards = true;      ///< CLUSTER SHARDS was not refused yet
    QElapsedTimer m_troubledSince; ///< invalid while every node is ready
    qsizetype m_nextAsked = 0;
    std::optional<QDeadlineTimer> m_epochHolds; ///< so long an older view is not believed
};

} // namespace lockscope

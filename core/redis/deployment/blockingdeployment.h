// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "core/redis/deployment/topology.h"

#include <array>
#include <map>
#include <memory>

namespace lockscope {

/// A blocking connection to one server, to the one that Sentinels name, or to the nodes of a cluster, which
/// it detects: commands go to the node with their key, and follow redirections. Messages come from any node:
/// a cluster's reach all.
class BlockingDeployment : public BlockingConnection
{
public:
    BlockingDeployment(const ServerAddress &address, const Options &options, std::stop_token stop = {});

    /// Opens by another cluster node if the given one is gone; with Sentinels, at the server they name now.
    Result<void> open() override;
    void close() override;

    using BlockingConnection::send;
    Result<std::vector<Reply>> send(const CommandBatch &batch) override;
    qint64 commands() const override;
    void dropNextReply() override;

private:
    /// Indexes of some commands in a batch.
    using Places = std::vector<int>;

    Result<void> openNamed();
    Result<void> learn();
    BlockingConnection *nodeAt(const ServerAddress &address);
    ServerAddress addressOf(const NodeAddress &node) const;
    ServerAddress keeperOf(QByteArrayView command) const;
    Result<void> sendTo(const ServerAddress &node, const CommandBatch &batch, const Places &places,
                        std::vector<std::optional<Reply>> &replies);
    Result<void> follow(const CommandBatch &batch, int place, std::optional<Reply> &reply);
    bool waitABit(TimePoint deadline) const;

    const ServerAddress m_given;
    const Options m_nodeOptions;
    const std::stop_token m_stopping;
    bool m_isCluster = false;
    QList<ServerAddress> m_nodes;              ///< with slots
    std::array<qint16, slotCount> m_keepers{}; ///< by slot: index in m_nodes, or -1
    std::map<QString, std::unique_ptr<BlockingConnection>> m_others;
    qint64 m_commandsOfOthers = 0; ///< sent by closed connections
    bool m_losesNext = false;
};

} // namespace lockscope

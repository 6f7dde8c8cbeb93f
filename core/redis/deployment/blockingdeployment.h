// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "core/redis/deployment/topology.h"

#include <array>
#include <map>
#include <memory>

namespace lockscope {

/// A blocking connection to one server, to the one that Sentinels name, or to the nodes of a cluster, as the server says that it is: each command goes to
/// the node that keeps its key, and is sent on where a node has not run it for that. Messages come from whichever node it
/// is connected to: a cluster's reach every one.
class BlockingDeployment : public BlockingConnection
{
public:
    BlockingDeployment(const ServerAddress &address, const Options &options, std::stop_token stop = {});

    /// By another node of the cluster where the given one is gone; where there are Sentinels, to the one that they name now.
    Result<void> open() override;
    void close() override;

    using BlockingConnection::send;
    Result<std::vector<Reply>> send(const CommandBatch &batch) override;
    qint64 commands() const override;
    void dropNextReply() override;

private:
    /// Of some commands of a batch, by their place in it.
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
    QList<ServerAddress> m_nodes;              ///< that keep slots
    std::array<qint16, slotCount> m_keepers{}; ///< by slot: in m_nodes, or -1
    std::map<QString, std::unique_ptr<BlockingConnection>> m_others;
    qint64 m_commandsOfOthers = 0; ///< that are closed
    bool m_losesNext = false;
};

} // namespace lockscope

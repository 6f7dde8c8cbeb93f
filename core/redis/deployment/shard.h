// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/connection.h"
#include "core/redis/deployment/topology.h"

#include <QElapsedTimer>

namespace lockscope {

class Deployment;

/// A server that stands alone, the one that its Sentinels name, or a primary of a cluster: whichever node that is at the moment. Keys that another node has
/// are asked for there, and redirections are followed. Made and kept by a Deployment, which says when it is the right node.
class Shard : public Link
{
    Q_OBJECT

public:
    Shard(Deployment &deployment, const ServerAddress &address, const Connection::Options &options);
    ~Shard() override;

    void open() override;
    void close() override;
    void distrust(const Phrase &why) override;
    void retryNow() override;

    /// Ready where it is also the right node.
    State state() const override;
    bool isReadOnly() const override;
    const ServerAddress &address() const override;
    const ServerInfo &server() const override;
    const Error &lastError() const override;
    Link &forKey(QByteArrayView key) override;

    using Link::send;
    QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch) override;

    /// Of a cluster: who it is, as the topology says. Empty for a server that stands alone.
    const ClusterShard &nodes() const { return m_nodes; }
    QString nodeName() const; ///< empty while its Sentinels have not named it
    /// It has been ready, or failed, since it is part of the deployment.
    bool isDecided() const { return m_isDecided; }
    std::optional<std::chrono::milliseconds> nextTry() const { return m_nextTry; }

private:
    friend class Deployment;
    friend class RoutedBatch;

    QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch, std::chrono::milliseconds patience);
    void confirm();
    void refuse(const Error &why);
    /// By its Sentinels: this server, at this moment.
    void takeName(const ServerAddress &address);
    /// They name none that could be used.
    void loseName(const Error &why, std::chrono::milliseconds retryIn);
    void takeReplication(const QByteArray &info);
    void setNodes(const ClusterShard &nodes, const ServerAddress &address);
    Error explained(const Error &why);
    void lost(const Error &cause, std::chrono::milliseconds retryIn);

    Deployment &m_deployment;
    Connection m_connection;
    ClusterShard m_nodes;
    ServerInfo m_server;
    std::optional<Error> m_refusal;
    std::optional<Error>
        m_notReached; ///< it was never ready: what it announces may be reachable from elsewhere alone
    std::optional<Error> m_notNamed;
    std::optional<std::chrono::milliseconds> m_nextTry;
    QElapsedTimer m_wrongRoleSince; ///< invalid: it has the right one, or was not asked
    bool m_isNamed = false;
    bool m_isConfirmed = false;
    bool m_wasConfirmed = false;
    bool m_isDecided = false;
    bool m_isMoving = false;
};

} // namespace lockscope

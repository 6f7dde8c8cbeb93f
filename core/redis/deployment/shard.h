// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/connection.h"
#include "core/redis/deployment/topology.h"

#include <QElapsedTimer>

namespace lockscope {

class Deployment;

/// A single server, the one that Sentinels name, or a primary of a cluster, whichever node that is now.
/// Follows redirections for keys of other nodes. Owned by a Deployment, which decides which node it is.
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

    /// Ready only if it is also the right node.
    State state() const override;
    bool isReadOnly() const override;
    const ServerAddress &address() const override;
    const ServerInfo &server() const override;
    const Error &lastError() const override;
    Link &forKey(QByteArrayView key) override;

    using Link::send;
    QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch) override;

    /// Its nodes in a cluster; empty for a single server.
    const ClusterShard &nodes() const { return m_nodes; }
    QString nodeName() const; ///< empty before its Sentinels have named it
    /// True once it was ready or has failed since it joined the deployment.
    bool isDecided() const { return m_isDecided; }
    std::optional<std::chrono::milliseconds> nextTry() const { return m_nextTry; }

private:
    friend class Deployment;
    friend class RoutedBatch;

    QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch, std::chrono::milliseconds patience);
    void confirm();
    void refuse(const Error &why);
    void takeName(const ServerAddress &address);
    /// Its Sentinels name no usable server.
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
        m_notReached; ///< it was never ready: its announced address may be reachable only from elsewhere
    std::optional<Error> m_notNamed;
    std::optional<std::chrono::milliseconds> m_nextTry;
    QElapsedTimer m_wrongRoleSince; ///< invalid: the role is right, or unknown
    bool m_isNamed = false;
    bool m_isConfirmed = false;
    bool m_wasConfirmed = false;
    bool m_isDecided = false;
    bool m_isMoving = false;
};

} // namespace lockscope

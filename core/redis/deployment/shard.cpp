// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/deployment/shard.h"

#include "core/redis/deployment/deployment.h"
#include "core/redis/deployment/routedbatch.h"
#include "core/redis/readyfuture.h"

#include <utility>

namespace lockscope {

Shard::Shard(Deployment &deployment, const ServerAddress &address, const Connection::Options &options)
    : Link(&deployment), m_deployment(deployment), m_connection(address, options)
{
    m_connection.setParent(this); // so that it moves to another thread with us
    connect(&m_connection, &Connection::ready, this, [this] {
        m_isConfirmed = false; // whoever opens it anew at once hears of no loss
        m_nextTry.reset();
        m_server = m_connection.server();
        m_deployment.loggedIn(*this);
    });
    connect(&m_connection, &Connection::connectionLost, this, &Shard::lost);
    connect(&m_connection, &Connection::connectionRefused, this, [this](const Error &why) {
        const Error error = explained(why);
        m_isConfirmed = false;
        m_isDecided = true;
        m_nextTry.reset();
        emit connectionRefused(error);
        m_deployment.shardChanged();
    });
    connect(&m_connection, &Connection::closed, this, [this] {
        m_isConfirmed = false;
        emit closed();
    });
}

Shard::~Shard()
{
    m_connection.disconnect(this);
}

void Shard::open()
{
    m_refusal.reset();
    m_notNamed.reset();
    if (!m_deployment.isBySentinels() || m_isNamed)
        m_connection.open();
}

void Shard::close()
{
    m_isNamed = false;
    m_connection.close();
}

void Shard::distrust(const Phrase &why)
{
    m_connection.distrust(why);
}

void Shard::retryNow()
{
    m_connection.retryNow();
}

Link::State Shard::state() const
{
    if (m_refusal)
        return State::Refused;
    const State state = m_connection.state();
    if (m_deployment.isBySentinels() && m_deployment.isOpen() && !m_isConfirmed && state != State::Refused) {
        if (m_notNamed)
            return State::Backoff;
        if (!m_isNamed)
            return State::Connecting;
    }
    return state == State::Ready && !m_isConfirmed ? State::Connecting : state;
}

bool Shard::isReadOnly() const
{
    return m_connection.isReadOnly();
}

const ServerAddress &Shard::address() const
{
    return m_connection.address();
}

const ServerInfo &Shard::server() const
{
    return m_server;
}

const Error &Shard::lastError() const
{
    if (m_refusal)
        return *m_refusal;
    if (m_notNamed)
        return *m_notNamed;
    return m_notReached ? *m_notReached : m_connection.lastError();
}

Link &Shard::forKey(QByteArrayView key)
{
    return m_deployment.isGroup() ? *this : m_deployment.linkFor(key);
}

namespace {

// So long other nodes may keep whoever reads this one waiting: one that hangs may not make the rest of the picture old.
constexpr std::chrono::milliseconds patienceWithOthers{1000};

} // namespace

QFuture<Result<std::vector<Reply>>> Shard::send(const CommandBatch &batch)
{
    return send(batch, patienceWithOthers);
}

QFuture<Result<std::vector<Reply>>> Shard::send(const CommandBatch &batch, std::chrono::milliseconds patience)
{
    using Answer = Result<std::vector<Reply>>;
    // Also where it would take them: it keeps nothing of what its primary does not have.
    if (m_server.isReplica() && !m_deployment.isCluster() && !batch.isReadOnly() && !isReadOnly())
        return readyFuture(Answer(tl::unexpected(Error(ErrorKind::ReadOnlyReplica))));
    const bool mayBeAnother = m_deployment.isBySentinels() && state() != State::Ready;
    if (!m_deployment.isCluster() && !mayBeAnother)
        return m_connection.send(batch);
    if (isReadOnly() && !batch.isReadOnly()) // before a part of it is sent
        return readyFuture(
            Answer(failedWith(ErrorKind::ReadOnlyMode, QT_TRANSLATE_NOOP("phrases", "read-only mode"))));
    if (state() != State::Ready)
        return readyFuture(Answer(tl::unexpected(Error(ErrorKind::NotConnected, lastError()))));
    return RoutedBatch::send(m_deployment, *this, batch, patience);
}

QString Shard::nodeName() const
{
    const ServerAddress &address = m_connection.address();
    return address.isBySentinels() ? QString() : address.toDisplayString();
}

void Shard::confirm()
{
    if (m_isConfirmed)
        return;
    m_isConfirmed = m_isDecided = m_wasConfirmed = true;
    m_notReached.reset();
    m_notNamed.reset();
    m_wrongRoleSince.invalidate();
    m_server.countsAllNodes = m_deployment.isCluster();
    emit ready();
}

/// Only the user can fix this.
void Shard::refuse(const Error &why)
{
    m_connection.close();
    m_refusal = why;
    m_isDecided = true;
    emit connectionRefused(why);
}

void Shard::takeName(const ServerAddress &address)
{
    const bool isOther = address != m_connection.address();
    m_isNamed = true;
    if (m_notNamed && !isOther && m_connection.state() == State::Backoff)
        m_connection.retryNow();
    m_notNamed.reset();
    if (isOther)
        m_notReached.reset();
    m_isMoving = true;
    m_connection.moveTo(address);
    m_isMoving = false;
    if (m_connection.state() == State::Closed || (isOther && m_connection.state() == State::Refused))
        m_connection.open();
}

void Shard::loseName(const Error &why, std::chrono::milliseconds retryIn)
{
    if (m_isConfirmed || m_notNamed == why)
        return; // as long as the server is there, it is the last one that was named
    m_notNamed = why;
    m_isDecided = true;
    m_nextTry = retryIn;
    emit connectionLost(why, retryIn);
    m_deployment.shardLost(*this);
}

void Shard::takeReplication(const QByteArray &info)
{
    const ServerInfo now = serverInfoFrom({}, info);
    m_server.role = now.role;
    m_server.replicas = now.replicas;
    m_server.replicaOf = now.replicaOf;
}

void Shard::setNodes(const ClusterShard &nodes, const ServerAddress &address)
{
    m_nodes = nodes;
    m_isDecided = m_isDecided && address == m_connection.address();
    m_isMoving = true;
    m_connection.moveTo(address);
    m_isMoving = false;
}

Error Shard::explained(const Error &why)
{
    const bool isAddress = why.kind == ErrorKind::HostNotFound || why.kind == ErrorKind::ConnectionRefused ||
                           why.kind == ErrorKind::ConnectTimeout || why.kind == ErrorKind::NetworkFailed;
    if (isAddress && m_deployment.isBySentinels() && why.kind != ErrorKind::NetworkFailed) {
        m_notReached = Error(ErrorKind::PrimaryNotReached, Phrase("%1: %2", nodeName(), why.because()));
        return *m_notReached;
    }
    const bool isNoServer = why.kind == ErrorKind::ProtocolError; // something else answers there
    if (m_wasConfirmed || !m_deployment.isCluster() || !(isAddress || isNoServer))
        return why;
    m_notReached = Error(ErrorKind::NodeNotReached,
                         isNoServer ? Phrase("%1: %2", nodeName(), why.because())
                                    : Phrase(QT_TRANSLATE_NOOP("phrases", "its address: %1"), nodeName()));
    return *m_notReached;
}

void Shard::lost(const Error &cause, std::chrono::milliseconds retryIn)
{
    // Nothing is lost where it was the wrong node from the beginning.
    if (!std::exchange(m_isConfirmed, false) && m_isMoving)
        return;
    const Error why = explained(cause);
    m_isDecided = m_isDecided || !m_isMoving;
    m_nextTry = retryIn;
    emit connectionLost(why, retryIn);
    m_deployment.shardLost(*this);
}

} // namespace lockscope

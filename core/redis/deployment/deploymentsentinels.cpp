// SPDX-License-Identifier: GPL-3.0-or-later
// Who the server is, where it is no cluster: by its Sentinels, and by what it says of its part in replication.
#include "core/redis/deployment/deployment.h"

#include "core/redis/deployment/reachableaddress.h"
#include "core/redis/info.h"
#include "core/redis/whendone.h"

#include <functional>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr auto rolePatience = 3s; // a promotion is over by then
constexpr auto nextAnswer = 2s;   // of the Sentinels, where there was none

/// The available replica with the most data; keeps the present one while available.
std::optional<NodeAddress> chosenReplica(const SentinelView &view, const ServerAddress &used,
                                         const std::function<ServerAddress(const NodeAddress &)> &addressOf)
{
    const SentinelView::Replica *best = nullptr;
    for (const SentinelView::Replica &replica : view.replicas) {
        if (!replica.isUsable)
            continue;
        if (addressOf(replica.address) == used)
            return replica.address;
        if (!best || replica.offset > best->offset)
            best = &replica;
    }
    return best ? std::optional(best->address) : std::nullopt;
}

} // namespace

void Deployment::takeDecision(const SentinelView &view, const ServerAddress &teller)
{
    Shard &shard = *m_shards.first();
    const auto addressOf = [&](const NodeAddress &node) { return reachableAddress(node, m_address, teller); };
    const std::optional<NodeAddress> named =
        m_address.readsReplica ? chosenReplica(view, shard.address(), addressOf) : view.primary;
    if (!named)
        return takeIndecision(Error(ErrorKind::NoUsableReplica));
    shard.takeName(addressOf(*named));
    checkRole();
    scheduleRefresh();
    if (std::exchange(m_toldSentinels, m_sentinels->status()) != m_sentinels->status())
        emit nodesChanged();
}

void Deployment::takeIndecision(const Error &why)
{
    Shard &shard = *m_shards.first();
    // Of one that has been named before others will tell again.
    const bool isHopeless = requiresUserAction(why.kind) && !shard.m_wasConfirmed;
    if (shard.state() != Link::State::Ready && (isHopeless || !m_options.reconnect)) {
        m_sentinels->close();
        shard.refuse(why);
        return shardChanged();
    }
    shard.loseName(why, nextAnswer);
    scheduleRefresh();
    if (std::exchange(m_toldSentinels, m_sentinels->status()) != m_sentinels->status())
        emit nodesChanged();
}

/// Accepts the server named by its Sentinels if it confirms its role.
void Deployment::checkRole()
{
    Shard *shard = m_shards.first();
    if (shard->m_connection.state() != Link::State::Ready || shard->m_isConfirmed)
        return;
    const bool isKnown = !shard->m_server.role.isEmpty();
    if (isKnown && shard->m_server.isReplica() == m_address.readsReplica) {
        shard->confirm();
        watchReplication();
        return shardChanged();
    }
    if (!shard->m_wrongRoleSince.isValid())
        shard->m_wrongRoleSince.start();
    if (shard->m_wrongRoleSince.hasExpired(milliseconds(rolePatience).count())) {
        shard->m_wrongRoleSince.invalidate();
        return shard->m_connection.fail(
            {ErrorKind::PrimaryNotReached,
             m_address.readsReplica
                 ? Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is not a replica"), shard->nodeName())
                 : Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is a replica"), shard->nodeName())});
    }
    // It may have been promoted since it was asked at login.
    const auto takeRole = [this, shard](QByteArrayView role) {
        if (shard->m_isConfirmed)
            return;
        // One that may not be asked is what its Sentinels say.
        const QByteArray named = m_address.readsReplica ? "slave" : "master";
        shard->m_server.role = role.isEmpty() ? named : role.toByteArray();
        scheduleRefresh();
    };
    whenDone(shard, shard->m_connection.send({"INFO", "replication"}),
             [shard, takeRole](const Result<Reply> &info) {
                 if (info && !infoField(info->text, "role").isEmpty()) {
                     shard->takeReplication(info->text);
                     return takeRole(shard->m_server.role);
                 }
                 whenDone(shard, shard->m_connection.send({"ROLE"}), [takeRole](const Result<Reply> &role) {
                     takeRole(role && !role->elements.empty() ? role->elements[0].text : QByteArray());
                 });
             });
}

/// Not used if INFO is forbidden at login.
void Deployment::watchReplication()
{
    if (!m_shards.first()->m_connection.server().role.isEmpty())
        m_replication.start();
}

/// For a server outside a cluster, whose topology has the roles.
void Deployment::pollReplication()
{
    Shard *shard = m_shards.first();
    if (m_isCluster || shard->state() != Link::State::Ready)
        return m_replication.stop();
    whenDone(this, shard->m_connection.send({"INFO", "replication"}), [this](const Result<Reply> &info) {
        if (info && m_shards.first()->state() == Link::State::Ready)
            takeReplication(info->text);
        else if (!info && requiresUserAction(info.error().kind))
            m_replication.stop();
    });
}

void Deployment::takeReplication(const QByteArray &info)
{
    Shard &shard = *m_shards.first();
    const ServerInfo before = shard.m_server;
    shard.takeReplication(info);
    if (m_sentinels && shard.m_server.isReplica() != m_address.readsReplica)
        return shard.distrust(Phrase(QT_TRANSLATE_NOOP("phrases", "its replication role has changed")));
    if (shard.m_server.role != before.role || shard.m_server.replicaOf != before.replicaOf)
        emit nodesChanged();
}

} // namespace lockscope

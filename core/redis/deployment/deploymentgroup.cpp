// SPDX-License-Identifier: GPL-3.0-or-later
// Of a deployment: the members of a Redlock group. Its safety rests on their independence, which is checked as far as they tell.
#include "core/redis/deployment/deployment.h"
#include "core/redis/whendone.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto memberRetryInterval = 30s;

} // namespace

/// Why it cannot be a member; absent: no objection.
std::optional<Error> Deployment::whyNoMember(const Shard &shard) const
{
    const ServerInfo &server = shard.server();
    if (server.isReplica())
        return Error(ErrorKind::NotOfGroup,
                     Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is a replica"), shard.nodeName()));
    if (server.mode == "cluster")
        return Error(ErrorKind::NotOfGroup,
                     Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is a node of a cluster"), shard.nodeName()));
    const auto isSameProcess = [&](const Shard *other) {
        return other != &shard && other->m_isConfirmed && !server.runId.isEmpty() &&
               other->server().runId == server.runId;
    };
    const auto same = std::ranges::find_if(m_shards, isSameProcess);
    if (same != m_shards.end())
        return Error(ErrorKind::NotOfGroup,
                     Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is the same server as %2"), shard.nodeName(),
                            (*same)->nodeName()));
    return std::nullopt;
}

void Deployment::takeMember(Shard &shard)
{
    if (const std::optional<Error> why = whyNoMember(shard))
        refuseMember(shard, *why);
    else
        shard.confirm();
    if (!m_replication.isActive() && !shard.server().role.isEmpty())
        m_replication.start();
    shardChanged();
}

void Deployment::refuseMember(Shard &shard, const Error &why)
{
    m_memberRetry = QDeadlineTimer(memberRetryInterval);
    shard.refuse(why);
}

/// A member that became another's replica has that one's locks; it may become a primary again.
void Deployment::pollMembers()
{
    const bool retries = m_memberRetry.hasExpired();
    for (Shard *shard : std::as_const(m_shards)) {
        if (retries && shard->m_refusal && shard->m_refusal->kind == ErrorKind::NotOfGroup)
            shard->open();
        if (shard->state() != Link::State::Ready || shard->server().role.isEmpty())
            continue;
        whenDone(shard, shard->m_connection.send({"INFO", "replication"}),
                 [this, shard](const Result<Reply> &info) {
                     if (!info || shard->state() != Link::State::Ready)
                         return;
                     shard->takeReplication(info->text);
                     if (const std::optional<Error> why = whyNoMember(*shard)) {
                         refuseMember(*shard, *why);
                         shardChanged();
                     }
                 });
    }
}

} // namespace lockscope

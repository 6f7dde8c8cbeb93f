// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/besidescope.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr QByteArrayView listeners = "pubsub|numsub";
constexpr QByteArrayView shards = "pubsub|shardnumsub";

} // namespace

BesideScope::BesideScope(const ServerInfo &server)
{
    reconnect(server);
}

void BesideScope::reconnect(const ServerInfo &server)
{
    m_isCluster = server.mode == "cluster";
    m_unknownToServer = 0;
    m_asksListeners = m_asksServers = true;
    m_asksShards = m_knowsShards = m_isCluster && server.major >= 7;
    retryForbidden();
}

bool BesideScope::mayAsk(Part part, const LockKey &key) const
{
    const quint8 refused = m_unknownToServer | m_refusedToAll | m_refused.value(key);
    return (refused & static_cast<quint8>(part)) == 0;
}

void BesideScope::forbid(const QByteArray &entry, const Refusal &refusal, const Error &why)
{
    if (!m_forbidden.contains(entry))
        m_forbidden.insert(entry,
                           {refusal, why.detail, !entry.isEmpty() && m_answered.contains(refusal.command)});
}

void BesideScope::refuse(Part part, std::span<const QByteArrayView> commands, const LockKey &key,
                         const Error &why)
{
    const auto bit = static_cast<quint8>(part);
    Refusal refusal = refusalFrom(why.detail);
    if (std::ranges::find(commands, refusal.command) == commands.end())
        refusal.command = commands.front().toByteArray();
    if (why.kind != ErrorKind::NoPermission) {
        m_unknownToServer |= bit;
    } else if (refusal.about == Refusal::About::Command) { // which holds for all keys
        m_refusedToAll |= bit;
        forbid(refusal.command, refusal, why);
    } else {
        m_refused[key] |= bit;
        m_probes.remove(key);
        forbid({}, refusal, why);
    }
}

void BesideScope::refuseListeners(const Error &why)
{
    m_asksListeners = false;
    if (why.kind == ErrorKind::NoPermission)
        forbid(listeners.toByteArray(), {refusalFrom(why.detail).about, listeners.toByteArray()}, why);
}

void BesideScope::refuseShards(const Error &why)
{
    m_asksShards = false;
    if (why.kind == ErrorKind::NoPermission)
        forbid(shards.toByteArray(), {refusalFrom(why.detail).about, shards.toByteArray()}, why);
    else
        m_knowsShards = false;
}

void BesideScope::noteListenersAnswer()
{
    noteAnswer({&listeners, 1}, {});
}

void BesideScope::noteShardsAnswer()
{
    noteAnswer({&shards, 1}, {});
}

void BesideScope::noteAnswer(std::span<const QByteArrayView> commands, const LockKey &key)
{
    for (const QByteArrayView command : commands) {
        const auto name = QByteArray::fromRawData(command.data(), command.size());
        if (!m_answered.contains(name))
            m_answered.insert(command.toByteArray());
        m_forbidden.remove(name);
    }
    if (m_probes.contains(key)) {
        m_probes.clear();
        m_refused.clear();
        m_forbidden.remove({});
    }
}

void BesideScope::retryForbidden()
{
    m_refusedToAll = 0;
    m_asksListeners = m_asksListeners || m_forbidden.contains(listeners.toByteArray());
    m_asksShards = m_knowsShards;
    for (auto key = m_refused.begin(); key != m_refused.end() && m_probes.size() < maxProbes;) {
        m_probes.insert(key.key());
        key = m_refused.erase(key);
    }
}

QList<BesideScope::Forbidden> BesideScope::forbidden() const
{
    return m_forbidden.values();
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/companionaccess.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr QByteArrayView listeners = "pubsub|numsub";
constexpr QByteArrayView shards = "pubsub|shardnumsub";

} // namespace

CompanionAccess::CompanionAccess(const ServerInfo &server)
{
    reconnect(server);
}

void CompanionAccess::reconnect(const ServerInfo &server)
{
    m_isCluster = server.mode == "cluster";
    m_unknownToServer = 0;
    m_asksListeners = m_asksServers = true;
    m_asksShards = m_knowsShards = m_isCluster && server.major >= 7;
    retryAllForbidden();
}

bool CompanionAccess::mayAsk(Part part, const LockKey &key) const
{
    const quint8 refused = m_unknownToServer | m_refusedToAll | m_refused.value(key);
    return (refused & static_cast<quint8>(part)) == 0;
}

bool CompanionAccess::isForbidden(Part part, const LockKey &key) const
{
    return ((m_refusedToAll | m_refused.value(key)) & static_cast<quint8>(part)) != 0;
}

void CompanionAccess::forbid(const QByteArray &entry, const Refusal &refusal, const Error &why)
{
    if (!m_forbidden.contains(entry))
        m_forbidden.insert(entry,
                           {refusal, why.detail, !entry.isEmpty() && m_answered.contains(refusal.command)});
}

void CompanionAccess::refuse(Part part, const Sent &sent, const LockKey &key, const Error &why)
{
    const auto bit = static_cast<quint8>(part);
    Refusal refusal = refusalFrom(why.detail);
    if (std::ranges::find(sent.commands, refusal.command) == sent.commands.end())
        refusal.command = sent.commands.front().toByteArray();
    if (why.kind != ErrorKind::NoPermission) {
        m_unknownToServer |= bit;
    } else if (refusal.about == Refusal::About::Command) { // which holds for all keys
        m_refusedToAll |= bit;
        forbid(refusal.command, refusal, why);
    } else {
        m_refused[key] |= bit;
        if (const auto tried = m_tried.find(key); tried != m_tried.end()) {
            *tried = static_cast<quint8>(*tried & ~bit);
            if (*tried == 0)
                m_tried.erase(tried);
        }
        m_forbiddenParts |= bit;
        forbid({}, refusal, why);
        QList<QByteArray> &patterns = m_forbidden[{}].patterns;
        if (!sent.pattern.isEmpty() && patterns.size() < mostPatterns && !patterns.contains(sent.pattern))
            patterns.append(sent.pattern);
    }
}

void CompanionAccess::refuseListeners(const Error &why)
{
    m_asksListeners = false;
    if (why.kind == ErrorKind::NoPermission)
        forbid(listeners.toByteArray(), {refusalFrom(why.detail).about, listeners.toByteArray()}, why);
}

void CompanionAccess::refuseShards(const Error &why)
{
    m_asksShards = false;
    if (why.kind == ErrorKind::NoPermission)
        forbid(shards.toByteArray(), {refusalFrom(why.detail).about, shards.toByteArray()}, why);
    else
        m_knowsShards = false;
}

void CompanionAccess::noteListenersAnswer()
{
    noteAnswer({}, {&listeners, 1}, {});
}

void CompanionAccess::noteShardsAnswer()
{
    noteAnswer({}, {&shards, 1}, {});
}

void CompanionAccess::noteAnswer(Part part, std::span<const QByteArrayView> commands, const LockKey &key)
{
    for (const QByteArrayView command : commands) {
        const auto name = QByteArray::fromRawData(command.data(), command.size());
        if (!m_answered.contains(name))
            m_answered.insert(command.toByteArray());
        m_forbidden.remove(name);
    }
    const auto bit = static_cast<quint8>(part);
    if ((m_tried.value(key) & bit) != 0)
        notePermitted(part == Part::Any ? quint8(0xff) : bit);
    else if ((m_forbiddenParts & bit) != 0 && m_refused.isEmpty() && m_tried.isEmpty())
        permitKeys(); // those that it was refused beside are gone
}

/// Refused before, and answered: the permission has changed, and the rest is asked for again too.
void CompanionAccess::notePermitted(quint8 parts)
{
    for (QHash<LockKey, quint8> *refused : {&m_refused, &m_tried}) {
        refused->removeIf([parts](QHash<LockKey, quint8>::iterator of) {
            *of = static_cast<quint8>(*of & ~parts);
            return *of == 0;
        });
    }
    if (m_refused.isEmpty() && m_tried.isEmpty())
        permitKeys();
}

void CompanionAccess::permitKeys()
{
    m_forbidden.remove({});
    m_forbiddenParts = 0;
}

void CompanionAccess::retryCommands()
{
    m_refusedToAll = 0;
    m_asksListeners = m_asksListeners || m_forbidden.contains(listeners.toByteArray());
    m_asksShards = m_knowsShards;
}

void CompanionAccess::forgetGone(const std::function<bool(const LockKey &key)> &isThere)
{
    for (QHash<LockKey, quint8> *refused : {&m_refused, &m_tried})
        refused->removeIf([&](QHash<LockKey, quint8>::iterator of) { return !isThere(of.key()); });
}

/// The same locks each time, as far as they are there: the server counts what it refuses again, instead of adding lines.
void CompanionAccess::retryForbidden()
{
    retryCommands();
    if (!m_tried.isEmpty() && m_refused.isEmpty()) // not refused again since the last time
        permitKeys();
    m_tried.clear();
    m_probes.removeIf([this](const LockKey &key) { return !m_refused.contains(key); });
    for (auto key = m_refused.keyBegin(); key != m_refused.keyEnd() && m_probes.size() < maxProbes; ++key) {
        if (!m_probes.contains(*key))
            m_probes.append(*key);
    }
    for (const LockKey &key : std::as_const(m_probes))
        m_tried.insert(key, m_refused.take(key));
}

void CompanionAccess::retryAllForbidden()
{
    retryCommands();
    m_probes.clear();
    for (auto refused = m_refused.cbegin(); refused != m_refused.cend(); ++refused)
        m_tried[refused.key()] |= *refused;
    m_refused.clear();
}

QList<CompanionAccess::Forbidden> CompanionAccess::forbidden() const
{
    return m_forbidden.values();
}

} // namespace lockscope

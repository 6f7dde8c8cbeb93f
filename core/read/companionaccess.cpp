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
    m_countsAllNodes = server.countsAllNodes;
    m_unknownToServer.reset();
    m_asksListeners = m_asksServers = true;
    m_asksShards = m_knowsShards = m_isCluster && server.major >= 7;
    retryAllForbidden();
}

bool CompanionAccess::mayAsk(Part part, const LockKey &key) const
{
    return !(m_unknownToServer | m_refusedToAll | m_refused.value(key)).test(part.index());
}

bool CompanionAccess::isForbidden(Part part, const LockKey &key) const
{
    return (m_refusedToAll | m_refused.value(key)).test(part.index());
}

void CompanionAccess::forbid(const QByteArray &entry, const Refusal &refusal, const Error &why)
{
    if (!m_forbidden.contains(entry))
        m_forbidden.insert(entry,
                           {refusal, why.detail, !entry.isEmpty() && m_answered.contains(refusal.command)});
}

void CompanionAccess::refuse(Part part, const Sent &sent, const LockKey &key, const Error &why)
{
    const size_t bit = part.index();
    Refusal refusal = refusalFrom(why.detail);
    if (std::ranges::find(sent.commands, refusal.command) == sent.commands.end())
        refusal.command = sent.commands.front().toByteArray();
    if (why.kind != ErrorKind::NoPermission) {
        m_unknownToServer.set(bit);
    } else if (refusal.about == Refusal::About::Command) { // which holds for all keys
        m_refusedToAll.set(bit);
        forbid(refusal.command, refusal, why);
    } else {
        m_refused[key].set(bit);
        if (const auto tried = m_tried.find(key); tried != m_tried.end()) {
            tried->reset(bit);
            if (tried->none())
                m_tried.erase(tried);
        }
        m_forbiddenParts.set(bit);
        forbid({}, refusal, why);
        QList<QByteArray> &patterns = m_forbidden[{}].patterns;
        if (!sent.pattern.isEmpty() && patterns.size() < maxPatterns && !patterns.contains(sent.pattern))
            patterns.append(sent.pattern);
    }
}

void CompanionAccess::refuseCount(bool ofShards, const Error &why)
{
    const QByteArray command = (ofShards ? shards : listeners).toByteArray();
    (ofShards ? m_asksShards : m_asksListeners) = false;
    if (why.kind == ErrorKind::NoPermission)
        forbid(command, {refusalFrom(why.detail).about, command}, why);
    else if (ofShards)
        m_knowsShards = false;
}

void CompanionAccess::noteCount(bool ofShards)
{
    noteCommands({ofShards ? &shards : &listeners, 1});
}

void CompanionAccess::noteCommands(std::span<const QByteArrayView> commands)
{
    for (const QByteArrayView command : commands) {
        const auto name = QByteArray::fromRawData(command.data(), command.size());
        if (!m_answered.contains(name))
            m_answered.insert(command.toByteArray());
        m_forbidden.remove(name);
    }
}

void CompanionAccess::noteAnswer(Part part, std::span<const QByteArrayView> commands, const LockKey &key)
{
    noteCommands(commands);
    const Parts one = Parts().set(part.index());
    if (m_tried.value(key).test(part.index()))
        notePermitted(part == Part::any() ? Parts().set() : one);
    else if (m_forbiddenParts.test(part.index()) && m_refused.isEmpty() && m_tried.isEmpty())
        permitKeys(); // those that it was refused beside are gone
}

/// A refused command was answered: permissions have changed, and the rest is retried too.
void CompanionAccess::notePermitted(const Parts &parts)
{
    for (QHash<LockKey, Parts> *refused : {&m_refused, &m_tried}) {
        refused->removeIf([&parts](QHash<LockKey, Parts>::iterator of) {
            *of &= ~parts;
            return of->none();
        });
    }
    if (m_refused.isEmpty() && m_tried.isEmpty())
        permitKeys();
}

void CompanionAccess::permitKeys()
{
    m_forbidden.remove({});
    m_forbiddenParts.reset();
}

void CompanionAccess::retryCommands()
{
    m_refusedToAll.reset();
    m_asksListeners = m_asksListeners || m_forbidden.contains(listeners.toByteArray());
    m_asksShards = m_knowsShards;
}

void CompanionAccess::forgetGone(const std::function<bool(const LockKey &key)> &isThere)
{
    for (QHash<LockKey, Parts> *refused : {&m_refused, &m_tried})
        refused->removeIf([&](QHash<LockKey, Parts>::iterator of) { return !isThere(of.key()); });
}

/// Uses the same existing locks each time: the server then counts refusals instead of adding log entries.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/model/family.h"
#include "core/redis/error.h"
#include "core/redis/login.h"
#include "core/redis/refusal.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <bitset>
#include <functional>
#include <span>

namespace lockscope {

/// Which companion reads are permitted, learned from the server's refusals, and what their results prove.
/// Refusals for lack of permission can be retried.
class CompanionAccess
{
public:
    /// Parts that are refused separately: a family's queries, its separate ones, queue lengths, and combined
    /// queries of several families.
    class Part
    {
    public:
        static Part any() { return Part(0); }
        static Part of(Family family) { return Part(family.index()); }
        static Part apart(Family family, int group) { return Part(group * Family::most + family.index()); }
        static Part lengths() { return Part(Family::most); }
        static constexpr int most = 3 * Family::most;

        size_t index() const { return static_cast<size_t>(m_index); }
        friend bool operator==(Part, Part) = default;

    private:
        explicit Part(int index) : m_index(index) {}
        int m_index;
    };
    using Parts = std::bitset<Part::most>;

    /// A command that this login may not run, or a companion key that it may not read.
    struct Forbidden
    {
        Refusal refusal; ///< with the command, if known
        QByteArray said;
        bool wasRevoked = false;      ///< it was permitted before
        QList<QByteArray> patterns{}; ///< such keys' patterns, at most maxPatterns
    };
    static constexpr qsizetype maxPatterns = 16;

    struct Sent
    {
        std::span<const QByteArrayView> commands; ///< in lower case
        QByteArray pattern;                       ///< keys that they read; empty: retried one by one
    };

    CompanionAccess() = default;
    explicit CompanionAccess(const ServerInfo &server);
    /// Starts a connection: everything forbidden is retried, for all locks.
    void reconnect(const ServerInfo &server);

    bool mayAsk(Part part, const LockKey &key) const;
    bool isForbidden(Part part, const LockKey &key) const;
    bool asksListeners() const { return m_asksListeners; }
    bool asksShards() const { return m_asksShards; }
    /// True where the scripts of lua/handoff/ cannot run.
    bool isCluster() const { return m_isCluster; }
    bool countsAllNodes() const { return m_countsAllNodes; }
    /// True if INFO is requested: for other servers to which waiters may subscribe, and for refused heartbeats.
    bool asksServers() const { return m_asksServers; }

    /// Records a refusal (NOPERM and similar): not sent again before retryForbidden().
    void refuse(Part part, const Sent &sent, const LockKey &key, const Error &why);
    /// Records the refusal of counting subscribers, or subscribers of shard channels.
    void refuseCount(bool ofShards, const Error &why);
    void refuseServers() { m_asksServers = false; }
    void noteAnswer(Part part, std::span<const QByteArrayView> commands, const LockKey &key);
    void noteCount(bool ofShards);

    /// Forgets refusals for locks that no longer exist.
    void forgetGone(const std::function<bool(const LockKey &key)> &isThere);
    /// Retries forbidden commands, and keys of a few locks on behalf of all.
    void retryForbidden();
    /// Retries everything forbidden, for all locks.
    void retryAllForbidden();
    QList<Forbidden> forbidden() const;

private:
    void noteCommands(std::span<const QByteArrayView> commands);
    void forbid(const QByteArray &entry, const Refusal &refusal, const Error &why);
    void retryCommands();
    void notePermitted(const Parts &parts);
    void permitKeys();

    static constexpr int maxProbes = 4;

    Parts m_unknownToServer;
    Parts m_refusedToAll;
    QHash<LockKey, Parts> m_refused; ///< for these locks
    QHash<LockKey, Parts> m_tried;   ///< refused before, being retried; at most maxProbes per retry
    QList<LockKey> m_probes;
    Parts m_forbiddenParts;
    QMap<QByteArray, Forbidden> m_forbidden; ///< by command; empty: keys
    QSet<QByteArray> m_answered;
    bool m_asksListeners = true;
    bool m_asksShards = false;
    bool m_knowsShards = false;
    bool m_asksServers = true;
    bool m_isCluster = false;
    bool m_countsAllNodes = false;
};

} // namespace lockscope

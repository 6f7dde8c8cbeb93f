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

/// What may be asked beside locks, and what the answers are worth; learns as the server refuses. A refusal that is about
/// permission can be tried again.
class CompanionAccess
{
public:
    /// What is refused each by itself: what a family asks, what it asks apart, the length of queues, and what is asked for
    /// several families at once.
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

    /// A command that this login may not run, or a key beside a lock that it may not read.
    struct Forbidden
    {
        Refusal refusal; ///< with the command, where that is known
        QByteArray said;
        bool wasRevoked = false;      ///< it was answered before
        QList<QByteArray> patterns{}; ///< of such keys, not more than mostPatterns
    };
    static constexpr qsizetype mostPatterns = 16;

    /// What is sent for a part.
    struct Sent
    {
        std::span<const QByteArrayView> commands; ///< in lower case
        QByteArray pattern; ///< of the keys that they read; empty: asked for again one by one
    };

    CompanionAccess() = default;
    explicit CompanionAccess(const ServerInfo &server);
    /// Another connection: what is forbidden is tried again, beside every lock.
    void reconnect(const ServerInfo &server);

    bool mayAsk(Part part, const LockKey &key) const;
    /// Not asked for want of permission.
    bool isForbidden(Part part, const LockKey &key) const;
    bool asksListeners() const { return m_asksListeners; }
    bool asksShards() const { return m_asksShards; }
    /// There the scripts of lua/handoff/ can't run.
    bool isCluster() const { return m_isCluster; }
    /// Subscribers are counted by all nodes of the cluster.
    bool countsAllNodes() const { return m_countsAllNodes; }
    /// Which other servers there are, that those who wait may subscribe to.
    bool asksServers() const { return m_asksServers; }

    /// NOPERM and the like: not asked again, unless retryForbidden() says so.
    void refuse(Part part, const Sent &sent, const LockKey &key, const Error &why);
    /// The count of subscribers, or that of subscribers to shards' channels.
    void refuseCount(bool ofShards, const Error &why);
    void refuseServers() { m_asksServers = false; }
    /// These were answered.
    void noteAnswer(Part part, std::span<const QByteArrayView> commands, const LockKey &key);
    void noteCount(bool ofShards);

    /// What was refused beside locks that are not there any more, which nobody will ask for again.
    void forgetGone(const std::function<bool(const LockKey &key)> &isThere);
    /// What is forbidden is asked again: commands, and beside a few locks, which tell for the rest.
    void retryForbidden();
    /// The same, beside every lock.
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
    QHash<LockKey, Parts> m_refused; ///< not asked beside these locks
    QHash<LockKey, Parts> m_tried;   ///< refused before, and asked again; of at most maxProbes in a retry
    QList<LockKey> m_probes;         ///< of the last retry
    Parts m_forbiddenParts;          ///< that the entry for keys is about
    QMap<QByteArray, Forbidden> m_forbidden; ///< by command; empty: keys
    QSet<QByteArray> m_answered;             ///< commands, once at least
    bool m_asksListeners = true;
    bool m_asksShards = false;
    bool m_knowsShards = false;
    bool m_asksServers = true;
    bool m_isCluster = false;
    bool m_countsAllNodes = false;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/namedbytes.h"
#include "core/redis/error.h"
#include "core/redis/login.h"

#include <QHash>

namespace lockscope {

/// What may be asked beside locks on a connection, and what the answers are worth; learns as the server refuses.
class BesideScope
{
public:
    /// What is refused each by itself.
    enum class Part : quint8 {
        Any = 0x1, ///< of several at once
        Redisson = 0x2,
        Handoff = 0x4,
        Job = 0x8,
        Digest = 0x10,
        Length = 0x20,
        Writer = 0x40,
        Twin = 0x80
    };

    BesideScope() = default;
    explicit BesideScope(const ServerInfo &server);

    bool mayAsk(Part part, const LockKey &key) const;
    bool asksListeners() const { return m_asksListeners; }
    bool asksShards() const { return m_asksShards; }
    /// There the scripts of lua/handoff/ can't run.
    bool isCluster() const { return m_isCluster; }
    /// Which other servers there are, that those who wait may subscribe to.
    bool asksServers() const { return m_asksServers; }

    /// NOPERM and the like: not asked again.
    void refuse(Part part, const LockKey &key, const Error &why);
    void refuseListeners() { m_asksListeners = false; }
    void refuseShards() { m_asksShards = false; }
    void refuseServers() { m_asksServers = false; }

private:
    quint8 m_refusedToAll = 0; ///< parts
    QHash<LockKey, quint8> m_refused;
    bool m_asksListeners = true;
    bool m_asksShards = false;
    bool m_asksServers = true;
    bool m_isCluster = false;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <memory>
#include <vector>

namespace lockscope {

/// A primary, its replicas, and three real Sentinels that watch it under a name and fail it over within some seconds.
class SentinelGroup
{
public:
    struct Settings
    {
        int replicas = 1;
        QStringList servers{};      ///< added to each server's command line
        QByteArrayList sentinels{}; ///< added to each Sentinel's configuration
    };

    SentinelGroup() : SentinelGroup(Settings{}) {}
    explicit SentinelGroup(const Settings &settings);

    static constexpr QByteArrayView name = "orders";

    int size() const { return int(m_servers.size()); }
    RedisServer &server(int index) { return *m_servers[size_t(index)]; }
    RedisServer &sentinel(int index) { return *m_sentinels[size_t(index)]; }
    /// By all three Sentinels.
    ServerAddress address() const;
    /// As the first Sentinel says; -1: none of them.
    int primary() const;
    /// So long a failover may take: a Sentinel that was starved does nothing for 30 s (it calls that TILT).
    static constexpr int patience = 100'000;
    /// A failover without any trouble, by its order.
    bool failOver();
    /// Every Sentinel names this server.
    bool waitUntilPrimary(int index, int timeoutMs = patience) const;
    /// Every other server has what the primary has.
    bool waitUntilInStep(int timeoutMs = patience) const;

private:
    int primaryOf(const RedisServer &sentinel) const;

    std::vector<std::unique_ptr<RedisServer>> m_servers;
    QTemporaryDir m_files;
    std::vector<std::unique_ptr<RedisServer>> m_sentinels;
};

} // namespace lockscope

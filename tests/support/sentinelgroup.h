// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <memory>
#include <vector>

namespace lockscope {

/// A primary, its replicas, and three real Sentinels that fail it over within seconds.
class SentinelGroup
{
public:
    struct Settings
    {
        int replicas = 1;
        QStringList servers{};      ///< added to the command lines
        QByteArrayList sentinels{}; ///< added to the configurations
    };

    SentinelGroup() : SentinelGroup(Settings{}) {}
    explicit SentinelGroup(const Settings &settings);

    static constexpr QByteArrayView name = "orders";

    int size() const { return int(m_servers.size()); }
    RedisServer &server(int index) { return *m_servers[size_t(index)]; }
    RedisServer &sentinel(int index) { return *m_sentinels[size_t(index)]; }
    /// Returns the address by all three Sentinels.
    ServerAddress address() const;
    /// Returns the primary according to the first Sentinel; -1: none of the servers.
    int primary() const;
    /// Maximum duration of a failover, in ms: a starved Sentinel does nothing for 30 s (TILT mode).
    static constexpr int patience = 100'000;
    /// Runs an orderly failover.
    bool failOver();
    /// Waits until every Sentinel names this server.
    bool waitUntilPrimary(int index, int timeoutMs = patience) const;
    /// Waits until all replicas are in sync.
    bool waitUntilInStep(int timeoutMs = patience) const;

private:
    int primaryOf(const RedisServer &sentinel) const;

    std::vector<std::unique_ptr<RedisServer>> m_servers;
    QTemporaryDir m_files;
    std::vector<std::unique_ptr<RedisServer>> m_sentinels;
};

} // namespace lockscope

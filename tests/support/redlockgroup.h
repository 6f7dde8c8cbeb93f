// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <QStringList>

#include <memory>
#include <vector>

namespace lockscope {

/// Independent servers, as the Redlock algorithm requires.
class RedlockGroup
{
public:
    explicit RedlockGroup(int size = 3, const QStringList &settings = {})
    {
        for (int i = 0; i < size; ++i)
            m_servers.push_back(std::make_unique<RedisServer>(settings));
    }

    int size() const { return static_cast<int>(m_servers.size()); }
    RedisServer &server(int index) { return *m_servers[static_cast<size_t>(index)]; }
    QString name(int index) const
    {
        return m_servers[static_cast<size_t>(index)]->tcpAddress().toDisplayString();
    }

    ServerAddress address() const
    {
        ServerAddress address;
        for (const auto &server : m_servers)
            address.members.append({server->tcpAddress().host, server->port()});
        return address;
    }
    /// Returns the value for --redlock.
    QByteArray option() const
    {
        QStringList names;
        for (int i = 0; i < size(); ++i)
            names.append(name(i));
        return names.join(u',').toUtf8();
    }

    /// Sets the lock on these servers for the owner.
    void hold(const QByteArray &key, const QByteArray &owner, std::initializer_list<int> servers,
              const QByteArray &leaseMs = "600000")
    {
        for (const int index : servers)
            server(index).cli({"SET", key, owner, "PX", leaseMs});
    }
    /// Returns the value of the key on each server; empty where missing.
    QByteArrayList values(const QByteArray &key) const
    {
        QByteArrayList values;
        for (const auto &server : m_servers)
            values.append(server->cli({"GET", key}));
        return values;
    }

private:
    std::vector<std::unique_ptr<RedisServer>> m_servers;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/serveraddress.h"

#include <QByteArray>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace lockscope {

/// Writes, expiries and evictions of keys that are no locks, on a thread of its own: 2,000, 1,000 and 100 a second. A quarter of
/// the writes are deletions. What is evicted are keys that were idle for long, of which there are enough.
class BesideLoad
{
public:
    struct Node
    {
        ServerAddress address;
        QByteArray tag; ///< of keys that the node keeps; empty: any
    };
    BesideLoad(std::vector<Node> nodes, quint32 seed);
    BesideLoad(const BesideLoad &) = delete;
    BesideLoad &operator=(const BesideLoad &) = delete;

    bool isInSwing() const { return m_isInSwing; }
    /// As long as it is held, the memory's limit is not set anew.
    std::unique_lock<std::mutex> holdMemory() { return std::unique_lock(m_memory); }
    /// "1990/s writes, …"
    QByteArray inWords() const;

private:
    void write(const std::stop_token &stop);

    const std::vector<Node> m_nodes;
    const quint32 m_seed;
    std::mutex m_memory;
    std::atomic<bool> m_isInSwing = false;
    std::atomic<qint64> m_writes = 0, m_expired = 0, m_evicted = 0, m_ms = 0;
    std::jthread m_thread; // the last one: it uses the others
};

} // namespace lockscope

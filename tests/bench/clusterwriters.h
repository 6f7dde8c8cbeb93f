// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/blockingdeployment.h"
#include "tests/support/rediscluster.h"

#include <atomic>
#include <thread>
#include <vector>

namespace lockscope {

using namespace std::chrono_literals;

/// Clients that acquire and release, so many changes a second together, as far as the nodes let them. Each keeps to the keys of
/// one primary, so that one that is gone holds up nobody else's.
class ClusterWriters
{
public:
    ClusterWriters(RedisCluster &cluster, int primaries, int perSecond)
    {
        for (int i = 0; i < primaries; ++i) {
            QByteArrayList keys;
            for (int j = 0; j < 40; ++j)
                keys << cluster.keyOn(cluster.node(i), "lock:w" + QByteArray::number(j) + ":%1");
            m_threads.emplace_back(
                [this, &cluster, keys, i, pace = perSecond / primaries](const std::stop_token &stop) {
                    write(cluster.node(i).tcpAddress(), keys, pace, stop);
                });
        }
        m_begun = Clock::now();
    }
    qint64 changes() const { return m_changes; }
    double perSecond() const
    {
        return static_cast<double>(m_changes) / std::chrono::duration<double>(Clock::now() - m_begun).count();
    }
    void stop()
    {
        for (std::jthread &thread : m_threads)
            thread.request_stop();
        m_threads.clear();
    }

private:
    void write(const ServerAddress &first, const QByteArrayList &keys, int perSecond,
               const std::stop_token &stop)
    {
        BlockingDeployment client(first, {.connectDeadline = 200ms, .commandDeadline = 300ms}, stop);
        const TimePoint begun = Clock::now();
        for (qint64 i = 0; !stop.stop_requested(); ++i) {
            std::this_thread::sleep_until(begun + i * 1'000'000us / perSecond);
            const QByteArray &key = keys[i % keys.size()];
            if (!client.isOpen() && (i % 20 != 0 || !client.open()))
                continue;
            const auto done = i / keys.size() % 2 == 0
                                  ? client.send({"SET", key, QByteArray::number(i), "PX", "600000"})
                                  : client.send({"DEL", key});
            m_changes += done ? 1 : 0;
        }
    }

    TimePoint m_begun;
    std::atomic<qint64> m_changes = 0;
    std::vector<std::jthread> m_threads;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <memory>
#include <vector>

namespace lockscope {

/// A real cluster: primaries with equal shares of slots, then one replica for each, in the same order.
class RedisCluster
{
public:
    enum class Coverage {
        Full,
        Partial
    }; ///< Partial: nodes answer for their own slots while others are uncovered

    explicit RedisCluster(int primaries = 3, bool replicated = true, Coverage coverage = Coverage::Full);

    RedisServer &node(int index) { return *m_nodes[size_t(index)]; }
    const RedisServer &node(int index) const { return *m_nodes[size_t(index)]; }
    int size() const { return int(m_nodes.size()); }
    /// Adds a primary without slots, known to all nodes.
    RedisServer &join();

    static QByteArray idOf(const RedisServer &node);
    /// Returns a key of this form ("lock:%1") in a slot of the node.
    QByteArray keyOn(const RedisServer &node, const QByteArray &form, int by = 0) const;
    /// Moves a slot with all keys, as redis-cli --cluster does.
    void moveSlot(int slot, RedisServer &from, RedisServer &to);
    /// Opens a slot for migration without moving keys.
    static void openSlot(int slot, RedisServer &from, RedisServer &to);
    static void moveKey(const QByteArray &key, RedisServer &from, RedisServer &to);
    void closeSlot(int slot, RedisServer &to);

    bool waitUntilWhole(int timeoutMs = 30'000) const;

private:
    void meet(RedisServer &node);
    QStringList settings() const;

    Coverage m_coverage;
    std::vector<std::unique_ptr<RedisServer>> m_nodes;
    std::vector<QByteArray> m_busPorts;
};

} // namespace lockscope

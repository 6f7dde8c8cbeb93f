// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/command.h"

#include "core/redis/resp.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

bool same(QByteArrayView a, QByteArrayView b)
{
    return a.size() == b.size() && a.compare(b, Qt::CaseInsensitive) == 0;
}

} // namespace

void CommandBatch::add(std::span<const QByteArrayView> command)
{
    appendCommand(m_wire, command);
    m_ends.push_back(m_wire.size());
    m_readsOnly = m_readsOnly && isReadCommand(command);
}

void CommandBatch::add(const CommandBatch &other, int index)
{
    m_wire.append(other.wire(index));
    m_ends.push_back(m_wire.size());
    m_readsOnly = m_readsOnly && other.m_readsOnly; // as strict as the batch that it comes from
}

QByteArrayView CommandBatch::wire(int index) const
{
    const auto at = static_cast<size_t>(index);
    const qsizetype start = at == 0 ? 0 : m_ends[at - 1];
    return QByteArrayView(m_wire).sliced(start, m_ends[at] - start);
}

bool isReadCommand(std::span<const QByteArrayView> command)
{
    // A transaction of what is read by itself reads, too.
    static constexpr std::array<QByteArrayView, 26> reads{
        "PTTL",    "HPTTL",  "TYPE",      "HSCAN",      "GETRANGE", "SCAN",  "ZRANGE", "SSCAN",  "LRANGE",
        "LLEN",    "EXISTS", "HMGET",     "ZSCORE",     "PUBSUB",   "MULTI", "EXEC",   "ASKING", "ROLE",
        "MONITOR", "DBSIZE", "SUBSCRIBE", "PSUBSCRIBE", "SELECT",   "AUTH",  "INFO",   "PING"};
    // What these set is the connection's own.
    static constexpr std::array<QByteArrayView, 6> ofClient{"SETNAME", "ID",           "TRACKING",
                                                            "CACHING", "TRACKINGINFO", "LIST"};
    static constexpr std::array<QByteArrayView, 3> ofCluster{"SHARDS", "SLOTS", "INFO"};
    static constexpr std::array<QByteArrayView, 5> ofSentinel{"MASTER", "MASTERS", "SENTINELS", "SLAVES",
                                                              "GET-MASTER-ADDR-BY-NAME"};
    if (command.empty())
        return false;
    const auto isNamed = [](QByteArrayView given) {
        return [given](QByteArrayView name) { return same(name, given); };
    };
    if (std::ranges::any_of(reads, isNamed(command[0])))
        return true;
    if (command.size() < 2)
        return false;
    return (same(command[0], "CLIENT") && std::ranges::any_of(ofClient, isNamed(command[1]))) ||
           (same(command[0], "CLUSTER") && std::ranges::any_of(ofCluster, isNamed(command[1]))) ||
           (same(command[0], "SENTINEL") && std::ranges::any_of(ofSentinel, isNamed(command[1]))) ||
           (same(command[0], "CONFIG") && same(command[1], "GET")) ||
           (same(command[0], "COMMAND") && same(command[1], "INFO"));
}

} // namespace lockscope

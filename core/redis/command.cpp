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

std::span<const ReadCommand> readCommands()
{
    using enum ReadUse;
    // The most frequent ones first. What those of CLIENT set is the connection's own. A transaction of what is read by
    // itself reads, too.
    static constexpr auto commands = std::to_array<ReadCommand>({
        {"pttl", Values},
        {"type", Values},
        {"hscan", Values},
        {"getrange", Values},
        {"zrange", Values},
        {"sscan", Values},
        {"exists", Companions},
        {"lrange", Companions},
        {"llen", Companions},
        {"zscore", Companions},
        {"hmget", Companions},
        {"time", Companions},
        {"getrange", Companions},
        {"zrange", Companions},
        {"pubsub|numsub", Companions},
        {"pubsub|shardnumsub", Companions},
        {"hpttl", FieldTtl},
        {"command|info", FieldTtl},
        {"scan", Scan},
        {"dbsize", Scan},
        {"multi", Transaction},
        {"exec", Transaction},
        {"info", Load},
        {"info", Loading},
        {"info", Login},
        {"info", Replication},
        {"role", WithoutInfo},
        {"auth", Login},
        {"hello", Login},
        {"select", Login},
        {"client|setname", Login},
        {"ping", Feed},
        {"subscribe", Feed},
        {"client|id", Feed},
        {"client|tracking", Feed},
        {"client|caching", Feed},
        {"client|trackinginfo", Feed},
        {"config|get", Notifications},
        {"psubscribe", Notifications},
        {"cluster|slots", Cluster},
        {"cluster|shards", Cluster},
        {"cluster|info", Cluster},
        {"asking", Cluster},
        {"info", Sentinel},
        {"subscribe", Sentinel},
        {"client|setname", Sentinel},
        {"sentinel|get-master-addr-by-name", Sentinel},
        {"sentinel|master", Sentinel},
        {"sentinel|masters", Sentinel},
        {"sentinel|sentinels", Sentinel},
        {"sentinel|slaves", Sentinel},
        {"client|list", Clients},
        {"digest", Clients},
        {"monitor", Clients},
    });
    return commands;
}

bool isReadCommand(std::span<const QByteArrayView> command)
{
    if (command.empty())
        return false;
    return std::ranges::any_of(readCommands(), [&command](const ReadCommand &read) {
        const qsizetype bar = read.name.indexOf('|');
        if (bar < 0)
            return same(read.name, command[0]);
        return command.size() > 1 && same(read.name.first(bar), command[0]) &&
               same(read.name.sliced(bar + 1), command[1]);
    });
}

} // namespace lockscope

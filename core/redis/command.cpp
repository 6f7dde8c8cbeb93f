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
    ++m_size;
    m_readsOnly = m_readsOnly && isReadCommand(command);
}

bool isReadCommand(std::span<const QByteArrayView> command)
{
    // A transaction of what is read by itself reads, too.
    static constexpr std::array<QByteArrayView, 24> reads{
        "PTTL",    "HPTTL",  "TYPE",      "HSCAN",      "GETRANGE", "SCAN",   "ZRANGE", "SSCAN",
        "LRANGE",  "LLEN",   "EXISTS",    "HMGET",      "ZSCORE",   "PUBSUB", "MULTI",  "EXEC",
        "MONITOR", "DBSIZE", "SUBSCRIBE", "PSUBSCRIBE", "SELECT",   "AUTH",   "INFO",   "PING"};
    // What these set is the connection's own.
    static constexpr std::array<QByteArrayView, 6> ofClient{"SETNAME", "ID",           "TRACKING",
                                                            "CACHING", "TRACKINGINFO", "LIST"};
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
           (same(command[0], "CONFIG") && same(command[1], "GET")) ||
           (same(command[0], "COMMAND") && same(command[1], "INFO"));
}

} // namespace lockscope

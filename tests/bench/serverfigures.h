// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"

#include <QByteArrayList>

namespace lockscope {

/// What a server says of itself in INFO. Where it says nothing, the figures are 0.
class ServerFigures
{
public:
    explicit ServerFigures(BlockingConnection &server) : m_server(server) {}

    /// CPU time of the whole server so far.
    std::chrono::duration<double> cpu();
    /// Forgets the statistics below.
    void reset() { m_server.send({"CONFIG", "RESETSTAT"}); }
    qint64 calls(QByteArrayView command);
    /// The share of one core that the calls of these took since reset(), as the server counts it: without its sockets.
    std::chrono::duration<double> timeIn(const QByteArrayList &commands);

    struct Longest
    {
        QByteArray command;
        std::chrono::duration<double, std::micro> time{0};
    };
    /// Of these commands, the one whose 99.9th percentile is the longest.
    Longest longest(const QByteArrayList &commands);

private:
    QByteArray section(QByteArrayView name);

    BlockingConnection &m_server;
};

/// The commands that the monitor sends, and nobody else in these benches.
inline const QByteArrayList monitorCommands{"scan",     "pttl",  "hscan", "hgetall", "hrandfield",
                                            "getrange", "get",   "type",  "dbsize",  "client|tracking",
                                            "hlen",     "strlen"};

} // namespace lockscope

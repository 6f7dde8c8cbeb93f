// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redisserver.h"

#include <QTcpServer>
#include <QtTest>

#include <algorithm>

// Servers that receive messages of another server without being counted as its subscribers.

namespace lockscope {

/// Returns settings of a primary whose replicas start at once.
inline QStringList masterSettings()
{
    return {QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
}
inline QStringList replicaSettings(const RedisServer &master)
{
    return {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"), QString::number(master.port()),
            QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
}
inline bool isInStep(const RedisServer &replica)
{
    return QTest::qWaitFor(
        [&] {
            return replica.cli({"INFO", "replication"}).contains("master_link_status:up");
        },
        30'000);
}

/// Returns settings of a cluster node with a free bus port: the default, 10,000 above its own, may not exist.
inline QStringList nodeSettings()
{
    QTcpServer probe;
    if (!probe.listen(QHostAddress::LocalHost))
        qFatal("no free port: %s", qPrintable(probe.errorString()));
    return {QStringLiteral("--cluster-enabled"), QStringLiteral("yes"), QStringLiteral("--cluster-port"),
            QString::number(probe.serverPort())};
}
/// Redis 6 has no ranges of slots, and arguments of a program are limited to 128 KiB.
inline void addSlots(const RedisServer &node, int first, int last)
{
    if (RedisServer::majorVersion() >= 7) {
        node.cli({"CLUSTER", "ADDSLOTSRANGE", QByteArray::number(first), QByteArray::number(last)});
        return;
    }
    constexpr int atOnce = 1000;
    for (int from = first; from <= last; from += atOnce) {
        QByteArrayList command{"CLUSTER", "ADDSLOTS"};
        for (int slot = from; slot <= std::min(last, from + atOnce - 1); ++slot)
            command.append(QByteArray::number(slot));
        node.cli(command);
    }
}

/// Redis 6 has no setting for the bus port.
inline QByteArray busPortOf(const RedisServer &node)
{
    return RedisServer::majorVersion() < 7 ? QByteArray::number(node.port() + 10'000)
                                           : node.cli({"CONFIG", "GET", "cluster-port"}).split('\n').last();
}

/// Makes a cluster of two nodes; the first has all slots.
inline bool makeCluster(const RedisServer &first, const RedisServer &second)
{
    addSlots(first, 0, 16383);
    second.cli({"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(first.port()), busPortOf(first)});
    const auto isWhole = [](const RedisServer &node) {
        const QByteArray info = node.cli({"CLUSTER", "INFO"});
        return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:2") &&
               !node.cli({"CLUSTER", "NODES"}).contains("handshake");
    };
    return QTest::qWaitFor([&] { return isWhole(first) && isWhole(second); }, 30'000);
}

} // namespace lockscope

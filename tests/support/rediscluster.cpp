// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rediscluster.h"

#include "core/redis/deployment/slot.h"
#include "tests/support/othernodes.h"

#include <QtTest>

namespace lockscope {

namespace {

/// So that slot * primaries / slotCount says whose it is.
int firstSlot(int primary, int primaries)
{
    return (primary * slotCount + primaries - 1) / primaries;
}

} // namespace

RedisCluster::RedisCluster(int primaries, bool replicated, Coverage coverage) : m_coverage(coverage)
{
    const int total = replicated ? 2 * primaries : primaries;
    for (int i = 0; i < total; ++i) {
        m_nodes.push_back(std::make_unique<RedisServer>(settings()));
        m_busPorts.push_back(busPortOf(node(i)));
    }
    for (int i = 0; i < primaries; ++i) {
        node(i).cli({"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(i + 1)});
        addSlots(node(i), firstSlot(i, primaries), firstSlot(i + 1, primaries) - 1);
    }
    for (int i = 1; i < total; ++i)
        meet(node(i));
    if (!waitUntilWhole())
        qFatal("the cluster did not come up: %s", node(0).cli({"CLUSTER", "NODES"}).constData());
    for (int i = primaries; i < total; ++i)
        node(i).cli({"CLUSTER", "REPLICATE", idOf(node(i - primaries))});
    for (int i = primaries; i < total; ++i) {
        if (!isInStep(node(i)))
            qFatal("a replica did not come up");
    }
    if (!waitUntilWhole())
        qFatal("the cluster did not come up");
}

QStringList RedisCluster::settings() const
{
    return nodeSettings() + masterSettings() +
           QStringList{QStringLiteral("--cluster-node-timeout"),
                       QStringLiteral("1000"),
                       QStringLiteral("--cluster-replica-validity-factor"),
                       QStringLiteral("0"),
                       QStringLiteral("--cluster-require-full-coverage"),
                       m_coverage == Coverage::Full ? QStringLiteral("yes") : QStringLiteral("no")};
}

void RedisCluster::meet(RedisServer &node)
{
    node.cli(
        {"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(m_nodes.front()->port()), m_busPorts.front()});
}

RedisServer &RedisCluster::join()
{
    m_nodes.push_back(std::make_unique<RedisServer>(settings()));
    meet(*m_nodes.back());
    if (!waitUntilWhole())
        qFatal("the new node was not taken in");
    return *m_nodes.back();
}

bool RedisCluster::waitUntilWhole(int timeoutMs) const
{
    const auto isWhole = [this](const RedisServer &node) {
        const QByteArray info = node.cli({"CLUSTER", "INFO"});
        const QByteArray nodes = node.cli({"CLUSTER", "NODES"});
        return info.contains("cluster_state:ok") &&
               info.contains("cluster_known_nodes:" + QByteArray::number(size()) + '\r') &&
               !nodes.contains("handshake") && !nodes.contains("fail");
    };
    return QTest::qWaitFor(
        [&] { return std::ranges::all_of(m_nodes, [&](const auto &node) { return isWhole(*node); }); },
        timeoutMs);
}

QByteArray RedisCluster::idOf(const RedisServer &node)
{
    return node.cli({"CLUSTER", "MYID"});
}

QByteArray RedisCluster::keyOn(const RedisServer &node, const QByteArray &form, int by) const
{
    const QByteArray mine = idOf(node);
    std::vector<bool> keeps(slotCount);
    for (const QByteArray &line : this->node(by).cli({"CLUSTER", "NODES"}).split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.value(0) != mine)
            continue;
        for (const QByteArray &range : words.mid(8)) {
            const QList<QByteArray> ends = range.split('-');
            for (int slot = ends.first().toInt(); slot <= ends.last().toInt() && !range.startsWith('[');
                 ++slot)
                keeps[size_t(slot)] = true;
        }
    }
    for (int i = 0; i < 1'000'000; ++i) {
        QByteArray key = form;
        key.replace("%1", QByteArray::number(i));
        if (keeps[size_t(slotOf(key))])
            return key;
    }
    qFatal("the node keeps no slots");
}

void RedisCluster::openSlot(int slot, RedisServer &from, RedisServer &to)
{
    const QByteArray number = QByteArray::number(slot);
    to.cli({"CLUSTER", "SETSLOT", number, "IMPORTING", idOf(from)});
    from.cli({"CLUSTER", "SETSLOT", number, "MIGRATING", idOf(to)});
}

void RedisCluster::moveKey(const QByteArray &key, RedisServer &from, RedisServer &to)
{
    from.cli({"MIGRATE", "127.0.0.1", QByteArray::number(to.port()), key, "0", "5000"});
}

void RedisCluster::closeSlot(int slot, RedisServer &to)
{
    const QByteArray number = QByteArray::number(slot);
    const QByteArray id = idOf(to);
    to.cli({"CLUSTER", "SETSLOT", number, "NODE", id});
    for (const auto &node : m_nodes) {
        if (node.get() != &to && node->cli({"ROLE"}).startsWith("master"))
            node->cli({"CLUSTER", "SETSLOT", number, "NODE", id});
    }
}

void RedisCluster::moveSlot(int slot, RedisServer &from, RedisServer &to)
{
    openSlot(slot, from, to);
    for (;;) {
        const QByteArray keys = from.cli({"CLUSTER", "GETKEYSINSLOT", QByteArray::number(slot), "100"});
        if (keys.isEmpty())
            break;
        for (const QByteArray &key : keys.split('\n'))
            moveKey(key, from, to);
    }
    closeSlot(slot, to);
}

} // namespace lockscope

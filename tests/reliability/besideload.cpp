// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/reliability/besideload.h"

#include "core/base/time.h"
#include "core/redis/blockingconnection.h"
#include "core/redis/info.h"

#include <QRandomGenerator>

#include <memory>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto tickTime = 10ms;
constexpr int setsATick = 15;
constexpr int deletionsATick = 5;
constexpr int expiriesATick = 10;
constexpr int ticksToLook = 20; // at what the server has counted
constexpr int idleKeys = 20'000;
constexpr auto maxIdle = "1000"; // seconds

struct LoadedNode
{
    std::unique_ptr<BlockingConnection> connection;
    QByteArray tag;
    qint64 expired = 0;
    qint64 evicted = 0;
    bool evicts = false; // since the limit was set last

    bool isOpen() { return connection->isOpen() || connection->open().has_value(); }
    qint64 reported(const char *section, const char *field) const
    {
        const auto info = connection->send({"INFO", section});
        return info ? infoNumber(info->text, field).value_or(0) : 0;
    }
    /// Has as many idle keys as its memory holds.
    void fill(int keys) const
    {
        const QByteArray head = tag + "beside:idle:";
        std::ignore = connection->send({"SET", head, QByteArray(100, 'x')});
        const auto dump = connection->send({"DUMP", head});
        for (int i = 0; dump && i < keys;) {
            CommandBatch batch;
            for (; i < keys && batch.size() < 1000; ++i)
                batch.add({"RESTORE", head + QByteArray::number(i), "0", dump->text, "REPLACE", "IDLETIME",
                           maxIdle});
            std::ignore = connection->send(batch);
        }
        std::ignore = connection->send({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
        const QByteArray used = QByteArray::number(reported("memory", "used_memory"));
        std::ignore = connection->send({"CONFIG", "SET", "maxmemory", used});
    }
};

} // namespace

BesideLoad::BesideLoad(std::vector<Node> nodes, quint32 seed)
    : m_nodes(std::move(nodes)), m_seed(seed), m_thread([this](const std::stop_token &stop) { write(stop); })
{
}

void BesideLoad::write(const std::stop_token &stop)
{
    QRandomGenerator random(m_seed);
    std::vector<LoadedNode> nodes;
    for (const Node &node : m_nodes)
        nodes.push_back({std::make_unique<BlockingConnection>(
                             node.address, BlockingConnection::Options{.clientName = "beside"}, stop),
                         node.tag});
    const int keysANode = idleKeys / int(nodes.size());
    qint64 serial = 0;
    const TimePoint began = Clock::now();
    TimePoint next = began;
    for (int tick = 0; !stop.stop_requested(); ++tick) {
        std::vector<CommandBatch> batches(nodes.size());
        const auto add = [&](QByteArrayList command, const QByteArray &key) {
            const size_t node = random.bounded(quint32(nodes.size()));
            command[1] = nodes[node].tag + key;
            const std::vector<QByteArrayView> words(command.begin(), command.end());
            batches[node].add(words);
        };
        const auto any = [&] { return "beside:" + QByteArray::number(random.bounded(2000)); };
        for (int i = 0; i < setsATick; ++i)
            add({"SET", {}, QByteArray(random.bounded(1, 60), 'v')}, any());
        for (int i = 0; i < deletionsATick; ++i)
            add({"DEL", {}}, any());
        for (int i = 0; i < expiriesATick; ++i)
            add({"SET", {}, "v", "PX", QByteArray::number(random.bounded(20, 200))},
                "beside:short:" + QByteArray::number(++serial));
        add({"SET", {}, QByteArray(100, 'x')}, "beside:next:" + QByteArray::number(++serial));
        bool areAllInSwing = true;
        for (size_t i = 0; i < nodes.size(); ++i) {
            LoadedNode &node = nodes[i];
            if (!node.isOpen()) {
                areAllInSwing = false;
                continue;
            }
            if (!batches[i].isEmpty() && node.connection->send(batches[i]))
                m_writes += batches[i].size();
            if (tick % ticksToLook == 0) {
                const qint64 expired = node.reported("stats", "expired_keys");
                const qint64 evicted = node.reported("stats", "evicted_keys");
                m_expired += std::max<qint64>(0, expired - std::exchange(node.expired, expired));
                const qint64 more = evicted - std::exchange(node.evicted, evicted);
                node.evicts = node.evicts || more > 0;
                m_evicted += more < keysANode / 2 ? std::max<qint64>(0, more) : 0; // else by somebody's deed
                const auto size = node.connection->send({"DBSIZE"});
                if (size && size->integer < keysANode / 2) {
                    const auto held = holdMemory();
                    node.fill(keysANode);
                    node.evicted = node.reported("stats", "evicted_keys");
                    node.evicts = false;
                }
            }
            areAllInSwing = areAllInSwing && node.evicts;
        }
        m_isInSwing = areAllInSwing;
        m_ms = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began).count();
        next = std::max(next + tickTime, Clock::now() - 100ms);
        std::this_thread::sleep_until(next); // so many a second
    }
}

QByteArray BesideLoad::inWords() const
{
    const auto rate = [this](qint64 count) {
        return QByteArray::number(1000 * count / std::max<qint64>(1, m_ms)) + "/s ";
    };
    return rate(m_writes) + "writes, " + rate(m_expired) + "expiries, " + rate(m_evicted) + "evictions";
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
// Uncontended acquire + release: what our worker's connection costs beside the same scripts called by others, and beside
// other libraries' locks. All by loopback TCP, on one server.
#include "core/redis/script.h"
#include "core/simulation/strategy/strategy.h"
#include "core/simulation/strategy/subscriptionhub.h"
#include "core/simulation/strategy/workerconnections.h"
#include "tests/bench/contest.h"
#include "tests/bench/lockpeers.h"
#include "tests/bench/placement.h"
#include "tests/bench/plainclient.h"
#include "tests/support/redisserver.h"

#include <QCoreApplication>

#include <cstdio>
#include <memory>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QByteArray lease = "30"; // seconds, longer than anything here

struct Scale
{
    int rounds;
    std::chrono::milliseconds round;
    int requests; ///< of redis-benchmark, for each script
};

ServerAddress loopback(quint16 port)
{
    ServerAddress address;
    address.transport = ServerAddress::Transport::Tcp;
    address.host = QStringLiteral("127.0.0.1");
    address.port = port;
    return address;
}

QByteArray keyOf(int thread)
{
    return "bench:" + QByteArray::number(thread);
}

/// A lock as the simulation's workers use it: the strategy over their connection.
class Client : private FaultHook
{
public:
    Client(const ServerAddress &server, const QByteArray &key)
        : links(server, {}),
          m_hub(server),
          m_lock(makeStrategy({}, {links, m_hub, *this, m_random, {}, LockKey{key}, OwnerId{"ours:" + key}}))
    {
    }

    bool pair()
    {
        const auto taken = m_lock->acquire({std::chrono::seconds(lease.toInt()), {}});
        if (!taken || !taken->holds())
            return false;
        const auto returned = m_lock->release();
        return returned && returned->verdict == ReleaseResult::Verdict::Released;
    }

    WorkerConnections links;

private:
    bool pass(Moment) override { return true; }

    SubscriptionHub m_hub;
    std::mt19937 m_random;
    std::unique_ptr<LockStrategy> m_lock;
};

class Bench
{
public:
    Bench(quint16 port, const Scale &scale) : m_port(port), m_scale(scale), m_server(loopback(port), {}) {}

    bool prepare();
    bool run(); ///< false: our own side could not be measured

private:
    Contestant ours(int threads, std::chrono::milliseconds duration);
    Contestant hiredis(int threads);

    const quint16 m_port;
    const Scale m_scale;
    BlockingConnection m_server;
    LoadedScripts m_scripts;
};

bool Bench::prepare()
{
    if (!m_server.open())
        return false;
    const Script acquireScript("reentrant/acquire.lua");
    const Script releaseScript("reentrant/release.lua");
    const auto acquire = m_server.send({"SCRIPT", "LOAD", acquireScript.textFor(m_server.server())});
    const auto release = m_server.send({"SCRIPT", "LOAD", releaseScript.textFor(m_server.server())});
    if (!acquire || !release)
        return false;
    m_scripts = {acquire->text, release->text};
    return true;
}

Contestant Bench::ours(int threads, std::chrono::milliseconds duration)
{
    const auto prepare = [this](int thread) -> Pair {
        const auto client = std::make_shared<Client>(loopback(m_port), keyOf(thread));
        if (!client->links.open())
            return {};
        return [client] { return client->pair(); };
    };
    return {"Lockscope", [=] { return ratePairs(threads, duration, prepare); }};
}

Contestant Bench::hiredis(int threads)
{
    const auto prepare = [this](int thread) {
        return hiredisPair(m_port, m_scripts.acquireSha1, m_scripts.releaseSha1, keyOf(thread),
                           "hiredis:" + QByteArray::number(thread), lease);
    };
    return {"hiredis, blocking threads", [=, this] { return ratePairs(threads, m_scale.round, prepare); },
            0.95};
}

bool Bench::run()
{
    printHeading("Uncontended acquire + release, pairs/s");
    bool haveRun = compete("8 threads", ours(8, m_scale.round), {{hiredis(8)}}, m_scale.rounds);
    haveRun = compete("40 threads", ours(40, m_scale.round), {{hiredis(40)}}, m_scale.rounds) && haveRun;
    const Contestant benchmark{
        "redis-benchmark -c 40",
        [this] { return rateRedisBenchmark(m_server, m_port, m_scripts, lease, m_scale.requests); }, 0.85};
    haveRun = compete("40 connections", ours(40, m_scale.round), {{benchmark}}, m_scale.rounds) && haveRun;
    const Contestant python{"redis-py Lock",
                            [this] {
                                return rateLibrary(QStringLiteral("/usr/bin/python3"),
                                                   QStringLiteral("redis_py_lock.py"), m_port, m_scale.round);
                            },
                            1.0};
    const Contestant node{"redis-semaphore Mutex",
                          [this] {
                              return rateLibrary(QStringLiteral("node"),
                                                 QStringLiteral("redis_semaphore_mutex.js"), m_port,
                                                 m_scale.round);
                          },
                          0.95};
    // Alone, a client waits for its turn at a core more than for the server: where both run decides more than what
    // they do, so it is the same for all.
    for (const Placement placement : {Placement::OneCore, Placement::TwoCores}) {
        const Pinned pinned(m_server, placement);
        haveRun = compete(placement == Placement::OneCore ? "1 client, 1 core" : "1 client, 2 cores",
                          ours(1, m_scale.round), {{hiredis(1), python, node}}, m_scale.rounds) &&
                  haveRun;
    }
    return haveRun;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const bool isSmoke = QCoreApplication::arguments().contains(QStringLiteral("--smoke"));
    const RedisServer server; // by its port, as the peers know no other way
    Bench bench(server.port(), isSmoke ? Scale{1, 50ms, 1000} : Scale{15, 400ms, 20'000});
    if (!bench.prepare()) {
        std::fprintf(stderr, "the scripts can't be loaded\n");
        return 1;
    }
    return bench.run() ? 0 : 1;
}

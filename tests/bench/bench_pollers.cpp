// SPDX-License-Identifier: GPL-3.0-or-later
// How near the estimate of polling clients comes: 1 to 200 clients of a kind poll 20 held keys beside 2,000 other commands a
// second, of clients that mix them and of two that only read. The truth is known, the estimate is the exporter's. A run takes
// ten seconds. --rounds N; --smoke: two short runs, figures without a meaning.
#include "tests/bench/plainclient.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/series.h"
#include "tests/bench/waituntil.h"
#include "tests/support/redisserver.h"

#include "core/monitor/pollerwatch.h"

#include <QCoreApplication>

#include <cmath>
#include <cstdio>
#include <random>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int keys = 20;
constexpr int mixedClients = 20;
constexpr int mixedPerSecond = 85; // of each; 300 more by those that only read
constexpr double largestError = 0.3;
constexpr double fewestRight = 0.9;

QByteArray keyOf(int number)
{
    return "lock:" + QByteArray::number(number % keys);
}

/// A kind of polling: one attempt, and the pause after it.
struct Kind
{
    const char *name;
    milliseconds pause;
    void (*attempt)(PlainClient &client, const QByteArray &key);
};

const QByteArray script =
    "if redis.call('exists', KEYS[1]) == 0 then redis.call('set', KEYS[1], ARGV[1], 'px', 50) "
    "return nil end return redis.call('pttl', KEYS[1])";

constexpr Kind kinds[] = {
    {"SET NX, 10 ms", 10ms,
     [](PlainClient &client, const QByteArray &key) {
         client.send({"SET", key, "poller", "NX", "PX", "50"});
     }},
    {"redis-py, 100 ms", 100ms,
     [](PlainClient &client, const QByteArray &key) {
         client.send({"SET", key, "poller", "NX", "PX", "50"});
     }},
    {"GET and SET, 250 ms", 250ms,
     [](PlainClient &client, const QByteArray &key) {
         const auto found = client.send({"GET", key});
         if (found && found->isEmpty())
             client.send({"SET", key, "poller", "NX", "PX", "50"});
     }},
    {"EVALSHA, 50 ms", 50ms,
     [](PlainClient &client, const QByteArray &key) {
         if (!client.send({"EVALSHA", "7b4b8128490c025fc86f272ffedea87fe45d7f38", "1", key, "poller"}))
             client.send({"EVAL", script, "1", key, "poller"});
     }},
};

/// Ordinary work of an application, each command by chance.
void workOnce(PlainClient &client, std::mt19937 &random)
{
    const QByteArray key = "data:" + QByteArray::number(random() % 1000);
    switch (random() % 10) {
    case 0:
    case 1:
    case 2:
    case 3:
        client.send({"GET", key});
        break;
    case 4:
    case 5:
        client.send({"SET", key, "a value", "EX", "600"});
        break;
    case 6:
        client.send({"INCR", "count:" + key});
        break;
    case 7:
        client.send({"HSET", "hash:" + key, "field", "value"});
        break;
    case 8:
        client.send({"EXPIRE", key, "600"});
        break;
    default:
        client.send({"LPUSH", "list", key});
        client.send({"LTRIM", "list", "0", "100"});
    }
}

/// All clients of one run, which end with it.
class Clients
{
public:
    Clients(const QString &socket, const Kind &kind, int pollers, unsigned seed)
    {
        m_threads.emplace_back([socket](const std::stop_token &stop) { // the holders
            PlainClient client(socket);
            for (int key = 0; key < keys; ++key)
                client.send({"SET", keyOf(key), "holder", "PX", "5000"});
            for (int turn = 50; !stop.stop_requested(); ++turn) {
                for (int key = 0; key < keys; ++key) {
                    if ((turn + key) % 50 != 0) { // else released, and acquired by another
                        client.append({"PEXPIRE", keyOf(key), "5000"});
                        continue;
                    }
                    client.append({"DEL", keyOf(key)});
                    client.append({"SET", keyOf(key), "holder-" + QByteArray::number(turn), "PX", "5000"});
                }
                client.drain();
                std::this_thread::sleep_for(100ms);
            }
        });
        for (int i = 0; i < mixedClients; ++i)
            add(socket, std::chrono::microseconds(1'000'000 / mixedPerSecond), seed + unsigned(i),
                [](PlainClient &client, std::mt19937 &random) { workOnce(client, random); });
        for (int i = 0; i < 2; ++i)
            add(socket, std::chrono::microseconds(1'000'000 / 150), seed + 100 + unsigned(i),
                [](PlainClient &client, std::mt19937 &random) {
                    client.send({"GET", "data:" + QByteArray::number(random() % 1000)});
                });
        for (int i = 0; i < pollers; ++i) {
            m_threads.emplace_back([socket, kind, i, seed](const std::stop_token &stop) {
                PlainClient client(socket);
                std::mt19937 random(seed + 1000 + unsigned(i));
                std::this_thread::sleep_for(kind.pause * double(random() % 1000) / 1000);
                for (; !stop.stop_requested(); std::this_thread::sleep_for(kind.pause))
                    kind.attempt(client, keyOf(i));
            });
        }
    }

private:
    template <typename Work>
    void add(const QString &socket, std::chrono::microseconds mean, unsigned seed, Work work)
    {
        m_threads.emplace_back([socket, mean, seed, work](const std::stop_token &stop) {
            PlainClient client(socket);
            std::mt19937 random(seed);
            std::exponential_distribution<double> pause(1.0 / double(mean.count()));
            while (!stop.stop_requested()) {
                work(client, random);
                std::this_thread::sleep_for(std::chrono::microseconds(qint64(pause(random))));
            }
        });
    }

    std::vector<std::jthread> m_threads;
};

struct Outcomes
{
    int runs = 0;
    int near = 0;
    int inside = 0;
    Series costs;
};

bool run(const Kind &kind, int pollers, unsigned seed, Outcomes &result)
{
    const RedisServer server;
    const Clients clients(server.socketPath(), kind, pollers, seed);
    PollerWatch watch(server.socketAddress());
    watch.setActive(true);
    const TimePoint begin = Clock::now();
    if (!waitUntil([&] { return watch.estimate(true) && Clock::now() - begin > 10s; }, 60s)) {
        printNotMeasured(kind.name, "there was no estimate");
        return false;
    }
    const PollerEstimate told = *watch.estimate(true);
    const double error = std::abs(double(told.clients - pollers)) / pollers;
    ++result.runs;
    result.near += error <= largestError;
    result.inside += told.low <= pollers && pollers <= told.high;
    // The server's own statistics: time of CLIENT LIST and INFO, of all commands, calls a second.
    double ours = 0;
    for (const QByteArray &line : server.cli({"INFO", "commandstats"}).split('\n')) {
        if (line.startsWith("cmdstat_client|list:") || line.startsWith("cmdstat_info:"))
            ours += line.mid(line.indexOf("usec=") + 5).split(',').first().toDouble();
    }
    const double share = ours / 1e4 / std::chrono::duration<double>(Clock::now() - begin).count();
    result.costs.add(share);
    std::printf("  %-20s %3d pollers: %3lld (%lld-%lld), error %.0f%%, %.2f%% of a core\n", kind.name,
                pollers, static_cast<long long>(told.clients), static_cast<long long>(told.low),
                static_cast<long long>(told.high), 100 * error, share);
    std::fflush(stdout);
    return true;
}

QByteArray shareText(int count, int of)
{
    return QByteArray::number(100.0 * count / of, 'f', 0) + "% of " + QByteArray::number(of);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const bool smoke = arguments.contains(QStringLiteral("--smoke"));
    const qsizetype given = arguments.indexOf(QStringLiteral("--rounds"));
    const int rounds = given > 0 ? arguments.value(given + 1).toInt() : 1;
    Outcomes all;
    unsigned seed = 1;
    for (int round = 0; round < rounds; ++round) {
        for (const int pollers : smoke ? std::vector{3} : std::vector{1, 3, 10, 30, 100, 200}) {
            for (const Kind &kind : kinds) {
                if ((smoke && kind.pause != 100ms && kind.pause != 250ms) ||
                    !(run(kind, pollers, seed++, all)))
                    continue;
            }
        }
    }
    if (all.runs == 0)
        return 1;
    printScaleHeading();
    printRow({"polling clients: error of at most 30%",
              shareText(all.near, all.runs),
              "a limit: 90%",
              {},
              ">= 90%",
              all.near >= fewestRight * all.runs});
    printRow({"polling clients: the truth is within the error bar",
              shareText(all.inside, all.runs),
              "a limit: 90%",
              {},
              ">= 90%",
              all.inside >= fewestRight * all.runs});
    printRow({"polling clients: share of a server's core",
              QByteArray::number(all.costs.quantile(1), 'f', 2) + "% at most",
              "a limit: 1%",
              {},
              "<= 1%",
              all.costs.quantile(1) <= 1});
    return 0;
}

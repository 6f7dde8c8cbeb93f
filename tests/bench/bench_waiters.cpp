// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs the server that the monitor knows who waits: a monitor that looks at what stands beside the locks, less
// one that does not, in turn on the same server. --rounds N: not as many as usual; --smoke: seconds, figures without a
// meaning.
#include "tests/bench/scaletable.h"
#include "tests/bench/series.h"
#include "tests/bench/stage.h"
#include "tests/bench/watcher.h"

#include "core/family/companionkeys.h"
#include "core/family/libraries/redisson.h"
#include "core/redis/connection.h"
#include "core/redis/whendone.h"
#include "tests/support/familyliteral.h"

#include <QCoreApplication>

#include <cstdio>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr auto settling = 3s;
constexpr auto never = 24h;
constexpr int waitersEach = 3;

struct WaiterScale
{
    int waitedFor;
    int alone; ///< of the second part: locks for which nobody waits
    int rounds;
    milliseconds window;
};
const WaiterScale fullScale{1000, 100'000, 5, 6s};
const WaiterScale smokeScale{60, 1000, 1, 300ms};

QByteArray ownerOf(int client, int thread)
{
    return "6b1f8a52-0c1d-4e5f-8a9b-" + QByteArray::number(client).rightJustified(12, '0') + ':' +
           QByteArray::number(thread);
}

/// Clients that wait: each is subscribed to the channels of many locks.
class Listeners
{
public:
    explicit Listeners(const ServerAddress &server)
    {
        for (auto &client : m_clients) {
            client = std::make_unique<Connection>(
                server, Connection::Options{.clientName = "waiters", .acceptsPush = true});
            client->open();
        }
    }
    bool areReady() const
    {
        return std::ranges::all_of(m_clients,
                                   [](const auto &c) { return c->state() == Connection::State::Ready; });
    }
    void add(const QByteArray &channel)
    {
        CommandBatch &batch = m_batches[m_next];
        batch.add({"SUBSCRIBE", channel});
        m_next = (m_next + 1) % m_clients.size();
    }
    bool subscribe()
    {
        size_t done = 0;
        for (size_t i = 0; i < m_clients.size(); ++i)
            whenDone(m_clients[i].get(), m_clients[i]->send(m_batches[i]),
                     [&done](const Result<std::vector<Reply>> &replies) { done += replies ? 1U : 0U; });
        return waitUntil([&] { return done == m_clients.size(); }, 10s);
    }

private:
    std::array<std::unique_ptr<Connection>, 4> m_clients;
    std::array<CommandBatch, 4> m_batches;
    size_t m_next = 0;
};

/// Half of them fair locks with a queue, half plain ones on whose channels two processes listen.
bool makeWaitedFor(Stage &stage, Listeners &listeners, int locks)
{
    CommandBatch batch;
    for (int i = 0; i < locks; ++i) {
        const LockKey key("lock:waited:" + QByteArray::number(i));
        batch.add({"HSET", key.bytes, ownerOf(i, 1), "1"});
        batch.add({"PEXPIRE", key.bytes, "3600000"});
        if (i % 2 == 0) {
            listeners.add(unlockChannel("redisson"_family, key));
            listeners.add(unlockChannel("redisson"_family, key));
            continue;
        }
        const RedissonKeys keys(key);
        for (int waiter = 0; waiter < waitersEach; ++waiter) {
            const OwnerId id(ownerOf(i, 2 + waiter));
            batch.add({"RPUSH", keys.queue, id.bytes});
            batch.add({"ZADD", keys.timeouts, "1700000000000", id.bytes});
            listeners.add(waiterChannel("redisson-fair"_family, key, id));
        }
    }
    return stage.control().send(batch) && listeners.subscribe();
}

bool makeAlone(Stage &stage, int locks)
{
    for (int made = 0; made < locks; made += 1000) {
        CommandBatch batch;
        for (int i = made; i < std::min(made + 1000, locks); ++i) {
            const QByteArray key = "lock:alone:" + QByteArray::number(i);
            batch.add({"HSET", key, ownerOf(i, 1), "1"});
            batch.add({"PEXPIRE", key, "3600000"});
        }
        if (!stage.control().send(batch))
            return false;
    }
    return true;
}

struct Load
{
    double points; ///< of one core of the server
    int known;     ///< locks of which it is known that somebody waits
};

/// With a monitor that looks so often.
std::optional<Load> loadWith(Stage &stage, milliseconds interval, milliseconds window)
{
    QSet<LockKey> waitedFor;
    MonitorOptions options;
    options.patterns = {"lock:*"};
    options.waitersInterval = interval;
    Watcher watcher(stage.address(), options, [&](const LockDiff &diff) {
        for (const WatchedLock &lock : diff.changed) {
            if (lock.lock.companions->waiters.count > 0)
                waitedFor.insert(lock.key());
        }
    });
    if (!watcher.scan())
        return std::nullopt;
    runFor(settling); // the first looks at each
    const auto cpu = stage.figures().cpu();
    const TimePoint begin = Clock::now();
    runFor(window);
    const std::chrono::duration<double> wall = Clock::now() - begin;
    return Load{100 * (stage.figures().cpu() - cpu).count() / wall.count(), int(waitedFor.size())};
}

bool compare(Stage &stage, const WaiterScale &scale, const QByteArray &what, double target)
{
    Series added;
    Series without;
    int known = 0;
    for (int round = 0; round < scale.rounds; ++round) {
        const bool looksFirst = round % 2 == 0;
        auto looking = looksFirst ? loadWith(stage, 1s, scale.window) : std::nullopt;
        const auto blind = loadWith(stage, never, scale.window);
        if (!looksFirst)
            looking = loadWith(stage, 1s, scale.window);
        if (!looking || !blind) {
            printNotMeasured(what, "a sweep did not end");
            return false;
        }
        added.add(looking->points - blind->points);
        without.add(blind->points);
        known = looking->known;
    }
    printRow({what + ", of which " + QByteArray::number(known) + " waited for",
              added.text(2) + " points added",
              "not looking: " + without.text(2) + " % of the server's core",
              {},
              "<= " + QByteArray::number(target) + (target == 1 ? " point" : " points"),
              added.median() <= target});
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    WaiterScale scale = arguments.contains(QStringLiteral("--smoke")) ? smokeScale : fullScale;
    if (const qsizetype rounds = arguments.indexOf(QStringLiteral("--rounds")); rounds > 0)
        scale.rounds = std::max(arguments.value(rounds + 1).toInt(), 1);
    printScaleHeading();
    const auto stage = Stage::make({"waiters", 0, 10 * scale.waitedFor});
    if (!stage)
        return 1;
    Listeners listeners(stage->address());
    if (!waitUntil([&] { return listeners.areReady(); }, 10s) ||
        !makeWaitedFor(*stage, listeners, scale.waitedFor)) {
        std::fprintf(stderr, "the waiters can't be made\n");
        return 1;
    }
    const QByteArray waitedFor = QByteArray::number(scale.waitedFor) + " locks";
    if (!compare(*stage, scale, "who waits, " + waitedFor, 1) || !makeAlone(*stage, scale.alone))
        return 1;
    return compare(*stage, scale,
                   "who waits, " + QByteArray::number(scale.alone + scale.waitedFor) + " locks", 5)
               ? 0
               : 1;
}

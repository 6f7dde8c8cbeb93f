// SPDX-License-Identifier: GPL-3.0-or-later
// What a monitor holds after so many seconds of changes of every kind, against what python3-redis reads, key by key.
// Arguments: seconds [locks [commands a second]]; 100,000 and 23,000 where they are not given: less than half of them
// change something, 10,000 a second.
#include "tests/support/lockwriter.h"
#include "tests/support/redisserver.h"
#include "tests/support/truth.h"
#include "tests/support/watcher.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>
#include <cstdio>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr auto longestSweep = 5min;

/// How old the picture was said to be, looked at every 100 ms.
class Ages
{
public:
    void look(TimePoint confirmedAt)
    {
        m_ages.push_back(std::chrono::duration<double>(Clock::now() - confirmedAt).count());
    }
    double part(double share)
    {
        std::ranges::sort(m_ages);
        return m_ages[static_cast<size_t>(share * static_cast<double>(m_ages.size() - 1))];
    }

private:
    std::vector<double> m_ages;
};

/// Not QTest::qWait(), which sleeps between two looks for events: the monitor would be slowed down by it.
void runFor(milliseconds duration)
{
    QEventLoop loop;
    QTimer::singleShot(duration, &loop, &QEventLoop::quit);
    loop.exec();
}

template <typename Predicate>
bool becomesTrue(Predicate predicate, milliseconds within)
{
    const TimePoint end = Clock::now() + within;
    while (!predicate() && Clock::now() < end)
        runFor(20ms);
    return predicate();
}

bool compare(std::chrono::seconds duration, int locks, int perSecond)
{
    const quint32 seed = QRandomGenerator::global()->generate();
    std::printf("seed %u\n", seed);
    std::fflush(stdout);
    const RedisServer server;
    LockWriter writer({.server = server.socketAddress(),
                       .seed = seed,
                       .locks = locks,
                       .perSecond = perSecond,
                       .fills = true,
                       .upheaval = std::min<milliseconds>(duration / 3, 25s)});
    if (!becomesTrue([&] { return writer.hasFilled(); }, 2min))
        return false;
    Watcher watcher(server.socketAddress());
    Ages ages;
    const TimePoint end = Clock::now() + duration;
    while (Clock::now() < end) {
        runFor(100ms);
        if (watcher.confirmedAt > TimePoint())
            ages.look(watcher.confirmedAt);
    }
    writer.stop();
    const TimePoint stopped = Clock::now();
    watcher.monitor.scanNow();
    const bool scanFinished = becomesTrue([&] { return watcher.sweptSince >= stopped; }, longestSweep);
    if (!writer.failure().isEmpty() || !scanFinished) {
        std::fprintf(stderr, "%s\n", scanFinished ? writer.failure().constData() : "no sweep came through");
        return false;
    }
    const double healed = std::chrono::duration<double>(Clock::now() - stopped).count();
    const QByteArrayList differences =
        differencesFromTruth(server.socketAddress(), MonitorOptions().patterns, watcher.held());
    std::printf("%lld changes in %lld s (%.0f a second), %d of them FLUSHDB or SWAPDB, over %d names; "
                "%lld locks at the end\n"
                "sweeps: %lld; age of the picture while writing: p50 %.1f s, longest %.1f s; a sweep after "
                "the last change: %.1f s\n"
                "differences after one sweep: %lld\n",
                writer.changes(), static_cast<long long>(duration.count()),
                static_cast<double>(writer.changes()) / static_cast<double>(duration.count()),
                writer.upheavals(), locks, static_cast<long long>(watcher.locks.size()),
                static_cast<long long>(watcher.scanFinished.size()), ages.part(0.5), ages.part(1), healed,
                static_cast<long long>(differences.size()));
    for (const QByteArray &difference : differences.mid(0, 20))
        std::printf("    %s\n", difference.toPercentEncoding(" :,=").constData());
    return differences.isEmpty();
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const int seconds = std::max(arguments.value(1, QStringLiteral("60")).toInt(), 1);
    const int locks = std::max(arguments.value(2, QStringLiteral("100000")).toInt(), 1);
    const int perSecond = std::max(arguments.value(3, QStringLiteral("23000")).toInt(), 100);
    return compare(std::chrono::seconds(seconds), locks, perSecond) ? 0 : 1;
}

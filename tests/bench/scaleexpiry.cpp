// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/histogram.h"
#include "tests/bench/scalerows.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/watcher.h"

#include <QHash>

#include <random>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using WallClock = std::chrono::system_clock; // the server's
constexpr auto shortest = 1s;                // all are made before the first ends

/// Tokens that end at known moments of the server's clock, and how late each is heard to have ended.
class Ending
{
public:
    Ending(const QByteArray &prefix, const BenchScale &scale)
    {
        std::mt19937 random(1);
        std::uniform_int_distribution<qint64> offset(0, scale.endings.count());
        const auto first = std::chrono::ceil<milliseconds>(WallClock::now() + shortest);
        for (int i = 0; i < scale.expiring; ++i)
            m_ends.insert(prefix + QByteArray::number(i), first + milliseconds(offset(random)));
    }

    bool make(PlainClient &client) const
    {
        for (auto end = m_ends.cbegin(); end != m_ends.cend(); ++end)
            client.append(
                {"SET", end.key(), "a token", "PXAT", QByteArray::number(end->time_since_epoch().count())});
        return client.drain();
    }

    void heardOf(const QByteArray &key)
    {
        const auto end = m_ends.constFind(key);
        if (end == m_ends.cend())
            return;
        m_lateness.record(std::chrono::duration_cast<microseconds>(WallClock::now() - *end));
        m_ends.erase(end);
    }

    bool isOver() const { return m_ends.isEmpty(); }
    const Histogram &lateness() const { return m_lateness; }

private:
    QHash<QByteArray, std::chrono::time_point<WallClock, milliseconds>> m_ends;
    Histogram m_lateness;
};

/// From now: all have ended, and as much time again.
milliseconds heardWithin(const BenchScale &scale)
{
    return shortest + 2 * scale.endings;
}

QByteArray percentiles(const Histogram &lateness)
{
    const auto text = [&lateness](double share) {
        const auto time = lateness.percentile(share);
        return time ? QByteArray::number(static_cast<double>(time->count()) / 1000, 'f', 1) : QByteArray("-");
    };
    return text(0.5) + " / " + text(0.99) + " ms, " + QByteArray::number(lateness.count());
}

/// What a subscriber to the server's events hears while nobody touches the keys.
std::optional<Histogram> heardFromServer(Stage &stage, PlainClient &client, const BenchScale &scale)
{
    BlockingConnection subscriber(stage.address(), {});
    if (!stage.control().send({"CONFIG", "SET", "notify-keyspace-events", "Ex"}) || !subscriber.open() ||
        !subscriber.subscribe("__keyevent@0__:expired"))
        return std::nullopt;
    Ending ending("lock:event:", scale);
    if (!ending.make(client))
        return std::nullopt;
    const TimePoint until = Clock::now() + heardWithin(scale);
    while (!ending.isOver()) {
        const auto message = subscriber.nextMessage(until);
        if (!message)
            return std::nullopt;
        if (!*message)
            break;
        ending.heardOf((*message)->text);
    }
    if (!stage.control().send({"CONFIG", "SET", "notify-keyspace-events", ""}))
        return std::nullopt;
    return ending.lateness();
}

std::optional<Histogram> shownByMonitor(Stage &stage, PlainClient &client, const BenchScale &scale)
{
    MonitorOptions options;
    options.patterns = {"lock:*"};
    std::optional<Ending> ending;
    Watcher watcher(stage.address(), options, [&ending](const LockDiff &diff) {
        for (const LockKey &key : diff.removed) {
            if (ending)
                ending->heardOf(key.bytes);
        }
    });
    if (!watcher.scan())
        return std::nullopt;
    ending.emplace("lock:expiry:", scale);
    if (!ending->make(client))
        return std::nullopt;
    waitUntil([&ending] { return ending->isOver(); }, heardWithin(scale));
    return ending->lateness();
}

} // namespace

bool benchExpiry(Stage &stage, const BenchScale &scale)
{
    constexpr auto limit = 100ms;
    const QByteArray companions = QByteArray::number(scale.volatileOthers);
    const QByteArray what = "expiry beside " + companions + " volatile keys, p50 / p99";
    PlainClient client(stage.socketPath());
    if (!makeOthers(client, "volatile:", scale.volatileOthers, 10min)) {
        printNotMeasured(what, "the server refused");
        return false;
    }
    const auto events = heardFromServer(stage, client, scale);
    const auto shown = shownByMonitor(stage, client, scale);
    if (!events || !shown) {
        printNotMeasured(what, "the server refused, or a sweep did not end");
        return false;
    }
    const QByteArray all = QByteArray::number(scale.expiring);
    const auto p99 = shown->percentile(0.99);
    printRow({what,
              percentiles(*shown) + " of " + all,
              "the server's expired events: " + percentiles(*events) + " of " + all,
              {},
              "p99 <= 100 ms, all",
              shown->count() == scale.expiring && p99 && *p99 <= limit});
    return true;
}

} // namespace lockscope

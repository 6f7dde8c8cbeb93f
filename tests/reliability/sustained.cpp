// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of every kind, so many a second for so long; then a scan, and what the monitor holds against what another client
// reads. The heap in use is looked at each second.
#include "tests/reliability/await.h"
#include "tests/reliability/row.h"
#include "tests/support/lockwriter.h"
#include "tests/support/redisserver.h"
#include "tests/support/truth.h"
#include "tests/support/watcher.h"

#include <span>
#include <vector>

#include <malloc.h>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

// Less than half of what the writer sends changes something.
constexpr double commandsPerChange = 2.3;
constexpr int shortestForGrowth = 60; // seconds; in less there is no "after warm-up"
constexpr double maxGrowth = 0.02;

double heapInUse()
{
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

struct Sample
{
    double heap;
    double locks;
};

/// What grows by itself. Each flush or swap takes most locks, and the writer has not brought them back when the next one
/// comes: so the heap goes up and down with their number. The slope over time is that at equal numbers of locks (least
/// squares, both at once).
struct Growth
{
    double perSecond = 0;
    double mean = 0;
};
Growth growthOf(std::span<const Sample> samples)
{
    const auto n = static_cast<double>(samples.size());
    double heap = 0;
    double locks = 0;
    for (const Sample &sample : samples) {
        heap += sample.heap / n;
        locks += sample.locks / n;
    }
    double ll = 0;
    double lt = 0;
    double tt = 0;
    double lh = 0;
    double th = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
        const double t = static_cast<double>(i) - (n - 1) / 2;
        const double l = samples[i].locks - locks;
        const double h = samples[i].heap - heap;
        ll += l * l;
        lt += l * t;
        tt += t * t;
        lh += l * h;
        th += t * h;
    }
    const double determinant = ll * tt - lt * lt;
    return {determinant > 0 ? (th * ll - lh * lt) / determinant : 0, heap};
}

} // namespace

Verdict runSustained(const Effort &effort)
{
    Verdict verdict;
    const RedisServer server;
    LockWriter writer({.server = server.socketAddress(),
                       .seed = effort.seed,
                       .locks = effort.locks,
                       .perSecond = static_cast<int>(effort.perSecond * commandsPerChange),
                       .fills = true,
                       .upheaval = std::min<milliseconds>(std::chrono::seconds(effort.seconds) / 3, 25s)});
    if (!runUntil([&] { return writer.hasFilled(); }, 2min))
        return {false, "the server could not be filled"};
    Watcher watcher(server.socketAddress());
    std::vector<Sample> samples;
    const TimePoint began = Clock::now();
    for (int second = 0; second < effort.seconds; ++second) {
        runFor(1s);
        samples.push_back({heapInUse(), static_cast<double>(watcher.locks.size())});
        if (second % 60 == 59)
            tell(QByteArray::number(second + 1) + " s: " + QByteArray::number(writer.changes()) +
                 " changes, heap in use " + QByteArray::number(samples.back().heap / 1e6, 'f', 1) +
                 " MB with " + QByteArray::number(watcher.locks.size()) + " locks");
        watcher.events.clear(); // ours, not the program's
        watcher.feeds.clear();
        watcher.scanFinished.clear();
    }
    writer.stop();
    const TimePoint stopped = Clock::now();
    const double perSecond =
        static_cast<double>(writer.changes()) / std::chrono::duration<double>(stopped - began).count();
    watcher.monitor.scanNow();
    if (!runUntil([&] { return watcher.sweptSince >= stopped; }, 5min))
        verdict.flaws << "no sweep came through";
    if (!writer.failure().isEmpty())
        verdict.flaws << "the writer failed: " + writer.failure();
    const QByteArrayList differences =
        differencesFromTruth(server.socketAddress(), MonitorOptions().patterns, watcher.held());
    for (const QByteArray &difference : differences)
        verdict.flaws << difference.toPercentEncoding(" :,=");
    const std::span afterWarmUp = std::span(samples).subspan(samples.size() / 5);
    const Growth heap = growthOf(afterWarmUp);
    const double growth =
        heap.mean > 0 ? heap.perSecond * static_cast<double>(afterWarmUp.size()) / heap.mean : 0;
    const bool isJudged = effort.seconds >= shortestForGrowth;
    if (isJudged && growth > maxGrowth)
        verdict.flaws << "the heap in use grew by " + QByteArray::number(growth * 100, 'f', 1) + " %";
    if (isJudged && perSecond < 0.95 * effort.perSecond)
        verdict.flaws << "only " + QByteArray::number(perSecond, 'f', 0) + " changes a second";
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(perSecond, 'f', 0) + "/s for " +
                       QByteArray::number(effort.seconds) + " s, " + QByteArray::number(differences.size()) +
                       " differences, heap " + QByteArray::number(heap.mean / 1e6, 'f', 1) + " MB, " +
                       QByteArray::number(growth * 100, 'f', 1) + " % more at the end with as many locks" +
                       (isJudged ? "" : " (too short to judge)");
    return verdict;
}

} // namespace lockscope

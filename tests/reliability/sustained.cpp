// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of every kind, so many a second for so long; then a sweep, and what the monitor holds against what another client
// reads. The heap in use is looked at each second.
#include "tests/reliability/await.h"
#include "tests/reliability/row.h"
#include "tests/support/lockwriter.h"
#include "tests/support/redisserver.h"
#include "tests/support/truth.h"
#include "tests/support/watcher.h"

#include <malloc.h>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

// Less than half of what the writer sends changes something.
constexpr double commandsPerChange = 2.3;
constexpr int shortestForGrowth = 60; // seconds; in less there is no "after warm-up"
constexpr double mostGrowth = 0.02;

double heapInUse()
{
    const auto info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// The median of a part of the samples.
double medianOf(const std::vector<double> &samples, double from, double to)
{
    const auto at = [&](double share) {
        return samples.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(samples.size()));
    };
    return percentile({at(from), at(to)}, 0.5);
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
    std::vector<double> heap;
    const TimePoint began = Clock::now();
    for (int second = 0; second < effort.seconds; ++second) {
        runFor(1s);
        heap.push_back(heapInUse());
        if (second % 60 == 59)
            tell(QByteArray::number(second + 1) + " s: " + QByteArray::number(writer.changes()) +
                 " changes, heap in use " + QByteArray::number(heap.back() / 1e6, 'f', 1) + " MB");
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
        differencesFromTruth(server.socketAddress(), watcher.monitor.options().patterns, watcher.held());
    for (const QByteArray &difference : differences)
        verdict.flaws << difference.toPercentEncoding(" :,=");
    const double early = medianOf(heap, 0.2, 0.4);
    const double late = medianOf(heap, 0.8, 1);
    const double growth = early > 0 ? late / early - 1 : 0;
    const bool isJudged = effort.seconds >= shortestForGrowth;
    if (isJudged && growth > mostGrowth)
        verdict.flaws << "the heap in use grew by " + QByteArray::number(growth * 100, 'f', 1) + " %";
    if (isJudged && perSecond < 0.95 * effort.perSecond)
        verdict.flaws << "only " + QByteArray::number(perSecond, 'f', 0) + " changes a second";
    verdict.met = verdict.flaws.isEmpty();
    verdict.measured = QByteArray::number(perSecond, 'f', 0) + "/s for " +
                       QByteArray::number(effort.seconds) + " s, " + QByteArray::number(differences.size()) +
                       " differences, heap " + QByteArray::number(early / 1e6, 'f', 1) + " -> " +
                       QByteArray::number(late / 1e6, 'f', 1) + " MB" +
                       (isJudged ? "" : " (too short to judge)");
    return verdict;
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/contest.h"

#include "tests/bench/series.h"

#include <atomic>
#include <barrier>
#include <cstdio>
#include <thread>
#include <vector>

namespace lockscope {

namespace {

constexpr int warmUpPairs = 50;

struct Standing
{
    Series own;
    Series peer;
    Series ratio;
    QByteArray failure;
};

void printRow(const QByteArray &what, const Contestant &peer, const Standing &standing)
{
    if (!standing.failure.isEmpty()) {
        std::printf("%-16s not measured: %s\n", what.constData(), standing.failure.constData());
        return;
    }
    std::printf("%-16s %-22s %-28s %-22s %-17s >= %.2f %s\n", what.constData(),
                standing.own.rate().constData(), peer.name.constData(), standing.peer.rate().constData(),
                standing.ratio.ratio().constData(), peer.target,
                standing.ratio.median() >= peer.target ? "met" : "MISSED");
}

} // namespace

void printHeading(const QByteArray &title)
{
    std::printf("\n%s\nMedians (quartiles); the ratio is the median of the rounds' own ratios.\n\n"
                "%-16s %-22s %-28s %-22s %-17s %s\n",
                title.constData(), "clients", "Lockscope", "peer", "its rate", "ratio", "target");
}

bool compete(const QByteArray &what, const Contestant &own, std::span<const Contestant> peers, int rounds)
{
    bool haveRun = true;
    std::vector<Standing> standings(peers.size());
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < peers.size(); ++i) {
            Standing &standing = standings[i];
            if (!standing.failure.isEmpty())
                continue;
            // Each leads in every other round: whoever comes second finds a warmer machine.
            Rate theirs = round % 2 == 0 ? Rate() : peers[i].measure();
            const Rate ours = own.measure();
            if (round % 2 == 0)
                theirs = peers[i].measure();
            if (!ours || !theirs) {
                standing.failure =
                    ours ? peers[i].name + ": " + theirs.error() : own.name + ": " + ours.error();
                haveRun = haveRun && ours;
                continue;
            }
            standing.own.add(*ours);
            standing.peer.add(*theirs);
            standing.ratio.add(*ours / *theirs);
        }
    }
    for (size_t i = 0; i < peers.size(); ++i)
        printRow(what, peers[i], standings[i]);
    std::fflush(stdout);
    return haveRun;
}

Rate ratePairs(int threads, std::chrono::milliseconds duration, const std::function<Pair(int)> &prepare)
{
    std::barrier ready(threads + 1);
    std::atomic<bool> stop = false;
    std::atomic<bool> failed = false;
    std::atomic<qint64> pairs = 0;
    const auto work = [&](int thread) {
        const Pair pair = prepare(thread);
        bool good = pair != nullptr;
        for (int i = 0; good && i < warmUpPairs; ++i)
            good = pair();
        ready.arrive_and_wait();
        qint64 mine = 0;
        while (good && !stop.load(std::memory_order_relaxed)) {
            good = pair();
            ++mine;
        }
        pairs += mine;
        if (!good)
            failed = true;
    };
    std::vector<std::jthread> crew;
    for (int thread = 0; thread < threads; ++thread)
        crew.emplace_back(work, thread);
    ready.arrive_and_wait();
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(duration);
    stop = true;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    crew.clear();
    if (failed)
        return tl::unexpected(QByteArray("a command failed"));
    return static_cast<double>(pairs) / took.count();
}

} // namespace lockscope

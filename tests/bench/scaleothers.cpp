// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/script.h"
#include "tests/bench/plainclient.h"
#include "tests/bench/scalerows.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/watcher.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int threads = 8;

/// Acquire and release by plain clients, as fast as the server answers.
class Others
{
public:
    Others(Stage &stage, QByteArray keys, milliseconds window, milliseconds betweenSweeps)
        : m_stage(stage), m_keys(std::move(keys)), m_window(window), m_betweenSweeps(betweenSweeps)
    {
    }

    bool prepare()
    {
        BlockingConnection &server = m_stage.control();
        const Script acquireScript("reentrant/acquire.lua");
        const Script releaseScript("reentrant/release.lua");
        const auto acquire = server.send({"SCRIPT", "LOAD", acquireScript.textFor(server.server())});
        const auto release = server.send({"SCRIPT", "LOAD", releaseScript.textFor(server.server())});
        if (!acquire || !release)
            return false;
        m_acquire = acquire->text;
        m_release = release->text;
        return true;
    }

    Rate rate()
    {
        return ratePairs(threads, m_window, [this](int thread) {
            const QByteArray number = QByteArray::number(thread);
            return hiredisPair(m_stage.port(), m_acquire, m_release, m_keys + number, "other:" + number,
                               "30");
        });
    }

    /// The monitor scans within its usual share.
    Rate rateBesideMonitor()
    {
        MonitorOptions options;
        options.patterns = {"lock:*"};
        options.scanInterval = m_betweenSweeps;
        Watcher watcher(m_stage.address(), options);
        if (!watcher.scan())
            return tl::unexpected(QByteArray("a sweep did not end"));
        runFor(3s);
        m_stage.figures().reset();
        const TimePoint begin = Clock::now();
        const Rate companions = rate();
        const std::chrono::duration<double> wall = Clock::now() - begin;
        m_share.add(100 * m_stage.figures().timeIn(monitorCommands).count() / wall.count());
        return companions;
    }

    const Series &share() const { return m_share; }

private:
    Stage &m_stage;
    const QByteArray m_keys;
    const milliseconds m_window;
    const milliseconds m_betweenSweeps;
    QByteArray m_acquire;
    QByteArray m_release;
    Series m_share;
};

bool compare(Stage &stage, const BenchScale &scale, const QByteArray &what, const QByteArray &keys,
             milliseconds betweenSweeps = 0ms)
{
    constexpr double target = 0.95;
    Others others(stage, keys, scale.window, betweenSweeps);
    PairedTimes comparison;
    if (!others.prepare()) {
        printNotMeasured(what, "the scripts can't be loaded");
        return false;
    }
    for (int round = 0; round < scale.rounds; ++round) {
        const bool ownLeads = round % 2 == 0;
        Rate alone = ownLeads ? Rate() : others.rate();
        const Rate companions = others.rateBesideMonitor();
        if (ownLeads)
            alone = others.rate();
        if (!alone || !companions) {
            printNotMeasured(what, alone ? companions.error() : alone.error());
            return false;
        }
        comparison.add(*companions, *alone);
    }
    printRow(comparison.row(what, "no monitor (it spends " + others.share().text(1) + " % in calls)",
                            "pairs/s", 0, target, true));
    return true;
}

} // namespace

bool benchOthers(Stage &stage, const BenchScale &scale)
{
    const bool elsewhere =
        compare(stage, scale, "8 clients, other keys, while it sweeps, not pinned", "bench:");
    // What it costs that there is one more process on these cores.
    const bool listening =
        compare(stage, scale, "8 clients, other keys, while it only listens, not pinned", "bench:", 1h);
    return compare(stage, scale, "8 clients, watched keys, while it sweeps, not pinned", "lock:bench:") &&
           elsewhere && listening;
}

} // namespace lockscope

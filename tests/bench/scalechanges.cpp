// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/histogram.h"
#include "core/table/locktablemodel.h"
#include "tests/bench/plainscan.h"
#include "tests/bench/scalerows.h"
#include "tests/bench/scaletable.h"
#include "tests/bench/watcher.h"

#include <QHash>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

const QByteArray onePattern = "lock:*";
constexpr auto settling = 1s;
constexpr qint64 rescanCount = 500;

/// The window's model, and how late each acquisition since `from` came into it.
class ModelOfWindow
{
public:
    void take(const LockDiff &diff)
    {
        m_model.apply(diff);
        const TimePoint now = Clock::now();
        for (const WatchedLock &changed : diff.changed) {
            if (!changed.lock.owners.isEmpty())
                note(changed.key(), changed.lock.owners.front().owner, now);
        }
    }
    void countFrom(TimePoint from) { m_from = from; }
    void stopCounting(TimePoint until) { m_until = until; }
    const Histogram &lateness() const { return m_lateness; }

private:
    void note(const LockKey &key, const OwnerId &owner, TimePoint now)
    {
        const auto acquired = LockCrowd::acquiredAt(owner);
        if (!acquired || *acquired < m_from || *acquired >= m_until)
            return;
        TimePoint &last = m_last[key];
        if (std::exchange(last, *acquired) != *acquired) // else a renewal
            m_lateness.record(std::chrono::duration_cast<microseconds>(now - *acquired));
    }

    DisplayClock m_clock;
    LockTableModel m_model{m_clock};
    TimePoint m_from = TimePoint::max();
    TimePoint m_until = TimePoint::max();
    QHash<LockKey, TimePoint> m_last;
    Histogram m_lateness;
};

class ChangesBench
{
public:
    ChangesBench(Stage &stage, const BenchScale &scale) : m_stage(stage), m_scale(scale) {}

    bool round();
    void print() const;
    /// Only how late changes are.
    bool latenessRound() { return loadWithMonitor().has_value(); }
    void printLateness() const;

private:
    /// The server's share of its core, in points, over a window in which `work` runs.
    std::optional<double> load(const std::function<bool()> &work);
    std::optional<double> loadWithMonitor();
    std::optional<double> loadWithRescans();

    Stage &m_stage;
    const BenchScale &m_scale;
    Series m_alone;
    Series m_added;
    Series m_ofRescan;
    Series m_rescanAdded;
    Series m_rates;
    Histogram m_lateness;
    qint64 m_acquisitions = 0;
};

std::optional<double> ChangesBench::load(const std::function<bool()> &work)
{
    const auto cpu = m_stage.figures().cpu();
    const qint64 changes = m_stage.crowd().changes();
    const TimePoint begin = Clock::now();
    if (!work())
        return std::nullopt;
    const std::chrono::duration<double> wall = Clock::now() - begin;
    m_rates.add(static_cast<double>(m_stage.crowd().changes() - changes) / wall.count());
    return 100 * (m_stage.figures().cpu() - cpu).count() / wall.count();
}

std::optional<double> ChangesBench::loadWithMonitor()
{
    ModelOfWindow window;
    MonitorOptions options;
    options.patterns = {onePattern};
    Watcher watcher(m_stage.address(), options, [&window](const LockDiff &diff) { window.take(diff); });
    if (!watcher.scan())
        return std::nullopt;
    runFor(settling);
    const std::optional<double> points = load([&] {
        const qint64 before = m_stage.crowd().acquisitions();
        window.countFrom(Clock::now());
        runFor(m_scale.window);
        window.stopCounting(Clock::now());
        m_acquisitions += m_stage.crowd().acquisitions() - before;
        return true;
    });
    runFor(settling); // the last of them arrive
    m_lateness.merge(window.lateness());
    return points;
}

std::optional<double> ChangesBench::loadWithRescans()
{
    PlainClient client(m_stage.socketPath());
    return load([&] {
        const TimePoint begin = Clock::now();
        for (TimePoint next = begin; next < begin + m_scale.window; next += 1s) {
            std::this_thread::sleep_until(next);
            if (!scanAndRead(client, onePattern, rescanCount))
                return false;
        }
        std::this_thread::sleep_until(begin + m_scale.window);
        return true;
    });
}

bool ChangesBench::round()
{
    const std::optional<double> alone = load([this] {
        runFor(m_scale.window);
        return true;
    });
    const std::optional<double> watched = loadWithMonitor();
    const std::optional<double> rescanned = loadWithRescans();
    if (!alone || !watched || !rescanned || m_stage.crowd().hasFailed())
        return false;
    m_alone.add(*alone);
    m_added.add(*watched - *alone);
    m_rescanAdded.add(*rescanned - *alone);
    m_ofRescan.add((*watched - *alone) / (*rescanned - *alone));
    return true;
}

void ChangesBench::print() const
{
    constexpr double maxPoints = 5;
    constexpr double maxOfRescan = 0.08;
    const QByteArray rate = m_rates.text(0) + " changes/s";
    printRow({"following " + rate,
              m_added.text(1) + " points added",
              "without: " + m_alone.text(1) + " % of the server's core",
              {},
              "<= 5 points",
              m_added.median() <= maxPoints});
    printRow({"the same", m_added.text(1) + " points added",
              "a rescan every second: " + m_rescanAdded.text(1) + " points", m_ofRescan.ratio(), "<= 0.08",
              m_ofRescan.median() <= maxOfRescan});
    printLateness();
}

void ChangesBench::printLateness() const
{
    constexpr auto halfWithin = 12ms;
    constexpr auto maxWithin = 21ms; // a tick of 16 ms and 5
    const auto p50 = m_lateness.percentile(0.5);
    const auto p99 = m_lateness.percentile(0.99);
    if (!p50 || !p99) {
        printNotMeasured("change to model", "no acquisition came into the model");
        return;
    }
    const auto text = [](microseconds time) {
        return QByteArray::number(static_cast<double>(time.count()) / 1000, 'f', 1);
    };
    printRow({"change to model at " + m_rates.text(0) + "/s, p50 / p99",
              text(*p50) + " / " + text(*p99) + " ms",
              "the acquisition's own stamp; seen " + QByteArray::number(m_lateness.count()) + " of " +
                  QByteArray::number(m_acquisitions),
              {},
              "<= 12 / 21 ms",
              *p50 <= halfWithin && *p99 <= maxWithin});
}

} // namespace

bool benchChanges(Stage &stage, const BenchScale &scale)
{
    constexpr int maxRounds = 4;
    ChangesBench bench(stage, scale);
    stage.crowd().setRate(scale.changesPerSecond);
    runFor(settling);
    bool good = true;
    for (int round = 0; good && round < std::min(scale.rounds, maxRounds); ++round)
        good = bench.round();
    // Within what the budget pays for even where reading is dear.
    ChangesBench calmer(stage, scale);
    stage.crowd().setRate(scale.changesPerSecond / 10);
    runFor(settling);
    good = good && calmer.latenessRound();
    stage.crowd().setRate(0);
    if (good) {
        bench.print();
        calmer.printLateness();
    } else {
        printNotMeasured("following changes", "a sweep did not end, or the server refused");
    }
    return good;
}

} // namespace lockscope

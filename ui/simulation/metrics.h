// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/run/simulation.h"

#include <QString>

#include <deque>

namespace lockscope {

/// One figure of a run.
struct Metric
{
    enum class Kind : quint8 {
        Acquired,
        Throughput,
        Attempts,
        Refused,
        TimedOut,
        WaitMedian,
        WaitMost, ///< the 99th percentile
        WaitLongest,
        Handoff,
        Commands, ///< for each acquisition
        Fairness,
        Spread, ///< of acquisitions between workers
        Lost,
        Crashes,
        ExecsRefused,
        Overlaps,
        ForeignReleases,
        Orphans,
        LostWakeUps,
        FenceViolations,
        StaleWrites,
        Leaks,
        Duration,
    };
    enum class Unit : quint8 { Count, Number, PerSecond, PerAcquisition, Microseconds };

    Kind kind = Kind::Acquired;
    Unit unit = Unit::Count;
    std::optional<double> value; ///< absent: there is none, as a wait where nobody acquired
    bool isFinding = false;      ///< a violation where it is not 0
};

QList<Metric> measuresOf(const Report &report);
Metric measureOf(Metric::Kind kind, const Report &report);
/// False where there is none, and of what only counts when it happened, such as crashes, and did not.
bool isWorthSaying(const Metric &measure);
/// What is known while it runs, as a report.
Report reportSoFar(const SimulationSnapshot &snapshot);

QString nameOf(Metric::Kind kind);
QString meaningOf(Metric::Kind kind); ///< for a tool tip
QString textOf(const Metric &measure);
/// "same", "+12 %", "×3.1", "+4": how the second differs from the first. Empty where one has no value.
QString differenceText(const Metric &first, const Metric &second);

/// Acquisitions per second over the last second.
class Rate
{
public:
    /// In the order of time. Returns the rate now; nothing in the first half second, of which a few milliseconds more or
    /// less would make any number.
    std::optional<double> take(microseconds elapsed, qint64 count);
    void clear() { m_past = {Moment()}; }

private:
    struct Moment
    {
        microseconds elapsed{0};
        qint64 count = 0;
    };
    std::deque<Moment> m_past{Moment()}; ///< a run begins with nothing
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/run/simulation.h"

#include <QString>

#include <deque>

namespace lockscope {

struct Metric
{
    enum class Kind : quint8 {
        Acquired,
        Throughput,
        Attempts,
        Refused,
        TimedOut,
        WaitMedian,
        WaitMost, ///< 99th percentile
        WaitLongest,
        Handoff,
        Commands, ///< per acquisition
        Fairness,
        Spread,
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
    std::optional<double> value; ///< absent if undefined, such as a wait without acquisitions
    bool isFinding = false;      ///< true: any value but 0 is a violation
};

QList<Metric> measuresOf(const Report &report);
Metric measureOf(Metric::Kind kind, const Report &report);
/// False without a value, and for a zero count of rare events such as crashes.
bool isWorthSaying(const Metric &measure);
/// Returns the figures of a running simulation as a report.
Report reportSoFar(const SimulationSnapshot &snapshot);

QString nameOf(Metric::Kind kind);
QString meaningOf(Metric::Kind kind);
QString textOf(const Metric &measure);

class Rate
{
public:
    /// Adds a count; times must not decrease. Returns the current rate; nullopt in the first half second,
    /// where it would be arbitrary.
    std::optional<double> take(microseconds elapsed, qint64 count);
    void clear() { m_past = {Moment()}; }

private:
    struct Moment
    {
        microseconds elapsed{0};
        qint64 count = 0;
    };
    std::deque<Moment> m_past{Moment()}; ///< starts at 0
};

} // namespace lockscope

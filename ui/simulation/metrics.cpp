// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/metrics.h"

#include "core/words/durations.h"
#include "ui/simulation/runtext.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace lockscope {

namespace {

using Kind = Metric::Kind;
using Unit = Metric::Unit;

constexpr microseconds rateSpan = std::chrono::seconds(1);
constexpr microseconds shortestRateSpan = rateSpan / 2;

struct MetricWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::simulation)
};

std::optional<double> percentile(const Histogram &histogram, double share)
{
    const auto value = histogram.percentile(share);
    return value ? std::optional(static_cast<double>(value->count())) : std::nullopt;
}

std::optional<double> countOf(Kind kind, const Report &report)
{
    const auto number = [](qint64 count) { return static_cast<double>(count); };
    switch (kind) {
    case Kind::Acquired:
        return number(report.total.acquired);
    case Kind::Attempts:
        return number(report.total.attempts);
    case Kind::Refused:
        return number(report.total.refused);
    case Kind::TimedOut:
        return number(report.total.timedOut);
    case Kind::Lost:
        return number(report.total.lost);
    case Kind::Crashes:
        return number(report.total.crashes);
    case Kind::ExecsRefused:
        return number(report.total.execsRefused);
    case Kind::Overlaps:
        return number(report.findings.overlaps);
    case Kind::ForeignReleases:
        return number(report.findings.foreignReleases);
    case Kind::Orphans:
        return number(report.findings.orphans);
    case Kind::LostWakeUps:
        return number(report.findings.lostWakeUps);
    case Kind::FenceViolations:
        return number(report.findings.fenceViolations);
    case Kind::StaleWrites:
        return number(report.findings.staleWrites);
    case Kind::Leaks:
        return number(report.findings.leaks);
    default:
        return {};
    }
}

std::optional<double> otherValue(Kind kind, const Report &report)
{
    const auto seconds = static_cast<double>(report.duration.count()) / 1e6;
    const auto acquired = static_cast<double>(report.total.acquired);
    switch (kind) {
    case Kind::Throughput:
        return seconds > 0 ? std::optional(acquired / seconds) : std::nullopt;
    case Kind::WaitMedian:
        return percentile(report.total.wait, 0.5);
    case Kind::WaitMost:
        return percentile(report.total.wait, 0.99);
    case Kind::WaitLongest:
        return percentile(report.total.wait, 1);
    case Kind::Handoff:
        return percentile(report.findings.handoff, 0.5);
    case Kind::Commands:
        return acquired > 0 ? std::optional(report.commandsPerAcquisition()) : std::nullopt;
    case Kind::Fairness:
        return acquired > 0 ? std::optional(report.fairness()) : std::nullopt;
    case Kind::Spread:
        return acquired > 0
                   ? std::optional(static_cast<double>(report.mostAcquired() - report.fewestAcquired()))
                   : std::nullopt;
    case Kind::Duration:
        return static_cast<double>(report.duration.count());
    default:
        return {};
    }
}

Unit unitOf(Kind kind)
{
    switch (kind) {
    case Kind::Throughput:
        return Unit::PerSecond;
    case Kind::WaitMedian:
    case Kind::WaitMost:
    case Kind::WaitLongest:
    case Kind::Handoff:
    case Kind::Duration:
        return Unit::Microseconds;
    case Kind::Commands:
        return Unit::PerAcquisition;
    case Kind::Fairness:
        return Unit::Number;
    default:
        return Unit::Count;
    }
}

QString textOf(Unit unit, double value)
{
    const QLocale locale;
    switch (unit) {
    case Unit::Count:
        return locale.toString(std::llround(value));
    case Unit::Number:
        return locale.toString(value, 'f', 2);
    case Unit::PerAcquisition:
        return MetricWords::tr("%1/acq.", "for each acquisition")
            .arg(locale.toString(value, 'f', value < 100 ? 2 : 0));
    case Unit::PerSecond:
        return MetricWords::tr("%1/s").arg(locale.toString(value, 'f', value < 10 ? 1 : 0));
    case Unit::Microseconds:
        break;
    }
    return shortTime(microseconds(std::llround(value)), QLocale());
}

} // namespace

Metric measureOf(Kind kind, const Report &report)
{
    const std::optional<double> count = countOf(kind, report);
    const bool isFinding = kind >= Kind::Overlaps && kind <= Kind::Leaks;
    return {kind, unitOf(kind), count ? count : otherValue(kind, report), isFinding};
}

QList<Metric> measuresOf(const Report &report)
{
    QList<Metric> measures;
    for (int kind = 0; kind <= int(Kind::Duration); ++kind)
        measures.append(measureOf(Kind(kind), report));
    return measures;
}

bool isWorthSaying(const Metric &measure)
{
    const bool isRare = measure.isFinding || measure.kind == Kind::Refused ||
                        measure.kind == Kind::TimedOut || measure.kind == Kind::Lost ||
                        measure.kind == Kind::Crashes || measure.kind == Kind::ExecsRefused;
    return measure.value && (*measure.value != 0 || !isRare);
}

Report reportSoFar(const SimulationSnapshot &snapshot)
{
    Report report;
    report.total = snapshot.total;
    report.findings = snapshot.findings;
    report.duration = snapshot.elapsed;
    for (const WorkerView &worker : snapshot.workers)
        report.acquiredByWorker.push_back(worker.acquired);
    return report;
}

QString nameOf(Kind kind)
{
    switch (kind) {
    case Kind::Acquired:
        return MetricWords::tr("Acquired");
    case Kind::Throughput:
        return MetricWords::tr("Throughput");
    case Kind::Attempts:
        return MetricWords::tr("Attempts");
    case Kind::Refused:
        return MetricWords::tr("Refused");
    case Kind::TimedOut:
        return MetricWords::tr("Timed out");
    case Kind::WaitMedian:
        return MetricWords::tr("Wait p50");
    case Kind::WaitMost:
        return MetricWords::tr("Wait p99");
    case Kind::WaitLongest:
        return MetricWords::tr("Longest wait");
    case Kind::Handoff:
        return MetricWords::tr("Handoff p50");
    case Kind::Commands:
        return MetricWords::tr("Commands per acquisition");
    case Kind::Fairness:
        return MetricWords::tr("Fairness");
    case Kind::Spread:
        return MetricWords::tr("Spread");
    case Kind::Lost:
        return MetricWords::tr("Locks lost");
    case Kind::Crashes:
        return MetricWords::tr("Crashes");
    case Kind::ExecsRefused:
        return MetricWords::tr("EXEC refused");
    case Kind::Overlaps:
        return MetricWords::tr("Overlaps");
    case Kind::ForeignReleases:
        return MetricWords::tr("Foreign releases");
    case Kind::Orphans:
        return MetricWords::tr("Locks without expiry");
    case Kind::LostWakeUps:
        return MetricWords::tr("Lost wake-ups");
    case Kind::FenceViolations:
        return MetricWords::tr("Repeated tokens");
    case Kind::StaleWrites:
        return MetricWords::tr("Stale writes");
    case Kind::Leaks:
        return MetricWords::tr("Leaked locks");
    case Kind::Duration:
        break;
    }
    return MetricWords::tr("Duration");
}

QString meaningOf(Kind kind)
{
    switch (kind) {
    case Kind::Acquired:
        return MetricWords::tr("Number of acquisitions.");
    case Kind::Throughput:
        return MetricWords::tr("Acquisitions per second.");
    case Kind::Attempts:
        return MetricWords::tr("Number of attempts; a waiting worker counts once.");
    case Kind::Refused:
        return MetricWords::tr("Number of refused single attempts.");
    case Kind::TimedOut:
        return MetricWords::tr("Number of wait timeouts.");
    case Kind::WaitMedian:
        return MetricWords::tr("Median wait of all acquisitions.");
    case Kind::WaitMost:
        return MetricWords::tr("99% of all acquisitions waited no longer.");
    case Kind::WaitLongest:
        return MetricWords::tr("Longest wait of an acquisition.");
    case Kind::Handoff:
        return MetricWords::tr("Median time from a holder's exit to a waiter's entry.");
    case Kind::Commands:
        return MetricWords::tr("Redis commands per acquisition, including release and earlier attempts.");
    case Kind::Fairness:
        return MetricWords::tr(
            "Jain's index: 1 if all workers acquired equally often, near 0 if one worker acquired always.");
    case Kind::Spread:
        return MetricWords::tr("Difference between the most and the fewest acquisitions of a worker.");
    case Kind::Lost:
        return MetricWords::tr("Number of times a worker found its lock lost.");
    case Kind::Crashes:
        return MetricWords::tr("Number of crashed workers.");
    case Kind::ExecsRefused:
        return MetricWords::tr(
            "Transactions that did not run because the lock changed between check and delete.");
    case Kind::Overlaps:
        return MetricWords::tr("Moments with two workers in the critical section at once.");
    case Kind::ForeignReleases:
        return MetricWords::tr("Releases that deleted another owner's lock.");
    case Kind::Orphans:
        return MetricWords::tr("Locks without expiry and without a holder.");
    case Kind::LostWakeUps:
        return MetricWords::tr("The lock was free, but a waiter was not woken.");
    case Kind::FenceViolations:
        return MetricWords::tr("Fencing tokens that did not increase from one acquisition to the next.");
    case Kind::StaleWrites:
        return MetricWords::tr("Accepted writes of a worker that had lost the lock.");
    case Kind::Leaks:
        return MetricWords::tr("Locks still held after their worker released them.");
    case Kind::Duration:
        break;
    }
    return MetricWords::tr("Duration of the run.");
}

QString textOf(const Metric &measure)
{
    return measure.value ? textOf(measure.unit, *measure.value) : QStringLiteral("–");
}

QString differenceText(const Metric &first, const Metric &second)
{
    if (!first.value || !second.value)
        return {};
    const double from = *first.value;
    const double to = *second.value;
    if (textOf(first) == textOf(second))
        return MetricWords::tr("same");
    const QLocale locale;
    if (from <= 0 || to <= 0)
        return (to > from ? QStringLiteral("+") : QStringLiteral("−")) +
               textOf(first.unit, std::abs(to - from));
    if (const double times = to / from; times >= 2 || times <= 0.5)
        return QStringLiteral("×%1").arg(locale.toString(times, 'g', 2));
    const double percent = (to / from - 1) * 100;
    return (percent > 0 ? QStringLiteral("+%1 %") : QStringLiteral("−%1 %"))
        .arg(locale.toString(std::abs(percent), 'f', std::abs(percent) < 10 ? 1 : 0));
}

std::optional<double> Rate::take(microseconds elapsed, qint64 count)
{
    m_past.push_back({elapsed, count});
    while (m_past.size() > 2 && elapsed - m_past[1].elapsed >= rateSpan)
        m_past.pop_front();
    const Moment &then = m_past.front();
    if (elapsed - then.elapsed < shortestRateSpan)
        return std::nullopt;
    const auto seconds = static_cast<double>((elapsed - then.elapsed).count()) / 1e6;
    return static_cast<double>(count - then.count) / seconds;
}

} // namespace lockscope

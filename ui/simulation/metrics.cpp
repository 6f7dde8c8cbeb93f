// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/metrics.h"

#include "core/base/enumnames.h"
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

std::optional<double> percentile(const Histogram &histogram, double share)
{
    const auto value = histogram.percentile(share);
    return value ? std::optional(static_cast<double>(value->count())) : std::nullopt;
}

template <auto count>
std::optional<double> inTotal(const Report &report)
{
    return static_cast<double>(report.total.*count);
}

template <auto count>
std::optional<double> found(const Report &report)
{
    return static_cast<double>(report.findings.*count);
}

std::optional<double> throughput(const Report &report)
{
    const auto seconds = static_cast<double>(report.duration.count()) / 1e6;
    return seconds > 0 ? std::optional(static_cast<double>(report.total.acquired) / seconds) : std::nullopt;
}

std::optional<double> ifAcquired(const Report &report, double value)
{
    return report.total.acquired > 0 ? std::optional(value) : std::nullopt;
}

struct MetricSpec
{
    Kind kind;
    Unit unit;
    const char *name;
    const char *meaning;
    std::optional<double> (*value)(const Report &report);
};

struct MetricWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::simulation)

public:
    static constexpr MetricSpec metrics[] = {
        {Kind::Acquired, Unit::Count, QT_TR_NOOP("Acquired"), QT_TR_NOOP("Number of acquisitions."),
         inTotal<&WorkerStats::acquired>},
        {Kind::Throughput, Unit::PerSecond, QT_TR_NOOP("Throughput"), QT_TR_NOOP("Acquisitions per second."),
         throughput},
        {Kind::Attempts, Unit::Count, QT_TR_NOOP("Attempts"),
         QT_TR_NOOP("Number of attempts; a waiting worker counts once."), inTotal<&WorkerStats::attempts>},
        {Kind::Refused, Unit::Count, QT_TR_NOOP("Refused"), QT_TR_NOOP("Number of refused single attempts."),
         inTotal<&WorkerStats::refused>},
        {Kind::TimedOut, Unit::Count, QT_TR_NOOP("Timed out"), QT_TR_NOOP("Number of wait timeouts."),
         inTotal<&WorkerStats::timedOut>},
        {Kind::WaitMedian, Unit::Microseconds, QT_TR_NOOP("Wait p50"),
         QT_TR_NOOP("Median wait of all acquisitions."),
         [](const Report &report) { return percentile(report.total.wait, 0.5); }},
        {Kind::WaitMost, Unit::Microseconds, QT_TR_NOOP("Wait p99"),
         QT_TR_NOOP("99% of all acquisitions waited no longer."),
         [](const Report &report) { return percentile(report.total.wait, 0.99); }},
        {Kind::WaitLongest, Unit::Microseconds, QT_TR_NOOP("Longest wait"),
         QT_TR_NOOP("Longest wait of an acquisition."),
         [](const Report &report) { return percentile(report.total.wait, 1); }},
        {Kind::Handoff, Unit::Microseconds, QT_TR_NOOP("Handoff p50"),
         QT_TR_NOOP("Median time from a holder's exit to a waiter's entry."),
         [](const Report &report) { return percentile(report.findings.handoff, 0.5); }},
        {Kind::Commands, Unit::PerAcquisition, QT_TR_NOOP("Commands per acquisition"),
         QT_TR_NOOP("Redis commands per acquisition, including release and earlier attempts."),
         [](const Report &report) { return ifAcquired(report, report.commandsPerAcquisition()); }},
        {Kind::Fairness, Unit::Number, QT_TR_NOOP("Fairness"),
         QT_TR_NOOP(
             "Jain's index: 1 if all workers acquired equally often, near 0 if one worker acquired always."),
         [](const Report &report) { return ifAcquired(report, report.fairness()); }},
        {Kind::Spread, Unit::Count, QT_TR_NOOP("Spread"),
         QT_TR_NOOP("Difference between the most and the fewest acquisitions of a worker."),
         [](const Report &report) {
             return ifAcquired(report, static_cast<double>(report.mostAcquired() - report.fewestAcquired()));
         }},
        {Kind::Lost, Unit::Count, QT_TR_NOOP("Locks lost"),
         QT_TR_NOOP("Number of times a worker found its lock lost."), inTotal<&WorkerStats::lost>},
        {Kind::Crashes, Unit::Count, QT_TR_NOOP("Crashes"), QT_TR_NOOP("Number of crashed workers."),
         inTotal<&WorkerStats::crashes>},
        {Kind::ExecsRefused, Unit::Count, QT_TR_NOOP("EXEC refused"),
         QT_TR_NOOP("Transactions that did not run because the lock changed between check and delete."),
         inTotal<&WorkerStats::execsRefused>},
        {Kind::Overlaps, Unit::Count, QT_TR_NOOP("Overlaps"),
         QT_TR_NOOP("Moments with two workers in the critical section at once."), found<&Findings::overlaps>},
        {Kind::ForeignReleases, Unit::Count, QT_TR_NOOP("Foreign releases"),
         QT_TR_NOOP("Releases that deleted another owner's lock."), found<&Findings::foreignReleases>},
        {Kind::Orphans, Unit::Count, QT_TR_NOOP("Locks without expiry"),
         QT_TR_NOOP("Locks without expiry and without a holder."), found<&Findings::orphans>},
        {Kind::LostWakeUps, Unit::Count, QT_TR_NOOP("Lost wake-ups"),
         QT_TR_NOOP("The lock was free, but a waiter was not woken."), found<&Findings::lostWakeUps>},
        {Kind::FenceViolations, Unit::Count, QT_TR_NOOP("Repeated tokens"),
         QT_TR_NOOP("Fencing tokens that did not increase from one acquisition to the next."),
         found<&Findings::fenceViolations>},
        {Kind::StaleWrites, Unit::Count, QT_TR_NOOP("Stale writes"),
         QT_TR_NOOP("Accepted writes of a worker that had lost the lock."), found<&Findings::staleWrites>},
        {Kind::Leaks, Unit::Count, QT_TR_NOOP("Leaked locks"),
         QT_TR_NOOP("Locks still held after their worker released them."), found<&Findings::leaks>},
        {Kind::Duration, Unit::Microseconds, QT_TR_NOOP("Duration"), QT_TR_NOOP("Duration of the run."),
         [](const Report &report) { return std::optional(static_cast<double>(report.duration.count())); }},
    };
};
static_assert(isByValue(MetricWords::metrics, Kind::Duration, &MetricSpec::kind));

const MetricSpec &specOf(Kind kind)
{
    return MetricWords::metrics[size_t(kind)];
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
    const bool isFinding = kind >= Kind::Overlaps && kind <= Kind::Leaks;
    return {kind, specOf(kind).unit, specOf(kind).value(report), isFinding};
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
    return MetricWords::tr(specOf(kind).name);
}

QString meaningOf(Kind kind)
{
    return MetricWords::tr(specOf(kind).meaning);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/metrics.h"

#include "core/words/durations.h"
#include "ui/simulation/runtext.h"

#include <QLocale>

#include <cmath>
#include <variant>

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

std::optional<double> ofAcquisitions(const Report &report, double figure)
{
    return report.total.acquired > 0 ? std::optional(figure) : std::nullopt;
}

std::optional<double> throughput(const Report &report)
{
    const auto seconds = static_cast<double>(report.duration.count()) / 1e6;
    return seconds > 0 ? std::optional(static_cast<double>(report.total.acquired) / seconds) : std::nullopt;
}

struct Row
{
    const char *name;
    const char *meaning; ///< nullptr: as the name says
    std::variant<qint64 WorkerStats::*, qint64 Findings::*, std::optional<double> (*)(const Report &)> value;
    Unit unit = Unit::Count;
    bool isRare = false; ///< shown only if it is not 0
};

constexpr Row rows[] = {
    {QT_TRANSLATE_NOOP("phrases", "Acquired"), nullptr, &WorkerStats::acquired},
    {QT_TRANSLATE_NOOP("phrases", "Throughput"), nullptr, throughput, Unit::PerSecond},
    {QT_TRANSLATE_NOOP("phrases", "Attempts"),
     QT_TRANSLATE_NOOP("phrases", "Number of attempts; a waiting worker counts once."),
     &WorkerStats::attempts},
    {QT_TRANSLATE_NOOP("phrases", "Refused"), nullptr, &WorkerStats::refused, Unit::Count, true},
    {QT_TRANSLATE_NOOP("phrases", "Timed out"), nullptr, &WorkerStats::timedOut, Unit::Count, true},
    {QT_TRANSLATE_NOOP("phrases", "Wait p50"), nullptr,
     [](const Report &r) { return percentile(r.total.wait, 0.5); }, Unit::Microseconds},
    {QT_TRANSLATE_NOOP("phrases", "Wait p99"), nullptr,
     [](const Report &r) { return percentile(r.total.wait, 0.99); }, Unit::Microseconds},
    {QT_TRANSLATE_NOOP("phrases", "Longest wait"), nullptr,
     [](const Report &r) { return percentile(r.total.wait, 1); }, Unit::Microseconds},
    {QT_TRANSLATE_NOOP("phrases", "Handoff p50"),
     QT_TRANSLATE_NOOP("phrases", "Median time from exit to the next entry."),
     [](const Report &r) { return percentile(r.findings.handoff, 0.5); }, Unit::Microseconds},
    {QT_TRANSLATE_NOOP("phrases", "Commands per acquisition"), nullptr,
     [](const Report &r) { return ofAcquisitions(r, r.commandsPerAcquisition()); }, Unit::PerAcquisition},
    {QT_TRANSLATE_NOOP("phrases", "Fairness"),
     QT_TRANSLATE_NOOP("phrases", "Jain's index: 1 if all workers acquired equally often."),
     [](const Report &r) { return ofAcquisitions(r, r.fairness()); }, Unit::Number},
    {QT_TRANSLATE_NOOP("phrases", "Spread"),
     QT_TRANSLATE_NOOP("phrases", "Most minus fewest acquisitions of a worker."),
     [](const Report &r) {
         return ofAcquisitions(r, static_cast<double>(r.maxAcquired() - r.fewestAcquired()));
     }},
    {QT_TRANSLATE_NOOP("phrases", "Locks lost"), nullptr, &WorkerStats::lost, Unit::Count, true},
    {QT_TRANSLATE_NOOP("phrases", "Crashes"), nullptr, &WorkerStats::crashes, Unit::Count, true},
    {QT_TRANSLATE_NOOP("phrases", "EXEC refused"),
     QT_TRANSLATE_NOOP("phrases", "Transactions refused because the lock had changed."),
     &WorkerStats::execsRefused, Unit::Count, true},
    {QT_TRANSLATE_NOOP("phrases", "Overlaps"),
     QT_TRANSLATE_NOOP("phrases", "Times with two workers in the critical section."), &Findings::overlaps},
    {QT_TRANSLATE_NOOP("phrases", "Foreign releases"),
     QT_TRANSLATE_NOOP("phrases", "Releases that deleted another owner's lock."), &Findings::foreignReleases},
    {QT_TRANSLATE_NOOP("phrases", "Locks without expiry"), nullptr, &Findings::orphans},
    {QT_TRANSLATE_NOOP("phrases", "Lost wake-ups"),
     QT_TRANSLATE_NOOP("phrases", "The lock was free, but a waiter was not woken."), &Findings::lostWakeUps},
    {QT_TRANSLATE_NOOP("phrases", "Repeated tokens"),
     QT_TRANSLATE_NOOP("phrases", "Fencing tokens that did not increase."), &Findings::fenceViolations},
    {QT_TRANSLATE_NOOP("phrases", "Stale writes"),
     QT_TRANSLATE_NOOP("phrases", "Accepted writes without the lock."), &Findings::staleWrites},
    {QT_TRANSLATE_NOOP("phrases", "Leaked locks"),
     QT_TRANSLATE_NOOP("phrases", "Locks still held after their worker released them."), &Findings::leaks},
    {QT_TRANSLATE_NOOP("phrases", "Duration"), nullptr,
     [](const Report &r) { return std::optional(static_cast<double>(r.duration.count())); },
     Unit::Microseconds},
};
static_assert(std::size(rows) == size_t(Kind::Duration) + 1);

const Row &rowOf(Kind kind)
{
    return rows[size_t(kind)];
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
        return Texts::tr("%1/acq.", "for each acquisition")
            .arg(locale.toString(value, 'f', value < 100 ? 2 : 0));
    case Unit::PerSecond:
        return Texts::tr("%1/s").arg(locale.toString(value, 'f', value < 10 ? 1 : 0));
    case Unit::Microseconds:
        break;
    }
    return shortTime(microseconds(std::llround(value)), QLocale());
}

} // namespace

Metric measureOf(Kind kind, const Report &report)
{
    const Row &row = rowOf(kind);
    Metric metric{kind, row.unit, {}, false};
    if (const auto *count = std::get_if<qint64 WorkerStats::*>(&row.value)) {
        metric.value = static_cast<double>(report.total.**count);
    } else if (const auto *finding = std::get_if<qint64 Findings::*>(&row.value)) {
        metric.value = static_cast<double>(report.findings.**finding);
        metric.isFinding = true;
    } else {
        metric.value = std::get<2>(row.value)(report);
    }
    return metric;
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
    const bool isRare = measure.isFinding || rowOf(measure.kind).isRare;
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
    return Texts::tr(rowOf(kind).name);
}

QString meaningOf(Kind kind)
{
    const Row &row = rowOf(kind);
    return Texts::tr(row.meaning ? row.meaning : row.name);
}

QString textOf(const Metric &measure)
{
    return measure.value ? textOf(measure.unit, *measure.value) : QStringLiteral("–");
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

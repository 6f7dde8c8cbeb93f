// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>

namespace lockscope {

namespace scenario {

Algorithm algorithmOf(StrategyKind kind, const ScenarioSettings &settings)
{
    return {.strategy = kind, .release = settings.release.value_or(ReleaseMethod::Usual)};
}

Algorithm chosenOr(StrategyKind usual, const ScenarioSettings &settings)
{
    return settings.algorithm.value_or(algorithmOf(usual, settings));
}

milliseconds leaseFor(const Algorithm &algorithm, milliseconds lease)
{
    return hasWholeSecondLease(algorithm.strategy) ? std::chrono::ceil<std::chrono::seconds>(lease) : lease;
}

Plan contention(const Algorithm &algorithm, const ScenarioSettings &settings)
{
    Plan plan;
    plan.algorithm = algorithm;
    plan.workers = settings.workers.value_or(40);
    plan.processes = settings.processes.value_or(1);
    plan.duration = settings.duration.value_or(5s);
    plan.lease = leaseFor(algorithm, 10s);
    plan.hold = {HoldTime::Shape::Fixed, 1ms, 1ms};
    plan.rest = 2ms;
    return plan;
}

Plan choreography(const Algorithm &algorithm, const QList<Iteration> &visits)
{
    Plan plan;
    plan.algorithm = algorithm;
    plan.workers = static_cast<int>(visits.size());
    plan.duration = 15s;
    plan.lease = visits.front().lease;
    plan.hold = {HoldTime::Shape::Fixed, visits.front().hold, visits.front().hold};
    plan.mode = visits.front().mode;
    for (const Iteration &each : visits)
        plan.script.append({each});
    return plan;
}

Iteration visit(WaitMode mode, milliseconds startAt, milliseconds lease, milliseconds hold)
{
    Iteration visit;
    visit.mode = mode;
    visit.startAt = startAt;
    visit.lease = lease;
    visit.hold = hold;
    return visit;
}

Iteration failing(Iteration visit, Fault fault, milliseconds pause)
{
    visit.fault = fault;
    visit.pause = pause;
    return visit;
}

Phrase titleOf(const Algorithm &algorithm)
{
    return Phrase::verbatim(QString::fromLatin1(nameOf(algorithm.strategy)));
}

namespace {

qint64 measured(const Report &report, const Measure &measure)
{
    if (const auto *finding = std::get_if<qint64 Findings::*>(&measure))
        return report.findings.**finding;
    if (const auto *count = std::get_if<qint64 WorkerStats::*>(&measure))
        return report.total.**count;
    return countOf(report, std::get<What>(measure));
}

} // namespace

Expectation is(qint64 expected, const Count &count)
{
    return [=](ExpectationChecks &checks, const Report &report) {
        checks.expectCount(Phrase(count.what), expected, measured(report, count.measure));
    };
}

Expectation atLeast(qint64 least, const Count &count)
{
    return [=](ExpectationChecks &checks, const Report &report) {
        checks.expectAtLeast(Phrase(count.what), least, measured(report, count.measure));
    };
}

std::optional<microseconds> firstTime(const Report &report, What what, int worker, int lock)
{
    std::optional<microseconds> first;
    for (const LogLine &line : report.log) {
        if (line.what == what && line.worker == worker && line.lock == lock)
            first = first ? std::min(*first, line.at) : line.at;
    }
    return first;
}

int countOf(const Report &report, What what, std::optional<int> worker, std::optional<int> lock)
{
    return static_cast<int>(std::ranges::count_if(report.log, [&](const LogLine &line) {
        return line.what == what && line.worker == worker.value_or(line.worker) &&
               line.lock == lock.value_or(line.lock);
    }));
}

Phrase asPhrase(microseconds time)
{
    return Phrase("%1", time);
}

Phrase asPhrase(qint64 number)
{
    return Phrase("%1", number);
}

} // namespace scenario

using scenario::asPhrase;

void ExpectationChecks::expect(bool met, const Phrase &what, const Phrase &expected, const Phrase &found)
{
    m_met = m_met && met;
    const Phrase point(QT_TRANSLATE_NOOP("phrases", "%1: expected %2, found %3"), what, expected, found);
    const Phrase whole =
        m_act.isEmpty() ? point : Phrase(QT_TRANSLATE_NOOP("phrases", "%1: %2"), m_act, point);
    m_findings.append(met ? Phrase(QT_TRANSLATE_NOOP("phrases", "met – %1"), whole)
                          : Phrase(QT_TRANSLATE_NOOP("phrases", "NOT met – %1"), whole));
    m_points.append(met ? Verdict::Point::Met : Verdict::Point::Missed);
}

void ExpectationChecks::note(const Phrase &text)
{
    m_findings.append(text);
    m_points.append(Verdict::Point::Note);
}

void ExpectationChecks::expectCount(const Phrase &what, qint64 expected, qint64 found)
{
    expect(found == expected, what, asPhrase(expected), asPhrase(found));
}

void ExpectationChecks::expectAtLeast(const Phrase &what, qint64 least, qint64 found)
{
    expect(found >= least, what, Phrase(QT_TRANSLATE_NOOP("phrases", "at least %1"), least), asPhrase(found));
}

} // namespace lockscope

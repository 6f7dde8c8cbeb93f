// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include "core/simulation/textlayout.h"

#include <algorithm>

namespace lockscope::scenario {

Algorithm algorithmOf(StrategyKind kind)
{
    Algorithm algorithm;
    algorithm.strategy = kind;
    return algorithm;
}

Algorithm algorithmOf(StrategyKind kind, const ScenarioSettings &settings)
{
    Algorithm algorithm = algorithmOf(kind);
    algorithm.release = settings.release.value_or(ReleaseForm::Usual);
    return algorithm;
}

Algorithm chosenOr(StrategyKind usual, const ScenarioSettings &settings)
{
    return settings.algorithm.value_or(algorithmOf(usual, settings));
}

milliseconds leaseFor(const Algorithm &algorithm, milliseconds lease)
{
    return hasWholeSecondLease(algorithm.strategy) ? std::chrono::ceil<std::chrono::seconds>(lease) : lease;
}

Plan contention(const char *name, const Algorithm &algorithm, const ScenarioSettings &settings)
{
    Plan plan;
    plan.name = name;
    plan.algorithm = algorithm;
    plan.workers = settings.workers.value_or(40);
    plan.processes = settings.processes.value_or(1);
    plan.duration = settings.duration.value_or(5s);
    plan.seed = settings.seed;
    plan.lease = leaseFor(algorithm, 10s);
    plan.hold = {HoldTime::Shape::Fixed, 1ms, 1ms};
    plan.rest = 2ms;
    return plan;
}

Plan choreography(const char *name, const Algorithm &algorithm, const QList<Visit> &visits, quint32 seed)
{
    Plan plan;
    plan.name = name;
    plan.algorithm = algorithm;
    plan.workers = static_cast<int>(visits.size());
    plan.duration = 15s;
    plan.seed = seed;
    plan.lease = visits.front().lease;
    plan.hold = {HoldTime::Shape::Fixed, visits.front().hold, visits.front().hold};
    plan.mode = visits.front().mode;
    for (const Visit &each : visits)
        plan.script.append({each});
    return plan;
}

Visit visit(WaitMode mode, milliseconds startAt, milliseconds lease, milliseconds hold)
{
    Visit visit;
    visit.mode = mode;
    visit.startAt = startAt;
    visit.lease = lease;
    visit.hold = hold;
    return visit;
}

std::optional<microseconds> firstTime(const Report &report, LogLine::What what, int worker, int lock)
{
    std::optional<microseconds> first;
    for (const LogLine &line : report.log) {
        if (line.what == what && line.worker == worker && line.lock == lock)
            first = first ? std::min(*first, line.at) : line.at;
    }
    return first;
}

int countOf(const Report &report, LogLine::What what, std::optional<int> worker, std::optional<int> lock)
{
    return static_cast<int>(std::ranges::count_if(report.log, [&](const LogLine &line) {
        return line.what == what && line.worker == worker.value_or(line.worker) &&
               line.lock == lock.value_or(line.lock);
    }));
}

QString inWords(microseconds time)
{
    return shortTime(time);
}

void Points::expect(bool met, const QString &what, const QString &expected, const QString &found)
{
    m_met = m_met && met;
    const QString point =
        Words::tr("%1: expected %2, found %3", "what, how much, how much").arg(what, expected, found);
    const QString whole = m_act.isEmpty() ? point : Words::tr("%1: %2", "an act, a point").arg(m_act, point);
    m_findings.append(met ? Words::tr("as expected – %1").arg(whole)
                          : Words::tr("NOT as expected – %1").arg(whole));
    m_points.append(met ? Verdict::Point::Met : Verdict::Point::Missed);
}

void Points::note(const QString &text)
{
    m_findings.append(text);
    m_points.append(Verdict::Point::Note);
}

void Points::expectCount(const QString &what, qint64 expected, qint64 found)
{
    expect(found == expected, what, QString::number(expected), QString::number(found));
}

void Points::expectAtLeast(const QString &what, qint64 least, qint64 found)
{
    expect(found >= least, what, Words::tr("at least %1").arg(least), QString::number(found));
}

} // namespace lockscope::scenario

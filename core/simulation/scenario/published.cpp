// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>
#include <array>

// The three tests that the write-ups of these locks publish.
namespace lockscope::scenario {

namespace {

constexpr milliseconds sequenceLease = 100ms;
constexpr std::array<milliseconds, 4> sequenceStarts{0ms, 30ms, 60ms, 150ms};

Phrase titleOf(const Algorithm &algorithm)
{
    return Phrase::verbatim(QString::fromLatin1(strategyName(algorithm.strategy)));
}

/// The workers that got a lock, in the order in which they did: "A, C, D".
QString orderOf(const Report &report)
{
    QList<LogLine> got;
    std::ranges::copy_if(report.log, std::back_inserter(got),
                         [](const LogLine &line) { return line.what == LogLine::What::Got; });
    std::ranges::stable_sort(got, {}, &LogLine::at);
    QStringList names;
    for (const LogLine &line : got)
        names.append(QString(QChar(static_cast<char16_t>(u'A' + line.worker))));
    return names.join(QStringLiteral(", "));
}

} // namespace

QList<ScenarioPhase> oneWinner(const ScenarioSettings &settings)
{
    QList<Algorithm> algorithms{algorithmOf(StrategyKind::TokenSet, settings),
                                algorithmOf(StrategyKind::TokenLua, settings)};
    if (settings.algorithm)
        algorithms = {*settings.algorithm};
    QList<ScenarioPhase> acts;
    for (const Algorithm &algorithm : algorithms) {
        Plan plan = contention("one-winner", algorithm, settings);
        plan.rounds = settings.rounds.value_or(50);
        plan.duration = Plan().duration; // rounds end by themselves
        plan.mode = WaitMode::Try;
        plan.lease = leaseFor(algorithm, 100ms);
        plan.hold = {HoldTime::Shape::Fixed, 200ms, 200ms};
        acts.append({algorithms.size() > 1 ? titleOf(algorithm) : Phrase(), plan, {}});
    }
    return acts;
}

Verdict checkOneWinner(const QList<Report> &reports)
{
    ExpectationChecks points;
    for (const Report &report : reports) {
        points.beginAct(titleOf(report.plan.algorithm));
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "rounds with simultaneous attempts")),
                           report.plan.rounds.value_or(0), report.validRounds());
        points.expect(report.validRounds() > 0 && report.fewestWinners() == 1 && report.maxWinners() == 1,
                      Phrase(QT_TRANSLATE_NOOP("phrases", "winners in each of these rounds")), asPhrase(1),
                      report.fewestWinners() == report.maxWinners()
                          ? asPhrase(report.maxWinners())
                          : Phrase(QT_TRANSLATE_NOOP("phrases", "%1 to %2"), report.fewestWinners(),
                                   report.maxWinners()));
        const auto voided = report.rounds.size() - report.validRounds();
        if (voided > 0)
            points.note(Phrase::plural(
                QT_TRANSLATE_NOOP("phrases",
                                  "%1: %n round(s) repeated, because the attempts were too far apart."),
                static_cast<int>(voided), titleOf(report.plan.algorithm)));
    }
    return points.verdict();
}

QList<ScenarioPhase> sequence(const ScenarioSettings &settings)
{
    QList<ScenarioPhase> acts;
    for (const StrategyKind form : {StrategyKind::TokenSet, StrategyKind::TokenLua}) {
        QList<Iteration> visits;
        for (const milliseconds start : sequenceStarts)
            visits.append(visit(WaitMode::Try, start, sequenceLease, 200ms));
        for (qsizetype other = 1; other < visits.size(); ++other)
            visits[other].algorithm = algorithmOf(StrategyKind::TokenSet, settings);
        visits[2].mode = WaitMode::Timeout;
        visits[2].timeout = 101ms;
        visits[3].mode = WaitMode::Block;
        const Algorithm tested = algorithmOf(form, settings);
        acts.append({titleOf(tested), choreography("sequence", tested, visits, settings.seed), 15ms});
    }
    return acts;
}

Verdict checkSequence(const QList<Report> &reports)
{
    ExpectationChecks points;
    const QList<ScenarioPhase> acts = sequence({});
    for (qsizetype i = 0; i < reports.size(); ++i) {
        const Report &report = reports[i];
        points.beginAct(acts[i].title);
        if (isVoid(acts[i], report)) {
            points.expect(false, Phrase(QT_TRANSLATE_NOOP("phrases", "starts in time")),
                          Phrase(QT_TRANSLATE_NOOP("phrases", "within %1"), asPhrase(15ms)),
                          Phrase(QT_TRANSLATE_NOOP("phrases", "one later acquisition")));
            continue;
        }
        points.expect(orderOf(report) == u"A, C, D",
                      Phrase(QT_TRANSLATE_NOOP("phrases", "workers that acquired the lock, in order")),
                      Phrase::verbatim(QStringLiteral("A, C, D")), Phrase::verbatim(orderOf(report)));
        points.expectCount(
            Phrase(QT_TRANSLATE_NOOP("phrases", "refusals of B, which tried during A's lease")), 1,
            countOf(report, LogLine::What::Refused, 1));
        points.expectCount(Phrase(QT_TRANSLATE_NOOP(
                               "phrases", "releases by A after its lease that freed another owner's lock")),
                           0, report.findings.foreignReleases);
        points.expectAtLeast(
            Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps, since each works longer than its lease")), 2,
            report.findings.overlaps);
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps that no expired lease explains")), 0,
                           report.findings.unexplainedOverlaps);
    }
    return points.verdict();
}

QList<ScenarioPhase> fiveProcesses(const ScenarioSettings &settings)
{
    Iteration first = visit(WaitMode::Try, 0ms, 2333ms, 2000ms);
    Iteration second = first;
    second.startAt.reset();
    second.locks = {1};
    second.algorithm = algorithmOf(StrategyKind::TokenSet, settings);
    Plan plan = choreography("five-processes", algorithmOf(StrategyKind::TokenLua, settings),
                             QList<Iteration>(5, first), settings.seed);
    plan.processes = 5;
    plan.locks = 2;
    for (QList<Iteration> &visits : plan.script)
        visits.append(second);
    return {{Phrase(), plan, {}}};
}

Verdict checkFiveProcesses(const QList<Report> &reports)
{
    ExpectationChecks points;
    const Report &report = reports.front();
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "attempts of five processes for two locks")), 10,
                       countOf(report, LogLine::What::Tried));
    for (const int lock : {0, 1}) {
        points.expectAtLeast(
            Phrase(QT_TRANSLATE_NOOP("phrases", "processes that acquired lock %1"), lock + 1), 1,
            countOf(report, LogLine::What::Got, {}, lock));
        points.expectCount(
            Phrase(QT_TRANSLATE_NOOP("phrases", "releases of lock %1 by its holders"), lock + 1),
            countOf(report, LogLine::What::Got, {}, lock),
            countOf(report, LogLine::What::Released, {}, lock));
    }
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps on one lock")), 0,
                       report.findings.overlaps);
    return points.verdict();
}

} // namespace lockscope::scenario

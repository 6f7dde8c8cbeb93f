// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>
#include <array>

// The three tests that the write-ups of these locks publish.
namespace lockscope::scenario {

namespace {

/// The workers that got a lock, in the order in which they did: "A, C, D".
QString orderOf(const Report &report)
{
    QList<LogLine> got;
    std::ranges::copy_if(report.log, std::back_inserter(got),
                         [](const LogLine &line) { return line.what == What::Got; });
    std::ranges::stable_sort(got, {}, &LogLine::at);
    QStringList names;
    for (const LogLine &line : got)
        names.append(QString(QChar(static_cast<char16_t>(u'A' + line.worker))));
    return names.join(QStringLiteral(", "));
}

void expectOneWinner(ExpectationChecks &checks, const Report &report)
{
    checks.beginAct(titleOf(report.plan.algorithm));
    checks.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "rounds with simultaneous attempts")),
                       report.plan.rounds.value_or(0), report.validRounds());
    checks.expect(
        report.validRounds() > 0 && report.fewestWinners() == 1 && report.maxWinners() == 1,
        Phrase(QT_TRANSLATE_NOOP("phrases", "winners in each of these rounds")), asPhrase(1),
        report.fewestWinners() == report.maxWinners()
            ? asPhrase(report.maxWinners())
            : Phrase(QT_TRANSLATE_NOOP("phrases", "%1 to %2"), report.fewestWinners(), report.maxWinners()));
    if (const auto voided = report.rounds.size() - report.validRounds(); voided > 0)
        checks.note(Phrase::plural(
            QT_TRANSLATE_NOOP("phrases",
                              "%1: %n round(s) repeated, because the attempts were too far apart."),
            static_cast<int>(voided), titleOf(report.plan.algorithm)));
}

void expectOrder(ExpectationChecks &checks, const Report &report)
{
    checks.expect(orderOf(report) == u"A, C, D",
                  Phrase(QT_TRANSLATE_NOOP("phrases", "workers that acquired the lock, in order")),
                  Phrase::verbatim(QStringLiteral("A, C, D")), Phrase::verbatim(orderOf(report)));
    checks.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "refusals of B, which tried during A's lease")), 1,
                       countOf(report, What::Refused, 1));
}

void expectHolders(ExpectationChecks &checks, const Report &report)
{
    for (const int lock : {0, 1}) {
        const int holders = countOf(report, What::Got, {}, lock);
        checks.expectAtLeast(
            Phrase(QT_TRANSLATE_NOOP("phrases", "processes that acquired lock %1"), lock + 1), 1, holders);
        checks.expectCount(
            Phrase(QT_TRANSLATE_NOOP("phrases", "releases of lock %1 by its holders"), lock + 1), holders,
            countOf(report, What::Released, {}, lock));
    }
}

} // namespace

const Scenario oneWinner{
    "one-winner",
    QT_TRANSLATE_NOOP("phrases", "One winner"),
    QT_TRANSLATE_NOOP("phrases", "Forty workers try once at the same moment for the same lock, fifty times."),
    QT_TRANSLATE_NOOP("phrases", "In every round exactly one worker acquires the lock."),
    Freedom::Algorithm,
    [](const ScenarioSettings &settings) {
        QList<Algorithm> algorithms{algorithmOf(StrategyKind::TokenSet, settings),
                                    algorithmOf(StrategyKind::TokenLua, settings)};
        if (settings.algorithm)
            algorithms = {*settings.algorithm};
        QList<ScenarioPhase> acts;
        for (const Algorithm &algorithm : algorithms) {
            Plan plan = contention(algorithm, settings);
            plan.rounds = settings.rounds.value_or(50);
            plan.duration = Plan().duration; // rounds end by themselves
            plan.mode = Try;
            plan.lease = leaseFor(algorithm, 100ms);
            plan.hold = {HoldTime::Shape::Fixed, 200ms, 200ms};
            acts.append({algorithms.size() > 1 ? titleOf(algorithm) : Phrase(), plan, {expectOneWinner}});
        }
        return acts;
    }};

const Scenario sequence{
    "sequence",
    QT_TRANSLATE_NOOP("phrases", "Four in sequence"),
    QT_TRANSLATE_NOOP("phrases",
                      "Each of four workers works twice as long as its lease. A tries at once, B after 30 "
                      "ms, C from 60 ms for 101 ms, D blocks from 150 ms."),
    QT_TRANSLATE_NOOP("phrases",
                      "A acquires the lock, B does not, C acquires when A's lease has expired, then "
                      "D. Their work overlaps, and no late release frees another owner's lock."),
    Freedom::Release,
    [](const ScenarioSettings &settings) {
        QList<ScenarioPhase> acts;
        for (const StrategyKind form : {StrategyKind::TokenSet, StrategyKind::TokenLua}) {
            QList<Iteration> visits{visit(Try, 0ms, 100ms, 200ms), visit(Try, 30ms, 100ms, 200ms),
                                    visit(Timeout, 60ms, 100ms, 200ms), visit(Block, 150ms, 100ms, 200ms)};
            for (qsizetype other = 1; other < visits.size(); ++other)
                visits[other].algorithm = algorithmOf(StrategyKind::TokenSet, settings);
            visits[2].timeout = 101ms;
            const Algorithm tested = algorithmOf(form, settings);
            acts.append(
                {titleOf(tested),
                 choreography(tested, visits),

                 {expectOrder,
                  is(0, {QT_TRANSLATE_NOOP("phrases",
                                           "releases by A after its lease that freed another owner's lock"),
                         &Findings::foreignReleases}),
                  atLeast(2,
                          {QT_TRANSLATE_NOOP("phrases", "overlaps, since each works longer than its lease"),
                           &Findings::overlaps}),
                  is(0, unexplainedOverlaps)},
                 15ms});
        }
        return acts;
    }};

const Scenario fiveProcesses{
    "five-processes",
    QT_TRANSLATE_NOOP("phrases", "Five processes, two locks"),
    QT_TRANSLATE_NOOP("phrases",
                      "Five processes wake at the same moment, and each tries once for the first lock and "
                      "then for the second one."),
    QT_TRANSLATE_NOOP(
        "phrases",
        "Each lock has at most one holder at any time. A late process may acquire a lock just released."),
    Freedom::Release,
    [](const ScenarioSettings &settings) {
        const Iteration first = visit(Try, 0ms, 2333ms, 2000ms);
        Iteration second = first;
        second.startAt.reset();
        second.locks = {1};
        second.algorithm = algorithmOf(StrategyKind::TokenSet, settings);
        Plan plan = choreography(algorithmOf(StrategyKind::TokenLua, settings), QList<Iteration>(5, first));
        plan.processes = 5;
        plan.locks = 2;
        for (QList<Iteration> &visits : plan.script)
            visits.append(second);
        return QList<ScenarioPhase>{
            {Phrase(),
             plan,
             {is(10, {QT_TRANSLATE_NOOP("phrases", "attempts of five processes for two locks"), What::Tried}),
              expectHolders,
              is(0, {QT_TRANSLATE_NOOP("phrases", "overlaps on one lock"), &Findings::overlaps})}}};
    }};

} // namespace lockscope::scenario

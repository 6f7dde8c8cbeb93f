// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>
#include <array>

// The three tests that the write-ups of these locks publish.
namespace lockscope::scenario {

namespace {

constexpr milliseconds sequenceLease = 100ms;
constexpr std::array<milliseconds, 4> sequenceStarts{0ms, 30ms, 60ms, 150ms};

QString titleOf(const Algorithm &algorithm)
{
    return QString::fromLatin1(strategyName(algorithm.strategy));
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

QList<Act> oneWinner(const ScenarioSettings &settings)
{
    QList<Algorithm> algorithms{algorithmOf(StrategyKind::TokenSet, settings),
                                algorithmOf(StrategyKind::TokenLua, settings)};
    if (settings.algorithm)
        algorithms = {*settings.algorithm};
    QList<Act> acts;
    for (const Algorithm &algorithm : algorithms) {
        Plan plan = contention("one-winner", algorithm, settings);
        plan.rounds = settings.rounds.value_or(50);
        plan.duration = Plan().duration; // rounds end by themselves
        plan.mode = WaitMode::Try;
        plan.lease = leaseFor(algorithm, 100ms);
        plan.hold = {HoldTime::Shape::Fixed, 200ms, 200ms};
        acts.append({algorithms.size() > 1 ? titleOf(algorithm) : QString(), plan, {}});
    }
    return acts;
}

Verdict judgeOneWinner(const QList<Report> &reports)
{
    Points points;
    for (const Report &report : reports) {
        points.beginAct(titleOf(report.plan.algorithm));
        points.expectCount(Words::tr("rounds whose tries came together"), report.plan.rounds.value_or(0),
                           report.validRounds());
        points.expect(report.validRounds() > 0 && report.fewestWinners() == 1 && report.mostWinners() == 1,
                      Words::tr("winners in each of these rounds"), QStringLiteral("1"),
                      report.fewestWinners() == report.mostWinners()
                          ? QString::number(report.mostWinners())
                          : Words::tr("%1 to %2", "fewest and most")
                                .arg(report.fewestWinners())
                                .arg(report.mostWinners()));
        const auto voided = report.rounds.size() - report.validRounds();
        if (voided > 0)
            points.note(
                Words::tr("%1: %n round(s) proved nothing, since the tries were too far apart, and were "
                          "repeated.",
                          nullptr, static_cast<int>(voided))
                    .arg(titleOf(report.plan.algorithm)));
    }
    return points.verdict();
}

QList<Act> sequence(const ScenarioSettings &settings)
{
    QList<Act> acts;
    for (const StrategyKind form : {StrategyKind::TokenSet, StrategyKind::TokenLua}) {
        QList<Visit> visits;
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

Verdict judgeSequence(const QList<Report> &reports)
{
    Points points;
    const QList<Act> acts = sequence({});
    for (qsizetype i = 0; i < reports.size(); ++i) {
        const Report &report = reports[i];
        points.beginAct(acts[i].title);
        if (isVoid(acts[i], report)) {
            points.expect(false, Words::tr("starts in time"), Words::tr("within %1").arg(inWords(15ms)),
                          Words::tr("one that came later"));
            continue;
        }
        points.expect(orderOf(report) == u"A, C, D", Words::tr("who got the lock, in order"),
                      QStringLiteral("A, C, D"), orderOf(report));
        points.expectCount(Words::tr("refusals of B, who tried under A's lease"), 1,
                           countOf(report, LogLine::What::Refused, 1));
        points.expectCount(Words::tr("releases by A, whose lease had ended, that freed another's lock"), 0,
                           report.findings.foreignReleases);
        points.expectAtLeast(Words::tr("overlaps in their work, since each works longer than its lease"), 2,
                             report.findings.overlaps);
        points.expectCount(Words::tr("overlaps that no ended lease explains"), 0,
                           report.findings.unexplainedOverlaps);
    }
    return points.verdict();
}

QList<Act> fiveProcesses(const ScenarioSettings &settings)
{
    Visit first = visit(WaitMode::Try, 0ms, 2333ms, 2000ms);
    Visit second = first;
    second.startAt.reset();
    second.locks = {1};
    second.algorithm = algorithmOf(StrategyKind::TokenSet, settings);
    Plan plan = choreography("five-processes", algorithmOf(StrategyKind::TokenLua, settings),
                             QList<Visit>(5, first), settings.seed);
    plan.processes = 5;
    plan.locks = 2;
    for (QList<Visit> &visits : plan.script)
        visits.append(second);
    return {{QString(), plan, {}}};
}

Verdict judgeFiveProcesses(const QList<Report> &reports)
{
    Points points;
    const Report &report = reports.front();
    points.expectCount(Words::tr("tries of five processes for two locks"), 10,
                       countOf(report, LogLine::What::Tried));
    for (const int lock : {0, 1}) {
        points.expectAtLeast(Words::tr("processes that got lock %1").arg(lock + 1), 1,
                             countOf(report, LogLine::What::Got, {}, lock));
        points.expectCount(Words::tr("releases of lock %1 by those who had it").arg(lock + 1),
                           countOf(report, LogLine::What::Got, {}, lock),
                           countOf(report, LogLine::What::Released, {}, lock));
    }
    points.expectCount(Words::tr("moments with two holders of one lock"), 0, report.findings.overlaps);
    return points.verdict();
}

} // namespace lockscope::scenario

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>

// Nothing goes wrong but the waiting.
namespace lockscope::scenario {

namespace {

using What = LogLine::What;

constexpr milliseconds slowHold = 200ms;
constexpr milliseconds deadlockLease = 3000ms;
constexpr int depth = 3;

QString ratio(double value)
{
    return QString::number(value, 'f', 2);
}

double inequality(const Report &report)
{
    return static_cast<double>(report.mostAcquired()) /
           static_cast<double>(std::max(report.fewestAcquired(), qint64(1)));
}

microseconds median(const Histogram &histogram)
{
    return histogram.percentile(0.5).value_or(microseconds(0));
}

microseconds lastMoment(const Report &report)
{
    microseconds last{0};
    for (const LogLine &line : report.log)
        last = std::max(last, line.at);
    return last;
}

/// Two workers that take two locks, some time apart, so that each has its first when it wants its second.
Plan pair(const ScenarioSettings &settings, WaitMode mode, bool opposite)
{
    Visit first = visit(mode, 0ms, deadlockLease, 20ms);
    first.timeout = 500ms;
    first.step = 200ms;
    first.locks = {0, 1};
    Visit second = first;
    if (opposite)
        second.locks = {1, 0};
    else
        second.timeout = 2000ms;
    Plan plan = choreography("deadlock", algorithmOf(StrategyKind::TokenSet), {first, second}, settings.seed);
    plan.locks = 2;
    return plan;
}

} // namespace

QList<Act> convoy(const ScenarioSettings &settings)
{
    Plan plan = contention("convoy", chosenOr(StrategyKind::Handoff, settings), settings);
    plan.workers = settings.workers.value_or(20);
    plan.duration = settings.duration.value_or(8s);
    plan.pauseRate = 0.01;
    plan.pause = slowHold; // far below the lease: slow, not lost
    return {{QString(), plan, {}}};
}

Verdict judgeConvoy(const QList<Report> &reports)
{
    Points points;
    const Report &report = reports.front();
    const microseconds wait = report.total.wait.percentile(0.99).value_or(0ms);
    const microseconds hold = median(report.total.hold);
    points.expectAtLeast(Words::tr("slow holders"), 1, report.total.pauses);
    points.expect(hold.count() > 0 && wait >= 20 * hold, Words::tr("99 % of the waits"),
                  Words::tr("at least 20 usual holds (of %1)").arg(inWords(hold)), inWords(wait));
    points.expect(wait >= slowHold / 2, Words::tr("99 % of the waits"),
                  Words::tr("at least half a slow hold (of %1)").arg(inWords(slowHold)), inWords(wait));
    points.expectCount(Words::tr("overlaps"), 0, report.findings.overlaps);
    return points.verdict();
}

QList<Act> herd(const ScenarioSettings &settings)
{
    Algorithm all = algorithmOf(StrategyKind::Reentrant);
    all.wake = WakeForm::Subscription;
    return {{Words::tr("all are woken"), contention("herd", all, settings), {}},
            {Words::tr("hand-off"), contention("herd", algorithmOf(StrategyKind::Handoff), settings), {}}};
}

Verdict judgeHerd(const QList<Report> &reports)
{
    Points points;
    const double herd = reports[0].commandsPerAcquisition();
    const double handoff = reports[1].commandsPerAcquisition();
    points.expect(handoff > 0 && herd >= 3 * handoff,
                  Words::tr("commands per acquisition where all are woken"),
                  Words::tr("at least three times the hand-off's %1").arg(ratio(handoff)), ratio(herd));
    const microseconds slow = median(reports[0].findings.handoff);
    const microseconds fast = median(reports[1].findings.handoff);
    points.expect(fast.count() > 0 && slow > fast, Words::tr("median hand-off where all are woken"),
                  Words::tr("later than the hand-off's %1").arg(inWords(fast)), inWords(slow));
    for (const Report &report : reports)
        points.expectCount(Words::tr("overlaps by %1")
                               .arg(QString::fromLatin1(strategyName(report.plan.algorithm.strategy))),
                           0, report.findings.overlaps);
    return points.verdict();
}

QList<Act> deadlock(const ScenarioSettings &settings)
{
    return {{Words::tr("opposite order"), pair(settings, WaitMode::Block, true), {}},
            {Words::tr("opposite order, with timeouts"), pair(settings, WaitMode::Timeout, true), {}},
            {Words::tr("the same order"), pair(settings, WaitMode::Timeout, false), {}}};
}

Verdict judgeDeadlock(const QList<Report> &reports)
{
    Points points;
    points.beginAct(Words::tr("opposite order"));
    for (const int worker : {0, 1}) {
        const auto began = firstTime(reports[0], What::Tried, worker, worker);
        const auto ended = firstTime(reports[0], What::Got, worker, 1 - worker);
        points.expect(began && ended && *ended >= *began + deadlockLease - slowHold,
                      Words::tr("W%1 has its second lock").arg(worker + 1),
                      Words::tr("only when a lease ends, after about %1").arg(inWords(deadlockLease)),
                      ended ? inWords(*ended) : Words::tr("never"));
    }
    points.beginAct(Words::tr("opposite order, with timeouts"));
    points.expectAtLeast(Words::tr("workers that give up and free their first lock"), 1,
                         reports[1].total.timedOut);
    points.expect(lastMoment(reports[1]) < deadlockLease, Words::tr("all is over"),
                  Words::tr("before a lease ends, %1").arg(inWords(deadlockLease)),
                  inWords(lastMoment(reports[1])));
    points.beginAct(Words::tr("the same order"));
    points.expectCount(Words::tr("workers that give up"), 0, reports[2].total.timedOut);
    points.expect(lastMoment(reports[2]) < deadlockLease, Words::tr("all is over"),
                  Words::tr("before a lease ends, %1").arg(inWords(deadlockLease)),
                  inWords(lastMoment(reports[2])));
    return points.verdict();
}

QList<Act> fairVsUnfair(const ScenarioSettings &settings)
{
    Algorithm polling = algorithmOf(StrategyKind::TokenSet);
    polling.wake = WakeForm::Poll;
    polling.poll = 10ms;
    return {{Words::tr("polling every 10 ms"), contention("fair-vs-unfair", polling, settings), {}},
            {Words::tr("hand-off"),
             contention("fair-vs-unfair", algorithmOf(StrategyKind::Handoff), settings),
             {}}};
}

Verdict judgeFairVsUnfair(const QList<Report> &reports)
{
    Points points;
    const double unfair = inequality(reports[0]);
    const double fair = inequality(reports[1]);
    points.expect(reports[1].fewestAcquired() > 0 && fair <= 1.1,
                  Words::tr("most acquisitions of a worker over the fewest, hand-off"),
                  Words::tr("at most 1.10"), ratio(fair));
    points.expect(unfair > fair, Words::tr("the same, polling"), Words::tr("more than %1").arg(ratio(fair)),
                  ratio(unfair));
    points.expect(reports[0].fairness() < reports[1].fairness(), Words::tr("Jain's index, polling"),
                  Words::tr("below the hand-off's %1").arg(QString::number(reports[1].fairness(), 'f', 4)),
                  QString::number(reports[0].fairness(), 'f', 4));
    return points.verdict();
}

QList<Act> reentrancy(const ScenarioSettings &settings)
{
    QList<Act> acts;
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff,
                                    StrategyKind::TokenCounted, StrategyKind::TokenSet}) {
        Visit visiting = visit(WaitMode::Timeout, 0ms, 2000ms, 50ms);
        visiting.timeout = 300ms;
        visiting.levels = depth;
        visiting.step = 20ms;
        acts.append({QString::fromLatin1(strategyName(kind)),
                     choreography("reentrancy", algorithmOf(kind), {visiting}, settings.seed),
                     {}});
    }
    return acts;
}

Verdict judgeReentrancy(const QList<Report> &reports)
{
    Points points;
    for (const Report &report : reports) {
        const StrategyKind kind = report.plan.algorithm.strategy;
        points.beginAct(QString::fromLatin1(strategyName(kind)));
        const int levels = isReentrant(kind) ? depth : 1;
        points.expectCount(Words::tr("levels counted, and unwound one by one"), levels,
                           countOf(report, What::Released));
        points.expectCount(Words::tr("waits for its own lock that only a timeout ended"), levels == 1 ? 1 : 0,
                           countOf(report, What::TimedOut));
    }
    return points.verdict();
}

} // namespace lockscope::scenario

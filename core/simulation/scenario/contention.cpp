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

Phrase ratio(double value)
{
    return Phrase::verbatim(QString::number(value, 'f', 2));
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
    Iteration first = visit(mode, 0ms, deadlockLease, 20ms);
    first.timeout = 500ms;
    first.step = 200ms;
    first.locks = {0, 1};
    Iteration second = first;
    if (opposite)
        second.locks = {1, 0};
    else
        second.timeout = 2000ms;
    Plan plan = choreography("deadlock", algorithmOf(StrategyKind::TokenSet), {first, second}, settings.seed);
    plan.locks = 2;
    return plan;
}

} // namespace

QList<ScenarioPhase> convoy(const ScenarioSettings &settings)
{
    Plan plan = contention("convoy", chosenOr(StrategyKind::Handoff, settings), settings);
    plan.workers = settings.workers.value_or(20);
    plan.duration = settings.duration.value_or(8s);
    plan.pauseRate = 0.01;
    plan.pause = slowHold; // far below the lease: slow, not lost
    return {{Phrase(), plan, {}}};
}

Verdict checkConvoy(const QList<Report> &reports)
{
    ExpectationChecks points;
    const Report &report = reports.front();
    const microseconds wait = report.total.wait.percentile(0.99).value_or(0ms);
    const microseconds hold = median(report.total.hold);
    points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "slow holders")), 1, report.total.pauses);
    points.expect(
        hold.count() > 0 && wait >= 20 * hold, Phrase(QT_TRANSLATE_NOOP("phrases", "wait p99")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at least 20 usual hold times (of %1)"), asPhrase(hold)),
        asPhrase(wait));
    points.expect(
        wait >= slowHold / 2, Phrase(QT_TRANSLATE_NOOP("phrases", "wait p99")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at least half a slow hold time (of %1)"), asPhrase(slowHold)),
        asPhrase(wait));
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps")), 0, report.findings.overlaps);
    return points.verdict();
}

QList<ScenarioPhase> herd(const ScenarioSettings &settings)
{
    Algorithm all = algorithmOf(StrategyKind::Reentrant);
    all.wake = WakeMethod::Subscription;
    return {{Phrase(QT_TRANSLATE_NOOP("phrases", "all waiters wake")), contention("herd", all, settings), {}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "handoff")),
             contention("herd", algorithmOf(StrategyKind::Handoff), settings),
             {}}};
}

Verdict checkHerd(const QList<Report> &reports)
{
    ExpectationChecks points;
    const double herd = reports[0].commandsPerAcquisition();
    const double handoff = reports[1].commandsPerAcquisition();
    points.expect(handoff > 0 && herd >= 3 * handoff,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "commands per acquisition if all waiters wake")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "at least three times handoff's %1"), ratio(handoff)),
                  ratio(herd));
    const microseconds slow = median(reports[0].findings.handoff);
    const microseconds fast = median(reports[1].findings.handoff);
    points.expect(fast.count() > 0 && slow > fast,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "median handoff if all waiters wake")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "later than handoff's %1"), asPhrase(fast)),
                  asPhrase(slow));
    for (const Report &report : reports)
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps by %1"),
                                  QString::fromLatin1(strategyName(report.plan.algorithm.strategy))),
                           0, report.findings.overlaps);
    return points.verdict();
}

QList<ScenarioPhase> deadlock(const ScenarioSettings &settings)
{
    return {
        {Phrase(QT_TRANSLATE_NOOP("phrases", "opposite order")), pair(settings, WaitMode::Block, true), {}},
        {Phrase(QT_TRANSLATE_NOOP("phrases", "opposite order, with timeouts")),
         pair(settings, WaitMode::Timeout, true),
         {}},
        {Phrase(QT_TRANSLATE_NOOP("phrases", "the same order")),
         pair(settings, WaitMode::Timeout, false),
         {}}};
}

Verdict checkDeadlock(const QList<Report> &reports)
{
    ExpectationChecks points;
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "opposite order")));
    for (const int worker : {0, 1}) {
        const auto began = firstTime(reports[0], What::Tried, worker, worker);
        const auto ended = firstTime(reports[0], What::Got, worker, 1 - worker);
        points.expect(began && ended && *ended >= *began + deadlockLease - slowHold,
                      Phrase(QT_TRANSLATE_NOOP("phrases", "W%1 has its second lock"), worker + 1),
                      Phrase(QT_TRANSLATE_NOOP("phrases", "only when a lease expires, after about %1"),
                             asPhrase(deadlockLease)),
                      ended ? asPhrase(*ended) : Phrase(QT_TRANSLATE_NOOP("phrases", "never")));
    }
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "opposite order, with timeouts")));
    points.expectAtLeast(
        Phrase(QT_TRANSLATE_NOOP("phrases", "workers that time out and release their first lock")), 1,
        reports[1].total.timedOut);
    points.expect(lastMoment(reports[1]) < deadlockLease,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "end of the run")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "before a lease expires, %1"), asPhrase(deadlockLease)),
                  asPhrase(lastMoment(reports[1])));
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "the same order")));
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "workers that time out")), 0,
                       reports[2].total.timedOut);
    points.expect(lastMoment(reports[2]) < deadlockLease,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "end of the run")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "before a lease expires, %1"), asPhrase(deadlockLease)),
                  asPhrase(lastMoment(reports[2])));
    return points.verdict();
}

QList<ScenarioPhase> fairVsUnfair(const ScenarioSettings &settings)
{
    Algorithm polling = algorithmOf(StrategyKind::TokenSet);
    polling.wake = WakeMethod::Poll;
    polling.poll = 10ms;
    return {{Phrase(QT_TRANSLATE_NOOP("phrases", "polling every 10 ms")),
             contention("fair-vs-unfair", polling, settings),
             {}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "handoff")),
             contention("fair-vs-unfair", algorithmOf(StrategyKind::Handoff), settings),
             {}}};
}

Verdict checkFairVsUnfair(const QList<Report> &reports)
{
    ExpectationChecks points;
    const double unfair = inequality(reports[0]);
    const double fair = inequality(reports[1]);
    points.expect(
        reports[1].fewestAcquired() > 0 && fair <= 1.1,
        Phrase(QT_TRANSLATE_NOOP("phrases", "most acquisitions of a worker over the fewest, handoff")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at most 1.10")), ratio(fair));
    points.expect(unfair > fair, Phrase(QT_TRANSLATE_NOOP("phrases", "the same, polling")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1"), ratio(fair)), ratio(unfair));
    points.expect(reports[0].fairness() < reports[1].fairness(),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "Jain's index, polling")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "below handoff's %1"),
                         QString::number(reports[1].fairness(), 'f', 4)),
                  Phrase::verbatim(QString::number(reports[0].fairness(), 'f', 4)));
    return points.verdict();
}

QList<ScenarioPhase> reentrancy(const ScenarioSettings &settings)
{
    QList<ScenarioPhase> acts;
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff,
                                    StrategyKind::TokenCounted, StrategyKind::TokenSet}) {
        Iteration visiting = visit(WaitMode::Timeout, 0ms, 2000ms, 50ms);
        visiting.timeout = 300ms;
        visiting.levels = depth;
        visiting.step = 20ms;
        acts.append({Phrase::verbatim(QString::fromLatin1(strategyName(kind))),
                     choreography("reentrancy", algorithmOf(kind), {visiting}, settings.seed),
                     {}});
    }
    return acts;
}

Verdict checkReentrancy(const QList<Report> &reports)
{
    ExpectationChecks points;
    for (const Report &report : reports) {
        const StrategyKind kind = report.plan.algorithm.strategy;
        points.beginAct(Phrase::verbatim(QString::fromLatin1(strategyName(kind))));
        const int levels = isReentrant(kind) ? depth : 1;
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "levels counted, and released one by one")),
                           levels, countOf(report, What::Released));
        points.expectCount(
            Phrase(QT_TRANSLATE_NOOP("phrases", "waits for the worker's own lock, ended by a timeout")),
            levels == 1 ? 1 : 0, countOf(report, What::TimedOut));
    }
    return points.verdict();
}

} // namespace lockscope::scenario

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>

// Nothing goes wrong but the waiting.
namespace lockscope::scenario {

namespace {

constexpr milliseconds slowHold = 200ms;
constexpr milliseconds deadlockLease = 3000ms;

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
Plan pair(WaitMode mode, bool opposite)
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
    Plan plan = choreography({StrategyKind::TokenSet}, {first, second});
    plan.locks = 2;
    return plan;
}

void expectLongWaits(ExpectationChecks &checks, const Report &report)
{
    const microseconds wait = report.total.wait.percentile(0.99).value_or(0ms);
    const microseconds hold = median(report.total.hold);
    checks.expect(
        hold.count() > 0 && wait >= 20 * hold, Phrase(QT_TRANSLATE_NOOP("phrases", "wait p99")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at least 20 usual hold times (of %1)"), asPhrase(hold)),
        asPhrase(wait));
    checks.expect(
        wait >= slowHold / 2, Phrase(QT_TRANSLATE_NOOP("phrases", "wait p99")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at least half a slow hold time (of %1)"), asPhrase(slowHold)),
        asPhrase(wait));
}

void compareHerd(ExpectationChecks &checks, const QList<Report> &reports)
{
    const double herd = reports[0].commandsPerAcquisition();
    const double handoff = reports[1].commandsPerAcquisition();
    checks.expect(handoff > 0 && herd >= 3 * handoff,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "commands per acquisition if all waiters wake")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "at least three times handoff's %1"), ratio(handoff)),
                  ratio(herd));
    const microseconds slow = median(reports[0].findings.handoff);
    const microseconds fast = median(reports[1].findings.handoff);
    checks.expect(fast.count() > 0 && slow > fast,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "median handoff if all waiters wake")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "later than handoff's %1"), asPhrase(fast)),
                  asPhrase(slow));
    for (const Report &report : reports)
        checks.expectCount(
            Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps by %1"), titleOf(report.plan.algorithm)), 0,
            report.findings.overlaps);
}

void expectDeadlock(ExpectationChecks &checks, const Report &report)
{
    for (const int worker : {0, 1}) {
        const auto began = firstTime(report, What::Tried, worker, worker);
        const auto ended = firstTime(report, What::Got, worker, 1 - worker);
        checks.expect(began && ended && *ended >= *began + deadlockLease - slowHold,
                      Phrase(QT_TRANSLATE_NOOP("phrases", "W%1 has its second lock"), worker + 1),
                      Phrase(QT_TRANSLATE_NOOP("phrases", "only when a lease expires, after about %1"),
                             asPhrase(deadlockLease)),
                      ended ? asPhrase(*ended) : Phrase(QT_TRANSLATE_NOOP("phrases", "never")));
    }
}

void expectEarlyEnd(ExpectationChecks &checks, const Report &report)
{
    checks.expect(lastMoment(report) < deadlockLease, Phrase(QT_TRANSLATE_NOOP("phrases", "end of the run")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "before a lease expires, %1"), asPhrase(deadlockLease)),
                  asPhrase(lastMoment(report)));
}

void compareFairness(ExpectationChecks &checks, const QList<Report> &reports)
{
    const double unfair = inequality(reports[0]);
    const double fair = inequality(reports[1]);
    checks.expect(
        reports[1].fewestAcquired() > 0 && fair <= 1.1,
        Phrase(QT_TRANSLATE_NOOP("phrases", "most acquisitions of a worker over the fewest, handoff")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at most 1.10")), ratio(fair));
    checks.expect(unfair > fair, Phrase(QT_TRANSLATE_NOOP("phrases", "the same, polling")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1"), ratio(fair)), ratio(unfair));
    checks.expect(reports[0].fairness() < reports[1].fairness(),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "Jain's index, polling")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "below handoff's %1"),
                         QString::number(reports[1].fairness(), 'f', 4)),
                  Phrase::verbatim(QString::number(reports[0].fairness(), 'f', 4)));
}

} // namespace

const Scenario convoy{
    "convoy",
    QT_TRANSLATE_NOOP("phrases", "Convoy"),
    QT_TRANSLATE_NOOP("phrases",
                      "Twenty workers hold the lock for 1 ms each; one iteration in a hundred takes 200 ms."),
    QT_TRANSLATE_NOOP("phrases", "The few slow holders decide how long all workers wait: wait p99 "
                                 "is a multiple of the usual hold time."),
    Freedom::Algorithm,
    [](const ScenarioSettings &settings) {
        Plan plan = contention(chosenOr(StrategyKind::Handoff, settings), settings);
        plan.workers = settings.workers.value_or(20);
        plan.duration = settings.duration.value_or(8s);
        plan.pauseRate = 0.01;
        plan.pause = slowHold; // far below the lease: slow, not lost
        return QList<ScenarioPhase>{
            {Phrase(),
             plan,
             {atLeast(1, {QT_TRANSLATE_NOOP("phrases", "slow holders"), &WorkerStats::pauses}),
              expectLongWaits, is(0, {QT_TRANSLATE_NOOP("phrases", "overlaps"), &Findings::overlaps})}}};
    }};

const Scenario herd{"herd",
                    QT_TRANSLATE_NOOP("phrases", "Thundering herd"),
                    QT_TRANSLATE_NOOP("phrases",
                                      "The same load twice: once each release wakes every waiter, once "
                                      "each release hands the lock to the queue head."),
                    QT_TRANSLATE_NOOP("phrases", "The herd costs at least three times as many commands per "
                                                 "acquisition, and the next waiter acquires later."),
                    Freedom::Fixed,
                    [](const ScenarioSettings &settings) {
                        const Algorithm all{.wake = WakeMethod::Subscription};
                        return QList<ScenarioPhase>{{Phrase(QT_TRANSLATE_NOOP("phrases", "all waiters wake")),
                                                     contention(all, settings)},
                                                    {Phrase(QT_TRANSLATE_NOOP("phrases", "handoff")),
                                                     contention({StrategyKind::Handoff}, settings),
                                                     {}}};
                    },
                    compareHerd};

const Scenario deadlock{
    "deadlock",
    QT_TRANSLATE_NOOP("phrases", "Two locks in opposite order"),
    QT_TRANSLATE_NOOP("phrases", "Two workers acquire the same two locks in opposite order."),
    QT_TRANSLATE_NOOP("phrases", "Each waits for the other until a lease expires; a timeout ends "
                                 "the wait sooner. In the same order there is no deadlock."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        return QList<ScenarioPhase>{
            {Phrase(QT_TRANSLATE_NOOP("phrases", "opposite order")), pair(Block, true), {expectDeadlock}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "opposite order, with timeouts")),
             pair(Timeout, true),
             {atLeast(1, {QT_TRANSLATE_NOOP("phrases", "workers that time out and release their first lock"),
                          &WorkerStats::timedOut}),
              expectEarlyEnd}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "the same order")),
             pair(Timeout, false),
             {is(0, {QT_TRANSLATE_NOOP("phrases", "workers that time out"), &WorkerStats::timedOut}),
              expectEarlyEnd}}};
    }};

const Scenario fairVsUnfair{
    "fair-vs-unfair",
    QT_TRANSLATE_NOOP("phrases", "Fair and unfair"),
    QT_TRANSLATE_NOOP("phrases",
                      "The same load twice: once waiters poll every 10 ms, once they wait in a queue."),
    QT_TRANSLATE_NOOP(
        "phrases", "In the queue all workers acquire equally often, within a tenth; polling workers do not."),
    Freedom::Fixed,
    [](const ScenarioSettings &settings) {
        const Algorithm polling{.strategy = StrategyKind::TokenSet, .wake = WakeMethod::Poll, .poll = 10ms};
        return QList<ScenarioPhase>{
            {Phrase(QT_TRANSLATE_NOOP("phrases", "polling every 10 ms")), contention(polling, settings)},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "handoff")),
             contention({StrategyKind::Handoff}, settings),
             {}}};
    },
    compareFairness};

const Scenario reentrancy{
    "reentrancy",
    QT_TRANSLATE_NOOP("phrases", "Three levels"),
    QT_TRANSLATE_NOOP("phrases", "A worker acquires a lock that it already holds, three levels deep."),
    QT_TRANSLATE_NOOP("phrases",
                      "Re-entrant locks count each level and are released level by level. With a plain "
                      "token lock the worker waits for itself until its timeout."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        QList<ScenarioPhase> acts;
        for (const StrategyKind kind :
             {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff,
              StrategyKind::TokenCounted, StrategyKind::TokenSet}) {
            Iteration visiting = visit(Timeout, 0ms, 2000ms, 50ms);
            visiting.timeout = 300ms;
            visiting.levels = 3;
            visiting.step = 20ms;
            const bool counts = isReentrant(kind);
            acts.append(
                {titleOf({kind}),
                 choreography({kind}, {visiting}),
                 {is(counts ? visiting.levels : 1,
                     {QT_TRANSLATE_NOOP("phrases", "levels counted, and released one by one"),
                      What::Released}),
                  is(counts ? 0 : 1,
                     {QT_TRANSLATE_NOOP("phrases", "waits for the worker's own lock, ended by a timeout"),
                      What::TimedOut})}});
        }
        return acts;
    }};

} // namespace lockscope::scenario

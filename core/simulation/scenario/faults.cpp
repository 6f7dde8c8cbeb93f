// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>

// Something goes wrong: a client dies, stands still, deletes blindly, or never hears the answer.
namespace lockscope::scenario {

namespace {

using What = LogLine::What;

constexpr milliseconds orphanLease = 1000ms;
constexpr milliseconds crashLease = 1000ms;
// "Soon" on a machine that has much else to do.
constexpr milliseconds little = 1000ms;

/// The earliest of the others' first acquisitions.
std::optional<microseconds> firstOther(const Report &report)
{
    std::optional<microseconds> first;
    for (int worker = 1; worker < report.plan.workers; ++worker) {
        if (const auto got = firstTime(report, What::Got, worker))
            first = first ? std::min(*first, *got) : *got;
    }
    return first;
}

/// The lease began between the question and the answer of who had it first.
void expectTakeover(Points &points, const Report &report, milliseconds lease)
{
    const auto asked = firstTime(report, What::Tried, 0);
    const auto answered = firstTime(report, What::Got, 0);
    const auto next = firstOther(report);
    const QString what = Words::tr("time from the dead one's entrance to the next one's");
    if (!asked || !answered || !next)
        return points.expect(false, what, Words::tr("after its lease"), Words::tr("none"));
    points.expect(*next >= *asked + lease - 1ms && *next <= *answered + lease + little, what,
                  Words::tr("after %1 to %2").arg(inWords(lease), inWords(lease + little)),
                  inWords(*next - *answered));
}

} // namespace

QList<Act> orphan(const ScenarioSettings &settings)
{
    const Algorithm setnx = algorithmOf(StrategyKind::TokenSetnx);
    Visit dying = visit(WaitMode::Try, 0ms, orphanLease, 50ms);
    dying.fault = Fault::CrashBeforeExpiry;
    const Visit contending = visit(WaitMode::Block, 100ms, orphanLease, 20ms);
    return {{Words::tr("alone"), choreography("orphan", setnx, {dying}, settings.seed), {}},
            {Words::tr("with contenders"),
             choreography("orphan", setnx, {dying, contending, contending, contending}, settings.seed),
             {}}};
}

Verdict judgeOrphan(const QList<Report> &reports)
{
    Points points;
    points.beginAct(Words::tr("alone"));
    points.expectCount(Words::tr("locks left without expiry"), 1, reports[0].findings.orphans);
    points.beginAct(Words::tr("with contenders"));
    const Report &repaired = reports[1];
    points.expectCount(Words::tr("contenders that got the lock in the end"), 3, countOf(repaired, What::Got));
    const auto tried = firstTime(repaired, What::Tried, 1);
    const auto got = firstOther(repaired);
    points.expect(tried && got && *got >= *tried + orphanLease - 1ms, Words::tr("the first one's wait"),
                  Words::tr("at least the lease that was set, %1").arg(inWords(orphanLease)),
                  tried && got ? inWords(*got - *tried) : Words::tr("none"));
    return points.verdict();
}

QList<Act> foreignRelease(const ScenarioSettings &settings)
{
    // Far enough apart that a busy machine's late threads come in this order too.
    const QList<Visit> visits{visit(WaitMode::Try, 0ms, 300ms, 1000ms),
                              visit(WaitMode::Block, 200ms, 3000ms, 1500ms),
                              visit(WaitMode::Block, 700ms, 3000ms, 200ms)};
    Algorithm unchecked = algorithmOf(StrategyKind::TokenSet);
    unchecked.release = ReleaseForm::UncheckedDelete;
    Algorithm compared = unchecked;
    compared.release = ReleaseForm::CompareAndDelete;
    return {{QStringLiteral("unchecked-delete"),
             choreography("foreign-release", unchecked, visits, settings.seed),
             {}},
            {QStringLiteral("compare-and-delete"),
             choreography("foreign-release", compared, visits, settings.seed),
             {}}};
}

Verdict judgeForeignRelease(const QList<Report> &reports)
{
    Points points;
    points.beginAct(QStringLiteral("unchecked-delete"));
    points.expectAtLeast(Words::tr("locks deleted from under another owner"), 1,
                         reports[0].findings.foreignReleases);
    points.expectAtLeast(Words::tr("overlaps although the lease had not ended"), 1,
                         reports[0].findings.unexplainedOverlaps);
    points.beginAct(QStringLiteral("compare-and-delete"));
    points.expectCount(Words::tr("locks deleted from under another owner"), 0,
                       reports[1].findings.foreignReleases);
    points.expectCount(Words::tr("overlaps although the lease had not ended"), 0,
                       reports[1].findings.unexplainedOverlaps);
    return points.verdict();
}

QList<Act> pausedHolder(const ScenarioSettings &settings)
{
    Visit paused = visit(WaitMode::Try, 0ms, 300ms, 100ms);
    paused.fault = Fault::PauseHolding;
    paused.pause = 1200ms;
    const QList<Visit> visits{paused, visit(WaitMode::Block, 50ms, 3000ms, 200ms)};
    return {{Words::tr("without fencing"),
             choreography("paused-holder", algorithmOf(StrategyKind::TokenSet), visits, settings.seed),
             {}},
            {Words::tr("with fencing tokens"),
             choreography("paused-holder", algorithmOf(StrategyKind::Handoff), visits, settings.seed),
             {}}};
}

Verdict judgePausedHolder(const QList<Report> &reports)
{
    Points points;
    for (qsizetype i = 0; i < reports.size(); ++i) {
        const Findings &findings = reports[i].findings;
        const bool isFenced = i == 1;
        points.beginAct(isFenced ? Words::tr("with fencing tokens") : Words::tr("without fencing"));
        points.expectAtLeast(Words::tr("overlaps, since the lease ended during the pause"), 1,
                             findings.overlaps);
        points.expectCount(Words::tr("overlaps that no ended lease explains"), 0,
                           findings.unexplainedOverlaps);
        if (isFenced) {
            points.expectAtLeast(Words::tr("late writes rejected by their token"), 1,
                                 findings.rejectedWrites);
            points.expectCount(Words::tr("late writes accepted"), 0, findings.staleWrites);
        } else {
            points.expectAtLeast(Words::tr("late writes accepted"), 1, findings.staleWrites);
        }
    }
    return points.verdict();
}

QList<Act> crash(const ScenarioSettings &settings)
{
    const Algorithm algorithm = chosenOr(StrategyKind::Reentrant, settings);
    Visit dying = visit(WaitMode::Try, 0ms, crashLease, 100ms);
    dying.fault = Fault::CrashHolding;
    const Visit waiting = visit(WaitMode::Block, 200ms, crashLease, 20ms);
    Plan load = contention("crash", algorithm, settings);
    load.workers = settings.workers.value_or(8);
    load.duration = settings.duration.value_or(8s);
    load.lease = leaseFor(algorithm, 300ms);
    load.hold = {HoldTime::Shape::Fixed, 5ms, 5ms};
    load.crashRate = 0.05;
    return {{Words::tr("one death"),
             choreography("crash", algorithm, {dying, waiting, waiting}, settings.seed),
             {}},
            {Words::tr("again and again"), load, {}}};
}

Verdict judgeCrash(const QList<Report> &reports)
{
    Points points;
    points.beginAct(Words::tr("one death"));
    expectTakeover(points, reports[0], crashLease);
    points.expectCount(Words::tr("overlaps that no ended lease explains"), 0,
                       reports[0].findings.unexplainedOverlaps);
    points.beginAct(Words::tr("again and again"));
    points.expectAtLeast(Words::tr("deaths"), 1, reports[1].total.crashes);
    points.expectCount(Words::tr("overlaps that no ended lease explains"), 0,
                       reports[1].findings.unexplainedOverlaps);
    points.expectCount(Words::tr("waiters that slept on"), 0, reports[1].findings.lostWakeUps);
    return points.verdict();
}

QList<Act> watchdog(const ScenarioSettings &settings)
{
    const Algorithm redisson = algorithmOf(StrategyKind::Redisson);
    Visit working = visit(WaitMode::Try, 0ms, 600ms, 2000ms);
    working.renew = 200ms;
    Visit unwatched = working;
    unwatched.fault = Fault::WatchdogStopped;
    const Visit waiting = visit(WaitMode::Block, 100ms, 3000ms, 100ms);
    return {{Words::tr("renewed"), choreography("watchdog", redisson, {working, waiting}, settings.seed), {}},
            {Words::tr("watchdog stopped"),
             choreography("watchdog", redisson, {unwatched, waiting}, settings.seed),
             {}}};
}

Verdict judgeWatchdog(const QList<Report> &reports)
{
    Points points;
    points.beginAct(Words::tr("renewed"));
    points.expectCount(Words::tr("overlaps in work longer than the lease"), 0, reports[0].findings.overlaps);
    points.expectCount(Words::tr("workers that got the lock"), 2, countOf(reports[0], What::Got));
    points.beginAct(Words::tr("watchdog stopped"));
    points.expectAtLeast(Words::tr("overlaps in work longer than the lease"), 1,
                         reports[1].findings.overlaps);
    points.expectCount(Words::tr("overlaps that no ended lease explains"), 0,
                       reports[1].findings.unexplainedOverlaps);
    return points.verdict();
}

QList<Act> gapInRelease(const ScenarioSettings &settings)
{
    Visit pausing = visit(WaitMode::Try, 0ms, 300ms, 50ms);
    pausing.fault = Fault::PauseInRelease;
    pausing.pause = 1000ms;
    const QList<Visit> visits{pausing, visit(WaitMode::Block, 50ms, 5000ms, 1800ms),
                              visit(WaitMode::Block, 400ms, 5000ms, 200ms)};
    QList<Act> acts;
    for (const ReleaseForm form :
         {ReleaseForm::CheckThenDelete, ReleaseForm::WatchedTransaction, ReleaseForm::CompareAndDelete}) {
        Algorithm algorithm = algorithmOf(StrategyKind::TokenSet);
        algorithm.release = form;
        acts.append({QString::fromLatin1(releaseName(form)),
                     choreography("gap-in-release", algorithm, visits, settings.seed),
                     {}});
    }
    return acts;
}

Verdict judgeGapInRelease(const QList<Report> &reports)
{
    Points points;
    for (const Report &report : reports) {
        const ReleaseForm form = releaseOf(report.plan.algorithm);
        const Findings &findings = report.findings;
        points.beginAct(QString::fromLatin1(releaseName(form)));
        points.expectCount(hasGap(form) ? Words::tr("pauses between check and delete")
                                        : Words::tr("pauses before the script, which checks and deletes in "
                                                    "one step"),
                           1, report.total.pauses);
        if (form == ReleaseForm::CheckThenDelete) {
            points.expectAtLeast(Words::tr("locks deleted from under another owner"), 1,
                                 findings.foreignReleases);
            points.expectAtLeast(Words::tr("overlaps although the lease had not ended"), 1,
                                 findings.unexplainedOverlaps);
            continue;
        }
        points.expectCount(Words::tr("locks deleted from under another owner"), 0, findings.foreignReleases);
        points.expectCount(Words::tr("overlaps although the lease had not ended"), 0,
                           findings.unexplainedOverlaps);
        if (form == ReleaseForm::WatchedTransaction)
            points.expectCount(Words::tr("transactions that EXEC refused"), 1, report.total.execsRefused);
    }
    return points.verdict();
}

QList<Act> lostReply(const ScenarioSettings &settings)
{
    Algorithm blind = algorithmOf(StrategyKind::Reentrant);
    blind.blindRetry = true;
    const auto planFor = [&](const Algorithm &algorithm) {
        Visit unheard = visit(WaitMode::Block, 0ms, 2000ms, 20ms);
        unheard.fault = Fault::AcquireReplyLost;
        return choreography("lost-reply", algorithm, {unheard}, settings.seed);
    };
    return {{Words::tr("tries again blindly"), planFor(blind), {}},
            {Words::tr("looks first"), planFor(algorithmOf(StrategyKind::Reentrant)), {}},
            {Words::tr("hand-off"), planFor(algorithmOf(StrategyKind::Handoff)), {}}};
}

Verdict judgeLostReply(const QList<Report> &reports)
{
    Points points;
    for (const Report &report : reports) {
        const Algorithm &algorithm = report.plan.algorithm;
        points.beginAct(algorithm.blindRetry                          ? Words::tr("tries again blindly")
                        : algorithm.strategy == StrategyKind::Handoff ? Words::tr("hand-off")
                                                                      : Words::tr("looks first"));
        points.expectCount(Words::tr("locks still held by who had released them"),
                           algorithm.blindRetry ? 1 : 0, report.findings.leaks);
        points.expectCount(Words::tr("acquisitions, as the worker saw it"), 1, report.total.acquired);
    }
    return points.verdict();
}

} // namespace lockscope::scenario

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
void expectTakeover(ExpectationChecks &points, const Report &report, milliseconds lease)
{
    const auto asked = firstTime(report, What::Tried, 0);
    const auto answered = firstTime(report, What::Got, 0);
    const auto next = firstOther(report);
    const Phrase what =
        Phrase(QT_TRANSLATE_NOOP("phrases", "time from the crashed holder's entry to the next entry"));
    if (!asked || !answered || !next)
        return points.expect(false, what,
                             Phrase(QT_TRANSLATE_NOOP("phrases", "after the crashed holder's lease")),
                             Phrase(QT_TRANSLATE_NOOP("phrases", "none")));
    points.expect(
        *next >= *asked + lease - 1ms && *next <= *answered + lease + little, what,
        Phrase(QT_TRANSLATE_NOOP("phrases", "after %1 to %2"), asPhrase(lease), asPhrase(lease + little)),
        asPhrase(*next - *answered));
}

} // namespace

QList<ScenarioPhase> orphan(const ScenarioSettings &settings)
{
    const Algorithm setnx = algorithmOf(StrategyKind::TokenSetnx);
    Iteration dying = visit(WaitMode::Try, 0ms, orphanLease, 50ms);
    dying.fault = Fault::CrashBeforeExpiry;
    const Iteration contending = visit(WaitMode::Block, 100ms, orphanLease, 20ms);
    return {{Phrase(QT_TRANSLATE_NOOP("phrases", "alone")),
             choreography("orphan", setnx, {dying}, settings.seed),
             {}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "with contenders")),
             choreography("orphan", setnx, {dying, contending, contending, contending}, settings.seed),
             {}}};
}

Verdict checkOrphan(const QList<Report> &reports)
{
    ExpectationChecks points;
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "alone")));
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "locks without expiry")), 1,
                       reports[0].findings.orphans);
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "with contenders")));
    const Report &repaired = reports[1];
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "contenders that acquired the lock in the end")),
                       3, countOf(repaired, What::Got));
    const auto tried = firstTime(repaired, What::Tried, 1);
    const auto got = firstOther(repaired);
    points.expect(
        tried && got && *got >= *tried + orphanLease - 1ms,
        Phrase(QT_TRANSLATE_NOOP("phrases", "the first contender's wait")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at least the lease that was set, %1"), asPhrase(orphanLease)),
        tried && got ? asPhrase(*got - *tried) : Phrase(QT_TRANSLATE_NOOP("phrases", "none")));
    return points.verdict();
}

QList<ScenarioPhase> foreignRelease(const ScenarioSettings &settings)
{
    // Far enough apart that a busy machine's late threads come in this order too.
    const QList<Iteration> visits{visit(WaitMode::Try, 0ms, 300ms, 1000ms),
                                  visit(WaitMode::Block, 200ms, 3000ms, 1500ms),
                                  visit(WaitMode::Block, 700ms, 3000ms, 200ms)};
    Algorithm unchecked = algorithmOf(StrategyKind::TokenSet);
    unchecked.release = ReleaseMethod::UncheckedDelete;
    Algorithm compared = unchecked;
    compared.release = ReleaseMethod::CompareAndDelete;
    return {{Phrase::verbatim(QStringLiteral("unchecked-delete")),
             choreography("foreign-release", unchecked, visits, settings.seed),
             {}},
            {Phrase::verbatim(QStringLiteral("compare-and-delete")),
             choreography("foreign-release", compared, visits, settings.seed),
             {}}};
}

Verdict checkForeignRelease(const QList<Report> &reports)
{
    ExpectationChecks points;
    points.beginAct(Phrase::verbatim(QStringLiteral("unchecked-delete")));
    points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "foreign releases")), 1,
                         reports[0].findings.foreignReleases);
    points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps although the lease had not expired")),
                         1, reports[0].findings.unexplainedOverlaps);
    points.beginAct(Phrase::verbatim(QStringLiteral("compare-and-delete")));
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "foreign releases")), 0,
                       reports[1].findings.foreignReleases);
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps although the lease had not expired")), 0,
                       reports[1].findings.unexplainedOverlaps);
    return points.verdict();
}

QList<ScenarioPhase> pausedHolder(const ScenarioSettings &settings)
{
    Iteration paused = visit(WaitMode::Try, 0ms, 300ms, 100ms);
    paused.fault = Fault::PauseHolding;
    paused.pause = 1200ms;
    const QList<Iteration> visits{paused, visit(WaitMode::Block, 50ms, 3000ms, 200ms)};
    return {{Phrase(QT_TRANSLATE_NOOP("phrases", "without fencing")),
             choreography("paused-holder", algorithmOf(StrategyKind::TokenSet), visits, settings.seed),
             {}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "with fencing tokens")),
             choreography("paused-holder", algorithmOf(StrategyKind::Handoff), visits, settings.seed),
             {}}};
}

Verdict checkPausedHolder(const QList<Report> &reports)
{
    ExpectationChecks points;
    for (qsizetype i = 0; i < reports.size(); ++i) {
        const Findings &findings = reports[i].findings;
        const bool isFenced = i == 1;
        points.beginAct(isFenced ? Phrase(QT_TRANSLATE_NOOP("phrases", "with fencing tokens"))
                                 : Phrase(QT_TRANSLATE_NOOP("phrases", "without fencing")));
        points.expectAtLeast(
            Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps because the lease expired during the pause")), 1,
            findings.overlaps);
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps that no expired lease explains")), 0,
                           findings.unexplainedOverlaps);
        if (isFenced) {
            points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "stale writes rejected by their token")),
                                 1, findings.rejectedWrites);
            points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "stale writes accepted")), 0,
                               findings.staleWrites);
        } else {
            points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "stale writes accepted")), 1,
                                 findings.staleWrites);
        }
    }
    return points.verdict();
}

QList<ScenarioPhase> crash(const ScenarioSettings &settings)
{
    const Algorithm algorithm = chosenOr(StrategyKind::Reentrant, settings);
    Iteration dying = visit(WaitMode::Try, 0ms, crashLease, 100ms);
    dying.fault = Fault::CrashHolding;
    const Iteration waiting = visit(WaitMode::Block, 200ms, crashLease, 20ms);
    Plan load = contention("crash", algorithm, settings);
    load.workers = settings.workers.value_or(8);
    load.duration = settings.duration.value_or(8s);
    load.lease = leaseFor(algorithm, 300ms);
    load.hold = {HoldTime::Shape::Fixed, 5ms, 5ms};
    load.crashRate = 0.05;
    return {{Phrase(QT_TRANSLATE_NOOP("phrases", "one crash")),
             choreography("crash", algorithm, {dying, waiting, waiting}, settings.seed),
             {}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "repeated crashes")), load, {}}};
}

Verdict checkCrash(const QList<Report> &reports)
{
    ExpectationChecks points;
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "one crash")));
    expectTakeover(points, reports[0], crashLease);
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps that no expired lease explains")), 0,
                       reports[0].findings.unexplainedOverlaps);
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "repeated crashes")));
    points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "crashes")), 1, reports[1].total.crashes);
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps that no expired lease explains")), 0,
                       reports[1].findings.unexplainedOverlaps);
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "lost wake-ups")), 0,
                       reports[1].findings.lostWakeUps);
    return points.verdict();
}

QList<ScenarioPhase> watchdog(const ScenarioSettings &settings)
{
    const Algorithm redisson = algorithmOf(StrategyKind::Redisson);
    Iteration working = visit(WaitMode::Try, 0ms, 600ms, 2000ms);
    working.renew = 200ms;
    Iteration unwatched = working;
    unwatched.fault = Fault::WatchdogStopped;
    const Iteration waiting = visit(WaitMode::Block, 100ms, 3000ms, 100ms);
    return {{Phrase(QT_TRANSLATE_NOOP("phrases", "renewed")),
             choreography("watchdog", redisson, {working, waiting}, settings.seed),
             {}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "watchdog stopped")),
             choreography("watchdog", redisson, {unwatched, waiting}, settings.seed),
             {}}};
}

Verdict checkWatchdog(const QList<Report> &reports)
{
    ExpectationChecks points;
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "renewed")));
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps in work longer than the lease")), 0,
                       reports[0].findings.overlaps);
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "workers that acquired the lock")), 2,
                       countOf(reports[0], What::Got));
    points.beginAct(Phrase(QT_TRANSLATE_NOOP("phrases", "watchdog stopped")));
    points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps in work longer than the lease")), 1,
                         reports[1].findings.overlaps);
    points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps that no expired lease explains")), 0,
                       reports[1].findings.unexplainedOverlaps);
    return points.verdict();
}

QList<ScenarioPhase> gapInRelease(const ScenarioSettings &settings)
{
    Iteration pausing = visit(WaitMode::Try, 0ms, 300ms, 50ms);
    pausing.fault = Fault::PauseInRelease;
    pausing.pause = 1000ms;
    const QList<Iteration> visits{pausing, visit(WaitMode::Block, 50ms, 5000ms, 1800ms),
                                  visit(WaitMode::Block, 400ms, 5000ms, 200ms)};
    QList<ScenarioPhase> acts;
    for (const ReleaseMethod form : {ReleaseMethod::CheckThenDelete, ReleaseMethod::WatchedTransaction,
                                     ReleaseMethod::CompareAndDelete}) {
        Algorithm algorithm = algorithmOf(StrategyKind::TokenSet);
        algorithm.release = form;
        acts.append({Phrase::verbatim(QString::fromLatin1(releaseName(form))),
                     choreography("gap-in-release", algorithm, visits, settings.seed),
                     {}});
    }
    return acts;
}

Verdict checkGapInRelease(const QList<Report> &reports)
{
    ExpectationChecks points;
    for (const Report &report : reports) {
        const ReleaseMethod form = releaseOf(report.plan.algorithm);
        const Findings &findings = report.findings;
        points.beginAct(Phrase::verbatim(QString::fromLatin1(releaseName(form))));
        points.expectCount(
            hasGap(form)
                ? Phrase(QT_TRANSLATE_NOOP("phrases", "pauses between check and delete"))
                : Phrase(QT_TRANSLATE_NOOP("phrases", "pauses before the script, which checks and deletes in "
                                                      "one step")),
            1, report.total.pauses);
        if (form == ReleaseMethod::CheckThenDelete) {
            points.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "foreign releases")), 1,
                                 findings.foreignReleases);
            points.expectAtLeast(
                Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps although the lease had not expired")), 1,
                findings.unexplainedOverlaps);
            continue;
        }
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "foreign releases")), 0,
                           findings.foreignReleases);
        points.expectCount(
            Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps although the lease had not expired")), 0,
            findings.unexplainedOverlaps);
        if (form == ReleaseMethod::WatchedTransaction)
            points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "transactions that EXEC refused")), 1,
                               report.total.execsRefused);
    }
    return points.verdict();
}

QList<ScenarioPhase> lostReply(const ScenarioSettings &settings)
{
    Algorithm blind = algorithmOf(StrategyKind::Reentrant);
    blind.blindRetry = true;
    const auto planFor = [&](const Algorithm &algorithm) {
        Iteration unheard = visit(WaitMode::Block, 0ms, 2000ms, 20ms);
        unheard.fault = Fault::AcquireReplyLost;
        return choreography("lost-reply", algorithm, {unheard}, settings.seed);
    };
    return {
        {Phrase(QT_TRANSLATE_NOOP("phrases", "blind retry")), planFor(blind), {}},
        {Phrase(QT_TRANSLATE_NOOP("phrases", "checks first")),
         planFor(algorithmOf(StrategyKind::Reentrant)),
         {}},
        {Phrase(QT_TRANSLATE_NOOP("phrases", "handoff")), planFor(algorithmOf(StrategyKind::Handoff)), {}}};
}

Verdict checkLostReply(const QList<Report> &reports)
{
    ExpectationChecks points;
    for (const Report &report : reports) {
        const Algorithm &algorithm = report.plan.algorithm;
        points.beginAct(algorithm.blindRetry ? Phrase(QT_TRANSLATE_NOOP("phrases", "blind retry"))
                        : algorithm.strategy == StrategyKind::Handoff
                            ? Phrase(QT_TRANSLATE_NOOP("phrases", "handoff"))
                            : Phrase(QT_TRANSLATE_NOOP("phrases", "checks first")));
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "leaked locks")), algorithm.blindRetry ? 1 : 0,
                           report.findings.leaks);
        points.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "acquisitions, as the worker counted them")),
                           1, report.total.acquired);
    }
    return points.verdict();
}

} // namespace lockscope::scenario

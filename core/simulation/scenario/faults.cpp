// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"

#include <algorithm>

// Something goes wrong: a client dies, stands still, deletes blindly, or never hears the answer.
namespace lockscope::scenario {

namespace {

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

void expectWait(ExpectationChecks &checks, const Report &report)
{
    const auto tried = firstTime(report, What::Tried, 1);
    const auto got = firstOther(report);
    checks.expect(
        tried && got && *got >= *tried + orphanLease - 1ms,
        Phrase(QT_TRANSLATE_NOOP("phrases", "the first contender's wait")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "at least the lease that was set, %1"), asPhrase(orphanLease)),
        tried && got ? asPhrase(*got - *tried) : Phrase(QT_TRANSLATE_NOOP("phrases", "none")));
}

/// The lease began between the question and the answer of who had it first.
void expectTakeover(ExpectationChecks &checks, const Report &report)
{
    const auto asked = firstTime(report, What::Tried, 0);
    const auto answered = firstTime(report, What::Got, 0);
    const auto next = firstOther(report);
    const Phrase what(QT_TRANSLATE_NOOP("phrases", "time from the crashed holder's entry to the next entry"));
    if (!asked || !answered || !next)
        return checks.expect(false, what,
                             Phrase(QT_TRANSLATE_NOOP("phrases", "after the crashed holder's lease")),
                             Phrase(QT_TRANSLATE_NOOP("phrases", "none")));
    checks.expect(*next >= *asked + crashLease - 1ms && *next <= *answered + crashLease + little, what,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "after %1 to %2"), asPhrase(crashLease),
                         asPhrase(crashLease + little)),
                  asPhrase(*next - *answered));
}

} // namespace

const Scenario orphan{
    "orphan",
    QT_TRANSLATE_NOOP("phrases", "A lock without expiry"),
    QT_TRANSLATE_NOOP("phrases", "A client crashes between SETNX and EXPIRE."),
    QT_TRANSLATE_NOOP("phrases", "Without contenders, the lock never expires. Contenders find no "
                                 "expiry, set one, and continue when the lock has expired."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        const Algorithm setnx{StrategyKind::TokenSetnx};
        const Iteration dying = failing(visit(Try, 0ms, orphanLease, 50ms), Fault::CrashBeforeExpiry);
        const Iteration contending = visit(Block, 100ms, orphanLease, 20ms);
        return QList<ScenarioPhase>{
            {Phrase(QT_TRANSLATE_NOOP("phrases", "alone")),
             choreography(setnx, {dying}),
             {is(1, {QT_TRANSLATE_NOOP("phrases", "locks without expiry"), &Findings::orphans})}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "with contenders")),
             choreography(setnx, {dying, contending, contending, contending}),
             {is(3,
                 {QT_TRANSLATE_NOOP("phrases", "contenders that acquired the lock in the end"), What::Got}),
              expectWait}}};
    }};

const Scenario foreignRelease{
    "foreign-release",
    QT_TRANSLATE_NOOP("phrases", "Foreign release"),
    QT_TRANSLATE_NOOP("phrases", "A holder works longer than its lease, then deletes the lock, "
                                 "which another worker owns by now. A third worker waits."),
    QT_TRANSLATE_NOOP("phrases", "An unchecked delete causes an overlap of the second and third "
                                 "worker. A delete that compares the owner does not."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        // Far enough apart that a busy machine's late threads come in this order too.
        const QList<Iteration> visits{visit(Try, 0ms, 300ms, 1000ms), visit(Block, 200ms, 3000ms, 1500ms),
                                      visit(Block, 700ms, 3000ms, 200ms)};
        return QList<ScenarioPhase>{
            {Phrase::verbatim(QStringLiteral("unchecked-delete")),
             choreography({StrategyKind::TokenSet, ReleaseMethod::UncheckedDelete}, visits),
             {atLeast(1, foreignReleases), atLeast(1, suddenOverlaps)}},
            {Phrase::verbatim(QStringLiteral("compare-and-delete")),
             choreography({StrategyKind::TokenSet, ReleaseMethod::CompareAndDelete}, visits),
             {is(0, foreignReleases), is(0, suddenOverlaps)}}};
    }};

const Scenario pausedHolder{
    "paused-holder",
    QT_TRANSLATE_NOOP("phrases", "Paused holder"),
    QT_TRANSLATE_NOOP("phrases", "A holder pauses beyond its lease, as in a long garbage "
                                 "collection, then writes as if it still held the lock."),
    QT_TRANSLATE_NOOP("phrases", "The workers overlap. Without fencing tokens the stale write is "
                                 "accepted; with tokens the write is rejected."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        const QList<Iteration> visits{failing(visit(Try, 0ms, 300ms, 100ms), Fault::PauseHolding, 1200ms),
                                      visit(Block, 50ms, 3000ms, 200ms)};
        const QList<Expectation> both{
            atLeast(1, {QT_TRANSLATE_NOOP("phrases", "overlaps because the lease expired during the pause"),
                        &Findings::overlaps}),
            is(0, unexplainedOverlaps)};
        return QList<ScenarioPhase>{
            {Phrase(QT_TRANSLATE_NOOP("phrases", "without fencing")),
             choreography({StrategyKind::TokenSet}, visits),
             both + QList{atLeast(
                        1, {QT_TRANSLATE_NOOP("phrases", "stale writes accepted"), &Findings::staleWrites})}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "with fencing tokens")),
             choreography({StrategyKind::Handoff}, visits),
             both + QList{atLeast(1, {QT_TRANSLATE_NOOP("phrases", "stale writes rejected by their token"),
                                      &Findings::rejectedWrites}),
                          is(0, {QT_TRANSLATE_NOOP("phrases", "stale writes accepted"),
                                 &Findings::staleWrites})}}};
    }};

const Scenario crash{
    "crash",
    QT_TRANSLATE_NOOP("phrases", "Crashed holder"),
    QT_TRANSLATE_NOOP("phrases", "Workers crash while they hold the lock."),
    QT_TRANSLATE_NOOP(
        "phrases",
        "No worker acquires the lock before the crashed holder's lease expires; one does soon after."),
    Freedom::Algorithm,
    [](const ScenarioSettings &settings) {
        const Algorithm algorithm = chosenOr(StrategyKind::Reentrant, settings);
        const Iteration dying = failing(visit(Try, 0ms, crashLease, 100ms), Fault::CrashHolding);
        const Iteration waiting = visit(Block, 200ms, crashLease, 20ms);
        Plan load = contention(algorithm, settings);
        load.workers = settings.workers.value_or(8);
        load.duration = settings.duration.value_or(8s);
        load.lease = leaseFor(algorithm, 300ms);
        load.hold = {HoldTime::Shape::Fixed, 5ms, 5ms};
        load.crashRate = 0.05;
        const Expectation explained = is(0, unexplainedOverlaps);
        return QList<ScenarioPhase>{
            {Phrase(QT_TRANSLATE_NOOP("phrases", "one crash")),
             choreography(algorithm, {dying, waiting, waiting}),
             {expectTakeover, explained}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "repeated crashes")),
             load,
             {atLeast(1, {QT_TRANSLATE_NOOP("phrases", "crashes"), &WorkerStats::crashes}), explained,
              is(0, {QT_TRANSLATE_NOOP("phrases", "lost wake-ups"), &Findings::lostWakeUps})}}};
    }};

const Scenario watchdog{
    "watchdog",
    QT_TRANSLATE_NOOP("phrases", "Work longer than the lease"),
    QT_TRANSLATE_NOOP("phrases", "A worker needs more than three leases for its work: once with a "
                                 "watchdog, once with a stopped watchdog."),
    QT_TRANSLATE_NOOP("phrases", "With the watchdog there is no overlap. Without it, another worker "
                                 "enters when the lease has expired."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        Iteration working = visit(Try, 0ms, 600ms, 2000ms);
        working.renew = 200ms;
        const Iteration waiting = visit(Block, 100ms, 3000ms, 100ms);
        return QList<ScenarioPhase>{
            {Phrase(QT_TRANSLATE_NOOP("phrases", "renewed")),
             choreography({StrategyKind::Redisson}, {working, waiting}),
             {is(0, {QT_TRANSLATE_NOOP("phrases", "overlaps in work longer than the lease"),
                     &Findings::overlaps}),
              is(2, {QT_TRANSLATE_NOOP("phrases", "workers that acquired the lock"), What::Got})}},
            {Phrase(QT_TRANSLATE_NOOP("phrases", "watchdog stopped")),
             choreography({StrategyKind::Redisson}, {failing(working, Fault::WatchdogStopped), waiting}),
             {atLeast(1, {QT_TRANSLATE_NOOP("phrases", "overlaps in work longer than the lease"),
                          &Findings::overlaps}),
              is(0, unexplainedOverlaps)}}};
    }};

const Scenario lostReply{
    "lost-reply",
    QT_TRANSLATE_NOOP("phrases", "Lost reply"),
    QT_TRANSLATE_NOOP(
        "phrases",
        "The server acquires the lock for a worker, but the connection breaks before the reply arrives."),
    QT_TRANSLATE_NOOP("phrases", "A blind retry counts twice and leaks the lock. A check first, or a "
                                 "request that is safe to repeat, does not."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        const auto act = [](const Phrase &title, const Algorithm &algorithm, int leaks) {
            const Iteration unheard = failing(visit(Block, 0ms, 2000ms, 20ms), Fault::AcquireReplyLost);
            return ScenarioPhase{
                title,
                choreography(algorithm, {unheard}),
                {is(leaks, {QT_TRANSLATE_NOOP("phrases", "leaked locks"), &Findings::leaks}),
                 is(1, {QT_TRANSLATE_NOOP("phrases", "acquisitions, as the worker counted them"),
                        &WorkerStats::acquired})}};
        };
        return QList{act(Phrase(QT_TRANSLATE_NOOP("phrases", "blind retry")), {.blindRetry = true}, 1),
                     act(Phrase(QT_TRANSLATE_NOOP("phrases", "checks first")), {}, 0),
                     act(Phrase(QT_TRANSLATE_NOOP("phrases", "handoff")), {StrategyKind::Handoff}, 0)};
    }};

const Scenario gapInRelease{
    "gap-in-release",
    QT_TRANSLATE_NOOP("phrases", "A pause in the release"),
    QT_TRANSLATE_NOOP("phrases",
                      "A holder pauses in its release until its lease has expired and another owner has "
                      "the lock; a third worker waits. Once between check and delete, once in a watched "
                      "transaction, once before a script, which leaves no gap to pause in."),
    QT_TRANSLATE_NOOP(
        "phrases",
        "Check-then-delete deletes the other owner's lock. The watched transaction is refused by EXEC, "
        "and the script finds another owner: neither deletes anything."),
    Freedom::Fixed,
    [](const ScenarioSettings &) {
        const QList<Iteration> visits{failing(visit(Try, 0ms, 300ms, 50ms), Fault::PauseInRelease, 1000ms),
                                      visit(Block, 50ms, 5000ms, 1800ms), visit(Block, 400ms, 5000ms, 200ms)};
        const auto act = [&visits](ReleaseMethod form, const QList<Expectation> &expectations) {
            return ScenarioPhase{Phrase::verbatim(QString::fromLatin1(nameOf(form))),
                                 choreography({StrategyKind::TokenSet, form}, visits), expectations};
        };
        const Expectation paused =
            is(1, {QT_TRANSLATE_NOOP("phrases", "pauses between check and delete"), &WorkerStats::pauses});
        const Expectation none = is(0, foreignReleases);
        const Expectation explained = is(0, suddenOverlaps);
        return QList{
            act(ReleaseMethod::CheckThenDelete,
                {paused, atLeast(1, foreignReleases), atLeast(1, suddenOverlaps)}),
            act(ReleaseMethod::WatchedTransaction,
                {paused, none, explained,
                 is(1, {QT_TRANSLATE_NOOP("phrases", "transactions that EXEC refused"),
                        &WorkerStats::execsRefused})}),
            act(ReleaseMethod::CompareAndDelete,
                {is(1, {QT_TRANSLATE_NOOP("phrases",
                                          "pauses before the script, which checks and deletes in one step"),
                        &WorkerStats::pauses}),
                 none, explained})};
    }};

} // namespace lockscope::scenario

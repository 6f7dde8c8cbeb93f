// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/scenario.h"

#include "core/simulation/scenario/parts.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr std::array table{
    Scenario{"one-winner", QT_TRANSLATE_NOOP("phrases", "One winner"),
             QT_TRANSLATE_NOOP("phrases",
                               "Forty workers try once at the same moment for the same lock, fifty times."),
             QT_TRANSLATE_NOOP("phrases", "In every round exactly one worker acquires the lock."),
             Freedom::Algorithm, scenario::oneWinner, scenario::checkOneWinner},
    Scenario{"sequence", QT_TRANSLATE_NOOP("phrases", "Four in sequence"),
             QT_TRANSLATE_NOOP(
                 "phrases",
                 "Each of four workers works twice as long as its lease. A tries at once, B after 30 "
                 "ms, C from 60 ms for 101 ms, D blocks from 150 ms."),
             QT_TRANSLATE_NOOP("phrases",
                               "A acquires the lock, B does not, C acquires when A's lease has expired, then "
                               "D. Their work overlaps, and no late release frees another owner's lock."),
             Freedom::Release, scenario::sequence, scenario::checkSequence},
    Scenario{
        "five-processes", QT_TRANSLATE_NOOP("phrases", "Five processes, two locks"),
        QT_TRANSLATE_NOOP(
            "phrases", "Five processes wake at the same moment, and each tries once for the first lock and "
                       "then for the second one."),
        QT_TRANSLATE_NOOP(
            "phrases",
            "Each lock has at most one holder at any time. A late process may acquire a lock just released."),
        Freedom::Release, scenario::fiveProcesses, scenario::checkFiveProcesses},
    Scenario{"orphan", QT_TRANSLATE_NOOP("phrases", "A lock without expiry"),
             QT_TRANSLATE_NOOP("phrases", "A client crashes between SETNX and EXPIRE."),
             QT_TRANSLATE_NOOP("phrases", "Without contenders, the lock never expires. Contenders find no "
                                          "expiry, set one, and continue when the lock has expired."),
             Freedom::Fixed, scenario::orphan, scenario::checkOrphan},
    Scenario{"foreign-release", QT_TRANSLATE_NOOP("phrases", "Foreign release"),
             QT_TRANSLATE_NOOP("phrases", "A holder works longer than its lease, then deletes the lock, "
                                          "which another worker owns by now. A third worker waits."),
             QT_TRANSLATE_NOOP("phrases", "An unchecked delete causes an overlap of the second and third "
                                          "worker. A delete that compares the owner does not."),
             Freedom::Fixed, scenario::foreignRelease, scenario::checkForeignRelease},
    Scenario{"paused-holder", QT_TRANSLATE_NOOP("phrases", "Paused holder"),
             QT_TRANSLATE_NOOP("phrases", "A holder pauses beyond its lease, as in a long garbage "
                                          "collection, then writes as if it still held the lock."),
             QT_TRANSLATE_NOOP("phrases", "The workers overlap. Without fencing tokens the stale write is "
                                          "accepted; with tokens the write is rejected."),
             Freedom::Fixed, scenario::pausedHolder, scenario::checkPausedHolder},
    Scenario{
        "crash", QT_TRANSLATE_NOOP("phrases", "Crashed holder"),
        QT_TRANSLATE_NOOP("phrases", "Workers crash while they hold the lock."),
        QT_TRANSLATE_NOOP(
            "phrases",
            "No worker acquires the lock before the crashed holder's lease expires; one does soon after."),
        Freedom::Algorithm, scenario::crash, scenario::checkCrash},
    Scenario{"watchdog", QT_TRANSLATE_NOOP("phrases", "Work longer than the lease"),
             QT_TRANSLATE_NOOP("phrases", "A worker needs more than three leases for its work: once with a "
                                          "watchdog, once with a stopped watchdog."),
             QT_TRANSLATE_NOOP("phrases", "With the watchdog there is no overlap. Without it, another worker "
                                          "enters when the lease has expired."),
             Freedom::Fixed, scenario::watchdog, scenario::checkWatchdog},
    Scenario{"convoy", QT_TRANSLATE_NOOP("phrases", "Convoy"),
             QT_TRANSLATE_NOOP(
                 "phrases",
                 "Twenty workers hold the lock for 1 ms each; one iteration in a hundred takes 200 ms."),
             QT_TRANSLATE_NOOP("phrases", "The few slow holders decide how long all workers wait: wait p99 "
                                          "is a multiple of the usual hold time."),
             Freedom::Algorithm, scenario::convoy, scenario::checkConvoy},
    Scenario{"herd", QT_TRANSLATE_NOOP("phrases", "Thundering herd"),
             QT_TRANSLATE_NOOP("phrases", "The same load twice: once each release wakes every waiter, once "
                                          "each release hands the lock to the queue head."),
             QT_TRANSLATE_NOOP("phrases", "The herd costs at least three times as many commands per "
                                          "acquisition, and the next waiter acquires later."),
             Freedom::Fixed, scenario::herd, scenario::checkHerd},
    Scenario{"deadlock", QT_TRANSLATE_NOOP("phrases", "Two locks in opposite order"),
             QT_TRANSLATE_NOOP("phrases", "Two workers acquire the same two locks in opposite order."),
             QT_TRANSLATE_NOOP("phrases", "Each waits for the other until a lease expires; a timeout ends "
                                          "the wait sooner. In the same order there is no deadlock."),
             Freedom::Fixed, scenario::deadlock, scenario::checkDeadlock},
    Scenario{"fair-vs-unfair", QT_TRANSLATE_NOOP("phrases", "Fair and unfair"),
             QT_TRANSLATE_NOOP(
                 "phrases", "The same load twice: once waiters poll every 10 ms, once they wait in a queue."),
             QT_TRANSLATE_NOOP(
                 "phrases",
                 "In the queue all workers acquire equally often, within a tenth; polling workers do not."),
             Freedom::Fixed, scenario::fairVsUnfair, scenario::checkFairVsUnfair},
    Scenario{
        "reentrancy", QT_TRANSLATE_NOOP("phrases", "Three levels"),
        QT_TRANSLATE_NOOP("phrases", "A worker acquires a lock that it already holds, three levels deep."),
        QT_TRANSLATE_NOOP("phrases",
                          "Re-entrant locks count each level and are released level by level. With a plain "
                          "token lock the worker waits for itself until its timeout."),
        Freedom::Fixed, scenario::reentrancy, scenario::checkReentrancy},
    Scenario{
        "lost-reply", QT_TRANSLATE_NOOP("phrases", "Lost reply"),
        QT_TRANSLATE_NOOP(
            "phrases",
            "The server acquires the lock for a worker, but the connection breaks before the reply arrives."),
        QT_TRANSLATE_NOOP("phrases", "A blind retry counts twice and leaks the lock. A check first, or a "
                                     "request that is safe to repeat, does not."),
        Freedom::Fixed, scenario::lostReply, scenario::checkLostReply},
    Scenario{
        "gap-in-release", QT_TRANSLATE_NOOP("phrases", "A pause in the release"),
        QT_TRANSLATE_NOOP("phrases",
                          "A holder pauses in its release until its lease has expired and another owner has "
                          "the lock; a third worker waits. Once between check and delete, once in a watched "
                          "transaction, once before a script, which leaves no gap to pause in."),
        QT_TRANSLATE_NOOP(
            "phrases",
            "Check-then-delete deletes the other owner's lock. The watched transaction is refused by EXEC, "
            "and the script finds another owner: neither deletes anything."),
        Freedom::Fixed, scenario::gapInRelease, scenario::checkGapInRelease},
};

/// When each worker's first try was late, compared with the earliest.
microseconds slipOf(const Report &report)
{
    std::optional<microseconds> earliest;
    std::optional<microseconds> latest;
    for (int worker = 0; worker < report.plan.script.size(); ++worker) {
        const Iteration first = report.plan.script[worker].value(0);
        const auto tried = scenario::firstTime(report, LogLine::What::Tried, worker, first.locks.value(0));
        if (!tried)
            return microseconds::max();
        const microseconds late = *tried - first.startAt.value_or(milliseconds(0));
        earliest = earliest ? std::min(*earliest, late) : late;
        latest = latest ? std::max(*latest, late) : late;
    }
    return earliest ? *latest - *earliest : microseconds(0);
}

QJsonArray actsOf(const ScenarioReport &report)
{
    QJsonArray acts;
    for (qsizetype i = 0; i < report.reports.size(); ++i) {
        QJsonObject act = toJson(report.reports[i]);
        act[QStringLiteral("title")] = report.acts[i].title.inEnglish();
        acts.append(act);
    }
    return acts;
}

QJsonArray findingsOf(const Verdict &verdict)
{
    QJsonArray findings;
    for (const Phrase &finding : verdict.findings)
        findings.append(finding.inEnglish());
    return findings;
}

} // namespace

std::span<const Scenario> scenarios()
{
    return table;
}

const Scenario *scenarioFromName(QByteArrayView name)
{
    const auto row = std::ranges::find(table, name, &Scenario::name);
    return row == table.end() ? nullptr : &*row;
}

bool differ(const Scenario &scenario, const ScenarioSettings &one, const ScenarioSettings &other)
{
    const QList<ScenarioPhase> first = scenario.acts(one);
    const QList<ScenarioPhase> second = scenario.acts(other);
    return !std::ranges::equal(first, second, [](const ScenarioPhase &a, const ScenarioPhase &b) {
        return a.plan.toJson() == b.plan.toJson();
    });
}

bool isVoid(const ScenarioPhase &act, const Report &report)
{
    return act.slip && !report.stopped && slipOf(report) > *act.slip;
}

QJsonObject toJson(const ScenarioReport &report)
{
    QJsonObject object = report.reports.isEmpty() ? QJsonObject() : toJson(report.reports.front());
    object[QStringLiteral("scenario")] = QString::fromLatin1(report.scenario->name.toByteArray());
    object[QStringLiteral("expectation")] = QString::fromUtf8(report.scenario->expectation);
    object[QStringLiteral("stopped")] = report.stopped;
    if (!report.stopped)
        object[QStringLiteral("met")] = report.verdict.met;
    object[QStringLiteral("findings")] = findingsOf(report.verdict);
    if (report.acts.size() > 1)
        object[QStringLiteral("acts")] = actsOf(report);
    return object;
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ascii.h"
#include "core/simulation/model/strategyspec.h"

#include <QSet>

#include <algorithm>

namespace lockscope {

namespace {

using std::chrono::hours;

using Flaw = std::optional<Phrase>;

constexpr int mostProcesses = 64;
constexpr int mostLocks = 1000;
constexpr int mostRounds = 10'000;
constexpr int mostLevels = 64;
constexpr int mostVisits = 10'000; // of one worker in a script
constexpr milliseconds shortestLease{10};
constexpr milliseconds longestPoll{60'000};
constexpr qsizetype longestName = 64;

bool isWithin(auto value, auto low, auto high)
{
    return value >= low && value <= high;
}

bool isNameCharacter(char c)
{
    return isAlphanumeric(c) || c == '-';
}

QByteArray nameOf(StrategyKind kind)
{
    return strategyName(kind);
}

Flaw flawOfSize(const Plan &plan)
{
    if (plan.name.isEmpty() || plan.name.size() > longestName ||
        !std::ranges::all_of(plan.name, isNameCharacter))
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "The name of a run takes letters, digits and '-', %1 at most."),
            longestName);
    if (!isWithin(plan.workers, 1, Plan::mostWorkers))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Choose from 1 to %1 workers."), Plan::mostWorkers);
    if (!isWithin(plan.processes, 1, std::min(plan.workers, mostProcesses)))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "Choose from 1 to %1 processes: each needs a worker of its own, and %2 is the most."),
            std::min(plan.workers, mostProcesses), mostProcesses);
    if (!isWithin(plan.locks, 1, mostLocks))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Choose from 1 to %1 locks."), mostLocks);
    if (plan.rounds && !isWithin(*plan.rounds, 1, mostRounds))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Choose from 1 to %1 rounds."), mostRounds);
    if (!isWithin(plan.duration, milliseconds(1), milliseconds(hours(24))))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A run lasts from 1 ms to 24 hours."));
    const QSet<QByteArray> distinct(plan.keys.begin(), plan.keys.end());
    if (!plan.keys.isEmpty() && (plan.keys.size() != plan.locks || distinct.size() != plan.keys.size() ||
                                 distinct.contains(QByteArray())))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Give each lock a key of its own."));
    return std::nullopt;
}

Flaw flawOfAlgorithm(const Algorithm &algorithm)
{
    if (!releaseFits(algorithm.strategy, algorithm.release))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "The release %1 does not fit the strategy %2: leave it out, or choose unchecked-delete or a "
                "token strategy."),
            releaseName(algorithm.release), nameOf(algorithm.strategy));
    if (!wakeFits(algorithm.strategy, algorithm.wake))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "Waiting by %1 does not fit the strategy %2, which has a way of its own: leave it out."),
            wakeName(algorithm.wake), nameOf(algorithm.strategy));
    if (!isWithin(algorithm.poll, milliseconds(1), longestPoll))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Poll every 1 ms to 60 s."));
    return std::nullopt;
}

Flaw flawOfLease(milliseconds lease, StrategyKind kind)
{
    if (!isWithin(lease, shortestLease, milliseconds(hours(24))))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A lease lasts from 10 ms to 24 hours."));
    if (hasWholeSecondLease(kind) && lease.count() % 1000 != 0)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The leases of %1 are whole seconds."), nameOf(kind));
    return std::nullopt;
}

Flaw flawOfTimes(const Plan &plan)
{
    if (plan.hold.low < microseconds(0) || plan.hold.high < plan.hold.low || plan.hold.high > hours(1))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A hold time lasts from 0 ms to 1 hour."));
    if (!isWithin(plan.rest, milliseconds(0), milliseconds(hours(1))))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A think time lasts from 0 ms to 1 hour."));
    if (!isWithin(plan.pause, milliseconds(0), milliseconds(hours(1))))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A pause lasts from 0 ms to 1 hour."));
    if (!isWithin(plan.timeout, milliseconds(0), milliseconds(hours(24))))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A timeout lasts from 0 ms to 24 hours."));
    if (!isWithin(plan.reentry, 1, mostLevels))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Choose from 1 to %1 levels of re-entry."), mostLevels);
    if (plan.reentry > 1 && !isReentrant(plan.algorithm.strategy))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "%1 can't be re-entered: the holder would wait for itself. Choose a re-entry of 1."),
            nameOf(plan.algorithm.strategy));
    return flawOfLease(plan.lease, plan.algorithm.strategy);
}

Flaw flawOfFaults(const Plan &plan)
{
    double sum = 0;
    for (const double rate : {plan.crashRate, plan.pauseRate, plan.splitCrashRate, plan.watchdogStopRate,
                              plan.replyLossRate, plan.releasePauseRate}) {
        if (!(rate >= 0 && rate <= 1)) // not a number is neither
            return Phrase(QT_TRANSLATE_NOOP("phrases", "A rate is a share of all iterations, from 0 to 1."));
        sum += rate;
    }
    if (sum > 1)
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases", "An iteration has at most one fault: the rates must not exceed 1 in total."));
    if (plan.rounds && !plan.serverFaults.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "Faults of the server are spread over a duration, and rounds have none: leave out one of both."));
    if (plan.splitCrashRate > 0 && !specOf(plan.algorithm.strategy).splitsAcquire)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Only token-setnx can crash between SETNX and EXPIRE."));
    if (plan.watchdogStopRate > 0 && !plan.watchdog)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Only a plan with a watchdog can stop the watchdog."));
    return std::nullopt;
}

Flaw flawOfVisit(const Iteration &visit, const Plan &plan)
{
    const Algorithm algorithm = visit.algorithm.value_or(plan.algorithm);
    if (const Flaw flaw = flawOfAlgorithm(algorithm))
        return flaw;
    if (const Flaw flaw = flawOfLease(visit.lease, algorithm.strategy))
        return flaw;
    const QSet<int> distinct(visit.locks.begin(), visit.locks.end());
    const bool known =
        std::ranges::all_of(visit.locks, [&](int lock) { return isWithin(lock, 0, plan.locks - 1); });
    if (visit.locks.isEmpty() || !known || distinct.size() != visit.locks.size())
        return Phrase(QT_TRANSLATE_NOOP("phrases",
                                        "An iteration acquires one or more of the plan's locks, each once."));
    // Others than the re-entrant strategies are allowed: what they do then is worth showing.
    if (!isWithin(visit.levels, 1, mostLevels))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Choose from 1 to %1 levels of re-entry."), mostLevels);
    const milliseconds none(0);
    for (const milliseconds time :
         {visit.startAt.value_or(none), visit.timeout, visit.step, visit.renew, visit.pause, visit.rest,
          std::chrono::duration_cast<milliseconds>(visit.hold)}) {
        if (!isWithin(time, none, milliseconds(hours(1))))
            return Phrase(
                QT_TRANSLATE_NOOP("phrases", "The times of an iteration last from 0 ms to 1 hour."));
    }
    return std::nullopt;
}

Flaw flawOfScript(const Plan &plan)
{
    if (plan.script.isEmpty())
        return std::nullopt;
    if (plan.script.size() != plan.workers)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A script needs a list of iterations for each worker."));
    for (const QList<Iteration> &visits : plan.script) {
        if (visits.size() > mostVisits)
            return Phrase(QT_TRANSLATE_NOOP("phrases", "A worker's script has at most %1 iterations."),
                          mostVisits);
        for (const Iteration &visit : visits) {
            if (const Flaw flaw = flawOfVisit(visit, plan))
                return flaw;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Phrase> Plan::validationError() const
{
    if (const Flaw flaw = flawOfSize(*this))
        return flaw;
    if (const Flaw flaw = flawOfAlgorithm(algorithm))
        return flaw;
    for (const auto check : {flawOfTimes, flawOfFaults, flawOfScript}) {
        if (const Flaw flaw = check(*this))
            return flaw;
    }
    return std::nullopt;
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/ascii.h"
#include "core/simulation/model/planfields.h"
#include "core/simulation/model/strategyspec.h"

#include <QSet>

#include <algorithm>

namespace lockscope {

namespace {

using std::chrono::hours;

using Flaw = std::optional<Phrase>;

constexpr int maxProcesses = 64;
constexpr int maxVisits = 10'000; // of one worker in a script
constexpr milliseconds shortestLease{10};
constexpr qsizetype longestName = 64;

bool isWithin(auto value, auto low, auto high)
{
    return value >= low && value <= high;
}

/// True for values that are no numbers, too.
struct Within
{
    const PlanField::Limits &limits;

    bool operator()(int count) const { return isWithin(count, limits.least, limits.most); }
    bool operator()(milliseconds time) const { return isWithin(time.count(), limits.least, limits.most); }
    bool operator()(std::optional<int> count) const { return !count || (*this)(*count); }
    bool operator()(const HoldTime &hold) const
    {
        return hold.low >= milliseconds(limits.least) && hold.high >= hold.low &&
               hold.high <= milliseconds(limits.most);
    }
    bool operator()(const auto &) const { return true; }
};

/// For a number in a Plan or an Algorithm.
template <typename Owner>
Flaw flawOfLimits(const PlanField &field, const Owner &owner)
{
    const auto isGood = [&]<typename Value, typename Of>(Value Of::*member) {
        if constexpr (std::is_same_v<Of, Owner>)
            return !field.limits.flaw || Within{field.limits}(owner.*member);
        return true;
    };
    return std::visit(isGood, field.member) ? Flaw() : Phrase(field.limits.flaw, field.limits.most);
}

/// Checks the rows' limits and conditions.
Flaw flawOfFields(const Plan &plan)
{
    const Plan usual;
    const auto isSet = [&](auto member) { return memberOf(plan, member) != memberOf(usual, member); };
    double sum = 0;
    for (const PlanField &field : planFields()) {
        if (const Flaw flaw = flawOfLimits(field, plan))
            return flaw;
        const auto *rate = std::get_if<double Plan::*>(&field.member);
        if (rate && !isWithin(plan.**rate, 0, 1)) // not a number is neither
            return Phrase(QT_TRANSLATE_NOOP("phrases", "A rate is a share of all iterations, from 0 to 1."));
        if (field.condition.flaw && !field.appliesTo(plan) && std::visit(isSet, field.member))
            return Phrase(field.condition.flaw, nameOf(plan.algorithm.strategy));
        sum += rate ? plan.**rate : 0;
    }
    if (sum > 1)
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases", "An iteration has at most one fault: the rates must not exceed 1 in total."));
    return std::nullopt;
}

/// Checks that need more than one row.
Flaw flawOfSize(const Plan &plan)
{
    if (plan.name.isEmpty() || plan.name.size() > longestName ||
        !std::ranges::all_of(plan.name, [](char c) { return isAlphanumeric(c) || c == '-'; }))
        return Phrase(
            QT_TRANSLATE_NOOP("phrases", "The name of a run takes letters, digits and '-', %1 at most."),
            longestName);
    if (!isWithin(plan.processes, 1, std::min(plan.workers, maxProcesses)))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "Choose from 1 to %1 processes: each needs a worker of its own, and %2 is the most."),
            std::min(plan.workers, maxProcesses), maxProcesses);
    const QSet<QByteArray> distinct(plan.keys.begin(), plan.keys.end());
    if (!plan.keys.isEmpty() && (plan.keys.size() != plan.locks || distinct.size() != plan.keys.size() ||
                                 distinct.contains(QByteArray())))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Give each lock a key of its own."));
    if (plan.rounds && !plan.serverFaults.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP(
            "phrases",
            "Faults of the server are spread over a duration, and rounds have none: leave out one of both."));
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
            nameOf(algorithm.release), nameOf(algorithm.strategy));
    if (!wakeFits(algorithm.strategy, algorithm.wake))
        return Phrase(
            QT_TRANSLATE_NOOP(
                "phrases",
                "Waiting by %1 does not fit the strategy %2, which has a way of its own: leave it out."),
            nameOf(algorithm.wake), nameOf(algorithm.strategy));
    for (const PlanField &field : planFields()) {
        if (const Flaw flaw = flawOfLimits(field, algorithm))
            return flaw;
    }
    return std::nullopt;
}

Flaw flawOfLease(milliseconds lease, StrategyKind kind)
{
    if (!isWithin(lease, shortestLease, milliseconds(hours(24))))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "A lease lasts from 10 ms to 24 hours."));
    if (specOf(kind).inWholeSeconds && lease.count() % 1000 != 0)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The leases of %1 are whole seconds."), nameOf(kind));
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
    if (!isWithin(visit.levels, 1, Plan::maxLevels))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Choose from 1 to %1 levels of re-entry."),
                      Plan::maxLevels);
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
        if (visits.size() > maxVisits)
            return Phrase(QT_TRANSLATE_NOOP("phrases", "A worker's script has at most %1 iterations."),
                          maxVisits);
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
    const auto ofAlgorithm = [](const Plan &plan) { return flawOfAlgorithm(plan.algorithm); };
    const auto ofLease = [](const Plan &plan) { return flawOfLease(plan.lease, plan.algorithm.strategy); };
    for (Flaw (*check)(const Plan &) : {flawOfFields, flawOfSize, +ofAlgorithm, +ofLease, flawOfScript}) {
        if (const Flaw flaw = check(*this))
            return flaw;
    }
    return std::nullopt;
}

} // namespace lockscope

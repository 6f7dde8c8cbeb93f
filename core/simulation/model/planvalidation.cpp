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

template <typename Number>
Phrase outOfLimits(const char *label, Number least, Number most)
{
    return Phrase(QT_TRANSLATE_NOOP("phrases", "%1: choose %2 to %3."), Phrase(label), least, most);
}

/// For a number in a Plan or an Algorithm.
template <typename Owner>
Flaw flawOfLimits(const PlanField &field, const Owner &owner)
{
    const auto &[least, most] = field.limits;
    const char *label = field.row.spoken ? field.row.spoken : field.row.label;
    const auto judge = [&]<typename Value, typename Of>(Value Of::*member) -> Flaw {
        if constexpr (std::is_same_v<Of, Owner>) {
            if (most == 0 || Within{field.limits}(owner.*member))
                return std::nullopt;
        } else {
            return std::nullopt;
        }
        if constexpr (std::is_same_v<Value, milliseconds> || std::is_same_v<Value, HoldTime>)
            return outOfLimits(label, milliseconds(least), milliseconds(most));
        return outOfLimits(label, least, most);
    };
    return std::visit(judge, field.member);
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
            return Phrase(QT_TRANSLATE_NOOP("phrases", "Rates are shares of all iterations, from 0 to 1."));
        if (field.condition.flaw && !field.appliesTo(plan) && std::visit(isSet, field.member))
            return Phrase(field.condition.flaw, nameOf(plan.algorithm.strategy));
        sum += rate ? plan.**rate : 0;
    }
    if (sum > 1)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Together, the rates must not exceed 1."));
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
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Choose 1 to %1 processes, at most one per worker."),
                      std::min(plan.workers, maxProcesses));
    const QSet<QByteArray> distinct(plan.keys.begin(), plan.keys.end());
    if (!plan.keys.isEmpty() && (plan.keys.size() != plan.locks || distinct.size() != plan.keys.size() ||
                                 distinct.contains(QByteArray())))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Give each lock a key of its own."));
    if (plan.rounds && !plan.serverFaults.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Server faults need a duration instead of rounds."));
    return std::nullopt;
}

Flaw flawOfAlgorithm(const Algorithm &algorithm)
{
    if (!releaseFits(algorithm.strategy, algorithm.release))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The strategy %1 does not support %2."),
                      nameOf(algorithm.strategy), nameOf(algorithm.release));
    if (!wakeFits(algorithm.strategy, algorithm.wake))
        return Phrase(QT_TRANSLATE_NOOP("phrases", "The strategy %1 does not support %2."),
                      nameOf(algorithm.strategy), nameOf(algorithm.wake));
    for (const PlanField &field : planFields()) {
        if (const Flaw flaw = flawOfLimits(field, algorithm))
            return flaw;
    }
    return std::nullopt;
}

Flaw flawOfLease(milliseconds lease, StrategyKind kind)
{
    if (!isWithin(lease, shortestLease, milliseconds(hours(24))))
        return outOfLimits(QT_TRANSLATE_NOOP("phrases", "Lease"), shortestLease, milliseconds(hours(24)));
    if (specOf(kind).inWholeSeconds && lease.count() % 1000 != 0)
        return Phrase(QT_TRANSLATE_NOOP("phrases", "%1 needs a lease in whole seconds."), nameOf(kind));
    return std::nullopt;
}

/// Nobody can type a script: only a scenario that is wrong is told so, in English.
Phrase invalidScript(const char *part)
{
    return Phrase(QT_TRANSLATE_NOOP("phrases", "Invalid script: %1."), QByteArray(part));
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
        return invalidScript("locks of an iteration");
    // Others than the re-entrant strategies are allowed: what they do then is worth showing.
    if (!isWithin(visit.levels, 1, Plan::maxLevels))
        return outOfLimits(QT_TRANSLATE_NOOP("phrases", "Re-entry"), 1, Plan::maxLevels);
    const milliseconds none(0);
    for (const milliseconds time :
         {visit.startAt.value_or(none), visit.timeout, visit.step, visit.renew, visit.pause, visit.rest,
          std::chrono::duration_cast<milliseconds>(visit.hold)}) {
        if (!isWithin(time, none, milliseconds(hours(1))))
            return invalidScript("times of an iteration");
    }
    return std::nullopt;
}

Flaw flawOfScript(const Plan &plan)
{
    if (plan.script.isEmpty())
        return std::nullopt;
    if (plan.script.size() != plan.workers)
        return invalidScript("number of workers");
    for (const QList<Iteration> &visits : plan.script) {
        if (visits.size() > maxVisits)
            return invalidScript("number of iterations");
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

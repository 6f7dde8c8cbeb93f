// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/checkrules.h"

#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"

namespace lockscope {

namespace {

void checkProblems(const CheckRules &rules, const Lock &lock, CheckResult &result)
{
    Problems problems = rules.problems ? lock.problems : Problems();
    const NoExpiry noExpiry = noExpiryOf(lock);
    if (noExpiry == NoExpiry::Problem && rules.problems)
        problems |= Problem::NoExpiry;
    if (noExpiry != NoExpiry::None && rules.noExpiry)
        problems |= Problem::NoExpiry;
    else if (noExpiry == NoExpiry::Open && rules.openExpiry)
        result.open.append(lock);
    else if (noExpiry != NoExpiry::None && !problems.testFlag(Problem::NoExpiry))
        ++result.withoutExpiry;
    for (const Problem problem : problemList(problems))
        result.findings.append({lock, CheckFinding::Rule::Problem, problem, {}});
}

void checkHeld(milliseconds most, const Lock &lock, const HoldLog *memory, qint64 nowMs, CheckResult &result)
{
    std::optional<HoldLog::Longest> held = memory ? memory->longestOf(lock) : std::nullopt;
    for (const LockOwner &holder : knownOwners(lock)) {
        const StoredBegin begin = storedBegin(lock, holder, nowMs);
        if (begin.ms && !begin.isTry && (!held || *begin.ms < held->hold.sinceMs))
            held = {holder, {*begin.ms, 0}};
    }
    if (held && nowMs - held->hold.sinceMs > most.count())
        result.findings.append({lock, CheckFinding::Rule::MaxHeld, {}, *held});
}

void checkWaiters(qint64 most, const Lock &lock, CheckResult &result)
{
    const Waiters &waiters = lock.companions->waiters;
    if (waiters.certainty == WaiterCertainty::Unknown)
        ++result.waitersUnknown;
    else if (waiters.count > most)
        result.findings.append({lock, CheckFinding::Rule::MaxWaiters, {}, {}});
    else if (waiters.certainty == WaiterCertainty::AtLeast)
        ++result.waitersAtLeast;
}

} // namespace

CheckResult applyRules(const CheckRules &rules, const QList<Lock> &locks, const HoldLog *memory, qint64 nowMs)
{
    CheckResult result;
    for (const Lock &lock : locks) {
        checkProblems(rules, lock, result);
        if (rules.maxHeld)
            checkHeld(*rules.maxHeld, lock, memory, nowMs, result);
        if (rules.maxWaiters)
            checkWaiters(*rules.maxWaiters, lock, result);
    }
    return result;
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/verdict.h"

#include "core/family/certainty.h"
#include "core/family/formdefaults.h"
#include "core/family/registry.h"
#include "core/family/renewalhealth.h"
#include "core/family/weaktoken.h"
#include "core/state/lockstate.h"

#include <algorithm>

namespace lockscope {

namespace {

HoldVerdict ofTheLease(const WatchedLock &lock, TimePoint now)
{
    using enum HoldReason;
    if (lock.isReadOnce)
        return {Unknown, {Sign::OneReading}, {Renewed, Slow, LeaseRunning, HolderDead}};
    if (mayRepeat(lock.lock))
        return {Unknown, {Sign::WeakToken}, {Renewed, LeaseRunning, HolderDead}};
    const bool isUnusual = now > lock.unusualAfter;
    HoldVerdict verdict;
    if (isRenewalOverdue(lock, now))
        verdict = {LeaseRunning, {Sign::RenewalOverdue}, {HolderDead, Slow}};
    else if (lock.renewals == 0)
        verdict = {LeaseRunning, {Sign::NoRenewal}, {HolderDead, Slow}};
    else
        verdict = {isUnusual ? Slow : Renewed, {Sign::Renewals}, {}};
    if (isUnusual)
        verdict.signs.append(Sign::UnusualHold);
    return verdict;
}

HoldVerdict ofTheEndless(const Lock &lock)
{
    HoldVerdict verdict{HoldReason::NeverEnds, {Sign::NoExpiry}, {HoldReason::HolderDead}};
    const Forms *forms = specOf(lock.family).forms;
    if (forms && std::ranges::any_of(forms->forms, tellsEnd))
        verdict.signs.append(Sign::StoredEnd);
    else if (specOf(lock.family).hasGenericContent && weakTokenOf(lock) == WeakToken::Time)
        verdict.signs.append(Sign::StoredTime);
    return verdict;
}

/// Adds the evidence of heartbeats; an observed renewal has priority. One missing heartbeat makes a dead holder likely, no more.
void takeHeartbeat(HoldVerdict &verdict, Heartbeat::State state)
{
    if (state == Heartbeat::State::Unknown)
        return;
    const bool isRenewed = verdict.why == HoldReason::Renewed || verdict.why == HoldReason::Slow;
    verdict.signs.append(Sign::Heartbeat);
    verdict.possible.removeAll(HoldReason::HolderDead);
    if (state == Heartbeat::State::Dead && isRenewed)
        verdict.possible.append(HoldReason::HolderDead);
    else if (state == Heartbeat::State::Dead) {
        if (verdict.why != HoldReason::Unknown)
            verdict.possible.prepend(verdict.why);
        verdict.why = HoldReason::HolderDead;
    }
}

} // namespace

HoldVerdict verdictOf(const WatchedLock &lock, TimePoint now)
{
    const Problems problems = lock.problems();
    if (problems.testFlag(Problem::Unreadable))
        return {HoldReason::Unknown, {Sign::Unreadable}};
    if (problems.testFlag(Problem::Orphaned)) {
        const bool isDead = problems.testFlag(Problem::DeadWaiter);
        return {HoldReason::BlockedByDead, isDead ? QList{Sign::DeadWaiter} : QList<Sign>()};
    }
    if (isNoLock(lock.lock) || lock.lock.owners.isEmpty())
        return {HoldReason::Unknown, {Sign::UnknownContent}};
    HoldVerdict verdict = lacksExpiry(lock.lock) ? ofTheEndless(lock.lock)
                          : lock.lock.deadline   ? ofTheLease(lock, now)
                                                 : HoldVerdict();
    // A recording has the problem alone.
    const Heartbeat &beat = lock.lock.companions->heartbeat;
    const bool isDead = problems.testFlag(Problem::HolderDead);
    takeHeartbeat(verdict, isDead            ? Heartbeat::State::Dead
                           : beat.isDoubtful ? Heartbeat::State::Unknown
                                             : beat.state);
    if (problems.testFlag(Problem::DeadWaiter))
        verdict.signs.append(Sign::DeadWaiter);
    return verdict;
}

} // namespace lockscope

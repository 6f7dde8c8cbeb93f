// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/livenesssigns.h"

#include "core/family/ownergroup.h"
#include "core/family/renewalhealth.h"
#include "core/family/weaktoken.h"
#include "core/monitor/deadwaiterdetector.h"

#include <algorithm>

namespace lockscope {

namespace {

/// An action is a sign of life for this time: watchdogs renew every ten seconds.
constexpr std::chrono::seconds freshFor{15};

TimePoint laterOf(const CompactOptional<TimePoint> &known, TimePoint at)
{
    return known ? std::max(*known, at) : at;
}

} // namespace

void LivenessSigns::add(const WatchedLock &watched, const CrashAftermath::IsTheirs &isTheirs, TimePoint now)
{
    const Lock &lock = watched.lock;
    if (std::ranges::any_of(lock.owners,
                            [&](const LockOwner &holder) { return isTheirs(lock, holder.owner); }))
        addHold(watched, now);
    for (const Waiter &waiter : lock.companions->waiters.queue) {
        if (isTheirs(lock, waiter.id))
            addPlace(waiter);
    }
}

void LivenessSigns::addHold(const WatchedLock &watched, TimePoint now)
{
    // Of several owners it is not known who renewed, nor whose renewal did not come.
    if (watched.lock.owners.size() != 1 || mayRepeat(watched.lock))
        return;
    if (isRenewalOverdue(watched, now)) {
        ++overdue;
        overdueSince = laterOf(overdueSince, overdueAfter(watched));
    }
    if (watched.lastRenewal)
        actedAt = laterOf(actedAt, *watched.lastRenewal);
    if (watched.hasSeenAcquisition)
        actedAt = laterOf(actedAt, watched.heldSince);
}

void LivenessSigns::addPlace(const Waiter &waiter)
{
    silentPlaces += waiter.isDead;
    subscribedPlaces += waiter.listening == SubscriptionState::Yes;
}

LivenessSigns::Verdict LivenessSigns::verdict(TimePoint now) const
{
    const bool isSilent = overdue > 0 || silentPlaces > 0;
    // What was done before the silence began is no sign against it.
    TimePoint silentSince = silentPlaces > 0 ? now - DeadWaiterDetector::patience : TimePoint::min();
    if (overdueSince)
        silentSince = std::max(silentSince, *overdueSince);
    const bool hasActed = actedAt && *actedAt > (isSilent ? silentSince : now - freshFor);
    const bool isAlive = hasActed || subscribedPlaces > 0;
    if (isSilent == isAlive || isOfSeveral)
        return Verdict::Unknown;
    return isSilent ? Verdict::LikelyDead : Verdict::Alive;
}

/// nullptr: the ID names no process. Valid until the next call.
LivenessSigns *SignsOfProcesses::signsOf(const Lock &lock, const OwnerId &id)
{
    const OwnerGroup process = ownerGroup(OwnerGrouping::Process, lock.family, lock.key(), id);
    if (process.names == OwnerGroup::Names::Process)
        return &m_processes[process.bytes];
    m_untold.insert(process.bytes);
    return nullptr;
}

void SignsOfProcesses::add(const WatchedLock &watched, const CrashAftermath::IsTheirs &isTheirs,
                           std::optional<TimePoint> now)
{
    const Lock &lock = watched.lock;
    for (const LockOwner &holder : lock.owners) {
        if (!isTheirs(lock, holder.owner))
            continue;
        if (LivenessSigns *its = signsOf(lock, holder.owner); its && now)
            its->addHold(watched, *now);
    }
    for (const Waiter &waiter : lock.companions->waiters.queue) {
        if (!isTheirs(lock, waiter.id))
            continue;
        if (LivenessSigns *its = signsOf(lock, waiter.id); its && now)
            its->addPlace(waiter);
    }
}

SignsOfProcesses::Count SignsOfProcesses::count(TimePoint now) const
{
    Count count;
    for (const LivenessSigns &signs : m_processes) {
        switch (signs.verdict(now)) {
        case LivenessSigns::Verdict::Alive:
            ++count.alive;
            break;
        case LivenessSigns::Verdict::LikelyDead:
            ++count.likelyDead;
            break;
        case LivenessSigns::Verdict::Unknown:
            ++count.unknown;
            break;
        }
    }
    return count;
}

} // namespace lockscope

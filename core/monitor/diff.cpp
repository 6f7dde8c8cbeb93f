// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/diff.h"

#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"

#include <algorithm>

namespace lockscope {

namespace {

/// How far two readings of one unchanged deadline may lie apart beyond their intervals: the server's wall
/// clock may be slewed by a NTP daemon (at most 0.05 %) while ours, a steady one, is not.
Clock::duration drift(TimePoint from, TimePoint to)
{
    return std::chrono::milliseconds(2) + (to - from) / 1000;
}

bool sameOwners(const Lock &before, const Lock &after)
{
    return std::ranges::equal(before.owners, after.owners, {}, &LockOwner::owner, &LockOwner::owner);
}

bool isOwner(const QList<LockOwner> &owners, const OwnerId &owner)
{
    return std::ranges::find(owners, owner, &LockOwner::owner) != owners.end();
}

/// If permits have no known holders, their number replaces an owner.
QList<LockOwner> ownersOf(const Lock &lock)
{
    const bool isNumber = specOf(lock.family).countsPermits && lock.companions->permits.isEmpty();
    return isNumber ? QList<LockOwner>() : lock.owners;
}

/// The same hold among others: an owner may have two modes at once, or change its mode.
const LockOwner *holdIn(const QList<LockOwner> &owners, const LockOwner &hold)
{
    const auto at =
        std::ranges::find_if(owners, [&](const LockOwner &other) { return isSameHold(other, hold); });
    return at == owners.end() ? nullptr : &*at;
}

/// Changes of the holds: an owner that stays has more or fewer.
QList<LockChange> changesOfOwners(const QList<LockOwner> &before, const QList<LockOwner> &after)
{
    QList<LockChange> changes;
    for (const LockOwner &hold : before) {
        if (!holdIn(after, hold))
            changes.append({isOwner(after, hold.owner) ? EventKind::Unwound : EventKind::Released, hold});
    }
    for (const LockOwner &hold : after) {
        if (!holdIn(before, hold))
            changes.append({isOwner(before, hold.owner) ? EventKind::Reentered : EventKind::Acquired, hold});
    }
    return changes;
}

QList<LockChange> changesOfHolds(const QList<LockOwner> &before, const QList<LockOwner> &after)
{
    QList<LockChange> changes;
    for (const LockOwner &hold : after) {
        const LockOwner *earlier = holdIn(before, hold);
        // Where one of them is no count, nothing is known of how it changed.
        if (!earlier || !earlier->holdCount || !hold.holdCount || *hold.holdCount == *earlier->holdCount)
            continue;
        const bool isMore = *hold.holdCount > *earlier->holdCount;
        changes.append({isMore ? EventKind::Reentered : EventKind::Unwound, hold});
    }
    return changes;
}

/// False if so many owners exist that it is unknown who stayed.
bool hasStayed(const Lock &before, const Lock &after)
{
    if ((before.problems | after.problems).testFlag(Problem::TooBig))
        return false;
    const QList<LockOwner> left = ownersOf(after);
    const QList<LockOwner> had = ownersOf(before);
    return left.isEmpty() != had.isEmpty() ||
           std::ranges::any_of(had, [&](const LockOwner &hold) { return isOwner(left, hold.owner); });
}

/// The direction in which the deadline moved: later than by time alone, earlier, or not at all.
int moved(const Lock &before, const Lock &after)
{
    const auto slack = drift(before.readAt, after.readAt);
    if (after.deadline->earliest > before.deadline->latest + slack)
        return 1;
    return after.deadline->latest + slack < before.deadline->earliest ? -1 : 0;
}

/// Problems of a lock's queue, which also concern its next owner.
constexpr quint16 ofTheKey = quint16(Problem::DeadWaiter) | quint16(Problem::Deadlock);

/// The share of the lease left at a renewal, in 255ths; 0: unknown, since there were several renewals between
/// the readings, or a longer lease. The lease is the largest TTL seen.
quint8 minRenewalShare(const Lock &before, const Lock &after, milliseconds lease)
{
    lease = std::min(lease, Deadline::horizon); // in nanoseconds, a longer one is no number
    // The end before lies so far ahead of the end after as the renewal came before the lease was over.
    const auto left =
        std::chrono::floor<milliseconds>(lease - (after.deadline->latest - before.deadline->earliest));
    if (left <= milliseconds(0) || lease <= milliseconds(0))
        return 0;
    return static_cast<quint8>(std::clamp<qint64>(255 * left / lease, 1, 255));
}

bool happened(const QList<LockChange> &events, EventKind kind)
{
    return std::ranges::find(events, kind, &LockChange::kind) != events.end();
}

bool isAnotherOwner(const QList<LockChange> &events)
{
    return std::ranges::any_of(events, [](const LockChange &event) {
        return event.kind == EventKind::OwnerChanged || event.kind == EventKind::Acquired ||
               event.kind == EventKind::Released;
    });
}

} // namespace

bool isUnchanged(const Lock &before, const Lock &after)
{
    return before.type == after.type && before.family == after.family && before.problems == after.problems &&
           before.evidence == after.evidence && before.owners == after.owners &&
           bool(before.deadline) == bool(after.deadline) && (!before.deadline || moved(before, after) == 0);
}

QList<LockChange> diffEvents(const std::optional<Lock> &before, const std::optional<Lock> &after,
                             bool watching, TimePoint now)
{
    if (!before && !after)
        return {};
    if (!before)
        return {watching ? EventKind::Acquired : EventKind::Found};
    if (!after) {
        if (!watching)
            return {EventKind::Vanished};
        const bool overdue = before->deadline && now >= before->deadline->earliest;
        return {overdue ? EventKind::Expired : EventKind::Released};
    }
    // Another name for the same (a rule of the user, what stands beside it) is no event.
    const bool isSame = sameOwners(*before, *after);
    if (before->type != after->type || (!isSame && !hasStayed(*before, *after)))
        return {EventKind::OwnerChanged};

    QList<LockChange> events;
    if (!isSame)
        events = changesOfOwners(ownersOf(*before), ownersOf(*after));
    events += changesOfHolds(before->owners, after->owners);
    if (isAnotherOwner(events)) // whose lease it is now
        return events;
    if (before->deadline && !after->deadline) {
        events.append(EventKind::ExpiryLost);
    } else if (!before->deadline && after->deadline) {
        events.append(EventKind::Shortened);
    } else if (before->deadline) {
        if (const int way = moved(*before, *after); way != 0)
            events.append(way > 0 ? EventKind::Renewed : EventKind::Shortened);
    }
    return events;
}

bool isEndOfHold(EventKind kind)
{
    return kind == EventKind::Released || kind == EventKind::Expired || kind == EventKind::OwnerChanged;
}

bool mayBeNextHold(const WatchedLock &before, const Lock &after, const QList<LockChange> &events)
{
    // Of another count, or of several levels, it is the same hold.
    const bool isPlain = events.size() == 1 && happened(events, EventKind::Renewed) &&
                         std::ranges::all_of(after.owners, [](const LockOwner &hold) {
                             return hold.holdCount.value_or(1) <= 1;
                         });
    if (!isPlain || !mayReturn(after))
        return false;
    const TimePoint set = std::max(before.heldSince, before.lastRenewal.value_or(before.heldSince));
    return mayHaveReturned(std::chrono::duration_cast<milliseconds>(after.readAt - set),
                           std::max(before.maxObservedTtl, after.ttl.value_or(milliseconds(0))));
}

bool wasRenewed(const WatchedLock &lock)
{
    return lock.renewals > 0 && !mayRepeat(lock.lock);
}

CompactOptional<milliseconds> wholeHold(const WatchedLock &ended, TimePoint now)
{
    const Lock &lock = ended.lock;
    if (!ended.hasSeenAcquisition || lock.owners.size() != 1 || specOf(lock.family).severalOwners ||
        mayRepeat(lock))
        return {};
    return std::chrono::duration_cast<milliseconds>(std::max(now, ended.heldSince) - ended.heldSince);
}

WatchedLock watch(const WatchedLock *before, const Lock &after, const QList<LockChange> &events)
{
    WatchedLock watched;
    watched.lock = after;
    watched.maxObservedTtl = after.ttl.value_or(milliseconds(0));
    if (before) {
        watched.minRenewalShare = before->minRenewalShare;
        watched.watchedProblems = before->watchedProblems & ofTheKey;
    }
    if (!before || isAnotherOwner(events)) {
        watched.heldSince = after.readAt;
        // Whoever stayed has held it for longer than that.
        const bool isNew = !before && happened(events, EventKind::Acquired);
        watched.hasSeenAcquisition = isNew || happened(events, EventKind::OwnerChanged);
        return watched;
    }
    watched.heldSince = before->heldSince;
    watched.hasSeenAcquisition = before->hasSeenAcquisition;
    watched.watchedProblems = before->watchedProblems;
    watched.maxObservedTtl = std::max(before->maxObservedTtl, watched.maxObservedTtl);
    watched.renewals = before->renewals;
    watched.lastRenewal = before->lastRenewal;
    // A re-entry sets the lease anew, too: its holder lived then, but nobody renews.
    if (happened(events, EventKind::Renewed) && !happened(events, EventKind::Reentered)) {
        ++watched.renewals;
        watched.lastRenewal = after.readAt;
        const bool isAnybody = mayRepeat(after); // it may have been acquired again, by another
        // Who counts something sets a new end with each count: that shows no holder who lives. Of what looks like no
        // lock it only shows that there is somebody.
        if (events.size() == 1 && (!isAnybody || isNoLock(before->lock)))
            watched.lock.evidence.set(Evidence::Renewals);
        if (isAnybody)
            return watched;
        const quint8 share = minRenewalShare(before->lock, after, watched.maxObservedTtl);
        if (share > 0 && (watched.minRenewalShare == 0 || share < watched.minRenewalShare))
            watched.minRenewalShare = share;
    }
    return watched;
}

} // namespace lockscope

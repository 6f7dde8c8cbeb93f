// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lock/diff.h"

#include "core/lock/family/certainty.h"
#include "core/lock/family/weaktoken.h"

#include <algorithm>

namespace lockscope {

namespace {

/// How far two readings of one unchanged deadline may lie apart beyond their intervals: the server's wall
/// clock may be slewed by a NTP daemon (at most 0.05 %) while ours, a steady one, is not.
Clock::duration drift(TimePoint from, TimePoint to)
{
    return std::chrono::milliseconds(2) + (to - from) / 1000;
}

/// nullopt where one of them is no count: then nothing is known of how it changed.
std::optional<qint64> totalHolds(const Lock &lock)
{
    qint64 total = 0;
    for (const Holder &holder : lock.holders) {
        if (!holder.holds)
            return std::nullopt;
        total += *holder.holds;
    }
    return total;
}

bool sameOwners(const Lock &before, const Lock &after)
{
    return std::ranges::equal(before.holders, after.holders, {}, &Holder::owner, &Holder::owner);
}

/// Which way the end of a lease has moved: later than time alone explains, sooner, or not at all.
int moved(const Lock &before, const Lock &after)
{
    const auto slack = drift(before.readAt, after.readAt);
    if (after.deadline->earliest > before.deadline->latest + slack)
        return 1;
    return after.deadline->latest + slack < before.deadline->earliest ? -1 : 0;
}

/// What concerns the queue of a lock concerns its next owner as well.
constexpr quint16 ofTheKey = quint16(Problem::DeadWaiter) | quint16(Problem::Deadlock);

/// The share of its lease that was left when a lock was renewed, in 255ths; 0: not to be told, since it was renewed more
/// than once between these readings, or given more than it had before. The lease is the largest TTL that was seen.
quint8 renewedAt(const Lock &before, const Lock &after, milliseconds lease)
{
    // The end before lies so far ahead of the end after as the renewal came before the lease was over.
    const auto left = lease - (after.deadline->latest - before.deadline->earliest);
    if (left <= milliseconds(0) || lease <= milliseconds(0))
        return 0;
    return static_cast<quint8>(std::clamp<qint64>(255 * left / lease, 1, 255));
}

} // namespace

bool isUnchanged(const Lock &before, const Lock &after)
{
    return before.type == after.type && before.family == after.family && before.problems == after.problems &&
           before.evidence == after.evidence && before.holders == after.holders &&
           bool(before.deadline) == bool(after.deadline) && (!before.deadline || moved(before, after) == 0);
}

QList<EventKind> eventsBetween(const std::optional<Lock> &before, const std::optional<Lock> &after,
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
    if (before->type != after->type || !sameOwners(*before, *after))
        return {EventKind::OwnerChanged};

    QList<EventKind> events;
    const std::optional<qint64> held = totalHolds(*before);
    const std::optional<qint64> holds = totalHolds(*after);
    if (held && holds && *held != *holds)
        events.append(*holds > *held ? EventKind::Reentered : EventKind::Unwound);
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

WatchedLock watch(const WatchedLock *before, const Lock &after, const QList<EventKind> &events)
{
    const auto happened = [&](EventKind kind) { return events.contains(kind); };
    WatchedLock watched;
    watched.lock = after;
    watched.longestTtl = after.ttl.value_or(milliseconds(0));
    if (before) {
        watched.renewedAt = before->renewedAt;
        watched.watchedProblems = before->watchedProblems & ofTheKey;
    }
    if (!before || happened(EventKind::OwnerChanged)) {
        watched.heldSince = after.readAt;
        watched.acquisitionSeen = happened(EventKind::Acquired) || happened(EventKind::OwnerChanged);
        return watched;
    }
    watched.heldSince = before->heldSince;
    watched.acquisitionSeen = before->acquisitionSeen;
    watched.watchedProblems = before->watchedProblems;
    watched.longestTtl = std::max(before->longestTtl, watched.longestTtl);
    watched.renewals = before->renewals;
    watched.lastRenewal = before->lastRenewal;
    if (happened(EventKind::Renewed)) {
        ++watched.renewals;
        watched.lastRenewal = after.readAt;
        const bool isAnybody = mayRepeat(after); // it may have been acquired again, by another
        // Who counts something sets a new end with each count: that shows no holder who lives. Of what looks like no
        // lock it only shows that there is somebody.
        if (events.size() == 1 && (!isAnybody || isHidden(before->lock)))
            watched.lock.evidence.set(Evidence::Renewals);
        if (isAnybody)
            return watched;
        const quint8 share = renewedAt(before->lock, after, watched.longestTtl);
        if (share > 0 && (watched.renewedAt == 0 || share < watched.renewedAt))
            watched.renewedAt = share;
    }
    return watched;
}

} // namespace lockscope

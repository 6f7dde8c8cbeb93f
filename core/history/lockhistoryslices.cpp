// SPDX-License-Identifier: GPL-3.0-or-later
// The slices that a LockHistory makes of what happened to a lock.
#include "core/history/lockhistory.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope {

namespace {

/// Row of Unknown: owners without a row hold the lock.
constexpr int withoutRow = 1;
/// A queue that is known of is read so soon, in ms.
constexpr quint32 queueReadWithin = 1000;

quint16 depthOf(const LockOwner &owner)
{
    constexpr qint64 deepest = std::numeric_limits<quint16>::max();
    return quint16(owner.holdCount ? std::clamp<qint64>(*owner.holdCount, 0, deepest) : 0);
}

quint32 leaseValue(const CompactOptional<milliseconds> &left)
{
    return left ? quint32(std::clamp<qint64>(left->count(), 0, HistorySlice::noExpiry - 1))
                : HistorySlice::noExpiry;
}

} // namespace

void LockHistory::beginHolds(Lane &lane, const LockEvent &event, quint32 at, SliceBegin how)
{
    if (event.others == 0) { // what was not told to have ended has
        endAll(lane, SliceKind::Hold, at, SliceEnd::Vanished);
        endAll(lane, SliceKind::Lease, at, SliceEnd::Vanished);
    }
    for (const LockOwner &owner : event.owners)
        begin(lane, owner, at, how);
    if (event.others == 0 || event.ttl)
        setLease(lane, event, at, how);
}

void LockHistory::begin(Lane &lane, const LockOwner &owner, quint32 at, SliceBegin how)
{
    for (int row = 0; row < mostRows; ++row) {
        SliceTrack &holds = track(lane, SliceKind::Hold, row);
        if (holds.open())
            continue;
        lane.holdRows = std::max(lane.holdRows, row + 1);
        SliceRecord hold{
            .from = at, .value = ownerNumber(owner.owner), .detail = depthOf(owner), .begin = how};
        append(lane, holds, hold);
        return;
    }
}

SliceTrack *LockHistory::holdOf(Lane &lane, const LockOwner &owner)
{
    for (SliceTrack &each : lane.tracks) {
        if (const SliceRecord *open = each.open();
            each.kind() == SliceKind::Hold && open && m_owners.at(open->value) == owner.owner)
            return &each;
    }
    return nullptr;
}

void LockHistory::changeDepth(Lane &lane, const LockEvent &event, quint32 at, SliceBegin how)
{
    for (const LockOwner &owner : event.owners) {
        SliceTrack *hold = holdOf(lane, owner);
        if (!hold) {
            begin(lane, owner, at, SliceBegin::Found);
            continue;
        }
        if (hold->open()->detail == depthOf(owner))
            continue;
        end(lane, *hold, at, SliceEnd::Changed);
        append(lane, *hold,
               {.from = at, .value = ownerNumber(owner.owner), .detail = depthOf(owner), .begin = how});
    }
}

void LockHistory::setLease(Lane &lane, const LockEvent &event, quint32 at, SliceBegin how)
{
    SliceTrack &leases = track(lane, SliceKind::Lease, 0);
    const quint32 left = leaseValue(event.ttl);
    end(lane, leases, at, SliceEnd::Changed);
    append(lane, leases, {.from = at, .value = left, .begin = how});
    if (left != HistorySlice::noExpiry)
        lane.longestLease = std::max(lane.longestLease, left);
}

/// Of the owners of the event; of all where nobody else holds the lock.
void LockHistory::endHolds(Lane &lane, const LockEvent &event, quint32 at, SliceEnd how)
{
    if (lane.isUnwatched) {
        endLate(lane, event, at, how);
    } else if (event.others > 0) {
        for (const LockOwner &owner : event.owners) {
            if (SliceTrack *hold = holdOf(lane, owner))
                end(lane, *hold, at, how);
        }
    } else {
        endAll(lane, SliceKind::Hold, at, how);
        endAll(lane, SliceKind::Lease, at, how);
    }
}

/// What the removal of the lock had ended, which was told before the event.
void LockHistory::endLate(Lane &lane, const LockEvent &event, quint32 at, SliceEnd how)
{
    for (SliceTrack &each : lane.tracks) {
        if (each.isEmpty() || (each.kind() != SliceKind::Hold && each.kind() != SliceKind::Lease))
            continue;
        SliceRecord &last = each.at(each.size() - 1);
        if (last.end != SliceEnd::Unwatched || last.to < lane.watchedMs)
            continue;
        const bool isTold = event.others == 0 || (each.kind() == SliceKind::Hold &&
                                                  std::ranges::find(event.owners, m_owners.at(last.value),
                                                                    &LockOwner::owner) != event.owners.end());
        if (isTold) {
            last.to = std::max(at, last.from);
            last.end = how;
        }
    }
}

/// Where all owners that had a row are gone, others may hold the lock still: who is not known.
void LockHistory::tellWithoutRow(Lane &lane, int others, quint32 at)
{
    const bool isUntold = others > 0 && std::ranges::none_of(lane.tracks, [](const SliceTrack &each) {
                              return each.kind() == SliceKind::Hold && each.open();
                          });
    if (!isUntold && !track(std::as_const(lane), SliceKind::Unknown, withoutRow))
        return;
    SliceTrack &untold = track(lane, SliceKind::Unknown, withoutRow);
    if (!isUntold)
        end(lane, untold, at, SliceEnd::Changed);
    else if (!untold.open())
        append(lane, untold, {.from = at});
}

void LockHistory::end(Lane &lane, SliceTrack &track, quint32 at, SliceEnd how)
{
    if (SliceRecord *open = track.open()) {
        open->to = std::max(at, open->from);
        open->end = how;
        --m_open;
        ++m_revision;
        addToOrder(lane, track);
    }
}

void LockHistory::endAll(Lane &lane, SliceKind kind, quint32 at, SliceEnd how)
{
    for (SliceTrack &each : lane.tracks) {
        if (each.kind() == kind)
            end(lane, each, at, how);
    }
}

void LockHistory::mark(Lane &lane, quint32 at, SliceEnd how)
{
    append(lane, track(lane, SliceKind::Mark, int(how)), {.from = at, .to = at, .end = how});
}

/// Before its first slice nothing is known of a lock that was found: that is not kept.
void LockHistory::addUnknown(Lane &lane, quint32 from, quint32 to)
{
    from = std::max(from, fromBase(m_firstMs));
    if (!lane.tracks.empty() && from < to)
        append(lane, track(lane, SliceKind::Unknown, 0), {.from = from, .to = to});
}

/// No lock, or one that is watched no longer: what goes on still was not told to end.
void LockHistory::endUnwatched(Lane &lane, quint32 at)
{
    noteReading(lane, false, at);
    lane.missedWaiters = false; // who waits when it comes again has come since
    bool isHeld = false;
    for (SliceTrack &each : lane.tracks) {
        if (each.open() && (each.kind() == SliceKind::Hold || each.kind() == SliceKind::Unknown))
            isHeld = true;
        end(lane, each, at, each.kind() == SliceKind::Wait ? SliceEnd::Left : SliceEnd::Unwatched);
    }
    if (!isHeld)
        return;
    lane.isUnwatched = true;
    lane.watchedMs = lane.lastMs;
    lane.lastMs = at;
}

void LockHistory::takeWaiters(const WatchedLock &watched, qint64 axisMs)
{
    const Waiters &waiters = watched.lock.beside->waiters;
    Lane *known = find(watched.key());
    if (!known && waiters.count == 0)
        return;
    beginAt(axisMs);
    Lane &lane = known ? *known : laneOf(watched.key(), watched.lock.family);
    const quint32 at = momentIn(lane, axisMs);
    const bool isTold = waiters.certainty != WaiterCertainty::Unknown;
    const bool wasMissed = lane.missedWaiters;
    lane.missedWaiters = !isTold && (lane.tellsWaiters || wasMissed);
    noteReading(lane, isTold, at);
    const auto placesOf = [&](const OwnerId &id) {
        return std::ranges::find(waiters.queue, id, &Waiter::id) != waiters.queue.end();
    };
    QList<OwnerId> before;
    for (const SliceTrack &each : lane.tracks) {
        if (const SliceRecord *open = each.open(); open && each.kind() == SliceKind::Wait)
            before.append(m_owners.at(open->value));
    }
    for (int row = 0; row < mostRows; ++row) {
        const Waiter *waiter = row < waiters.queue.size() ? &waiters.queue[row] : nullptr;
        if (!waiter && before.isEmpty())
            break;
        SliceTrack &place = track(lane, SliceKind::Wait, row);
        if (const SliceRecord *open = place.open()) {
            const OwnerId &was = m_owners.at(open->value);
            if (waiter && was == waiter->id && open->detail == quint16(waiter->isDead))
                continue;
            const bool holds =
                std::ranges::find(watched.lock.owners, was, &LockOwner::owner) != watched.lock.owners.end();
            end(lane, place, at,
                holds           ? SliceEnd::Acquired
                : placesOf(was) ? SliceEnd::Changed
                : isTold        ? SliceEnd::Left
                                : SliceEnd::Unwatched);
        }
        if (waiter)
            append(lane, place,
                   {.from = at,
                    .value = ownerNumber(waiter->id),
                    .detail = quint16(waiter->isDead),
                    .begin = before.contains(waiter->id) ? SliceBegin::Moved
                             : wasMissed                 ? SliceBegin::Found
                                                         : SliceBegin::Seen});
    }
    takeCount(lane, waiters, !before.isEmpty(), at);
}

/// What was so up to this reading, or is from it on.
void LockHistory::noteReading(Lane &lane, bool tellsWaiters, quint32 at)
{
    if (tellsWaiters)
        lane.firstWaitersMs = std::min(lane.firstWaitersMs, at);
    if (tellsWaiters || lane.tellsWaiters)
        lane.lastWaitersMs = at;
    lane.tellsWaiters = tellsWaiters;
}

/// Where rows do not tell it. A number of which nothing can be said is none.
void LockHistory::takeCount(Lane &lane, const Waiters &waiters, bool hadRows, quint32 at)
{
    const bool isTold = waiters.certainty != WaiterCertainty::Unknown;
    const bool isInRows = waiters.certainty == WaiterCertainty::Exact &&
                          waiters.count == waiters.queue.size() && waiters.queue.size() <= mostRows;
    const qint64 counted = isTold && !isInRows ? waiters.count : 0;
    const auto count = quint32(std::clamp<qint64>(counted, 0, HistorySlice::noExpiry));
    if (count == 0 && !track(std::as_const(lane), SliceKind::WaitCount, 0))
        return;
    SliceTrack &counts = track(lane, SliceKind::WaitCount, 0);
    const SliceRecord *open = counts.open();
    if (open ? open->value == count && open->detail == quint16(waiters.certainty) : count == 0)
        return;
    // That somebody waits is known before the queue is read. Then rows tell it, and one for the number would stay beside them.
    if (open && isInRows && !hadRows && !waiters.queue.isEmpty() &&
        WaiterCertainty(open->detail) == WaiterCertainty::AtLeast && at - open->from < queueReadWithin) {
        counts.dropLast();
        --m_open;
        ++m_revision;
        return;
    }
    end(lane, counts, at, isTold ? SliceEnd::Changed : SliceEnd::Unwatched);
    if (count > 0)
        append(lane, counts, {.from = at, .value = count, .detail = quint16(waiters.certainty)});
}

} // namespace lockscope

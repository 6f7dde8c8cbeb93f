// SPDX-License-Identifier: GPL-3.0-or-later
// The slices that a LockHistory makes of what happened to a lock.
#include "core/history/lockhistory.h"

#include "core/base/disposal.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope {

namespace {

constexpr size_t maxHistoryMoments = 1'000;
/// Row of Unknown for holds by owners without a row.
constexpr int withoutRow = 1;
/// Known queues are read within this time, in ms.
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

LockHistory::LockHistory(qint64 most, qint64 maxBytes) : m_store(most, maxBytes) {}

void LockHistory::clear()
{
    disposeElsewhere(std::exchange(*this, LockHistory(m_store.emptied())));
}

void LockHistory::apply(const LockDiff &diff, qint64 wallMs)
{
    for (const LockEvent &event : diff.events)
        take(event);
    const qint64 at = m_clock.now(wallMs);
    for (const WatchedLock &lock : diff.changed)
        takeWaiters(lock, at);
    for (const LockKey &key : diff.removed) {
        if (SliceLane *lane = m_store.find(key))
            endUnwatched(*lane, momentIn(*lane, at));
    }
    m_store.keepBounds();
}

void LockHistory::add(const MonitorEvent &moment)
{
    const qint64 at = m_clock.now(moment.wallMs);
    m_moments.push_back({moment.kind, at, moment.key, moment.text});
    if (m_moments.size() > maxHistoryMoments)
        m_moments.pop_front();
    switch (moment.kind) {
    case MonitorEventKind::Disconnected:
        m_gaps.setDisconnected(true);
        break;
    case MonitorEventKind::Reconnected:
        m_gaps.setDisconnected(false);
        return; // confirm() says when all was read again
    case MonitorEventKind::FeedGap:
        break;
    default: // of nodes setUnknownSlots() tells
        return;
    }
    m_gaps.begin(at);
}

void LockHistory::confirm(qint64 wallMs)
{
    const qint64 at = m_clock.at(wallMs);
    m_store.reach(at);
    m_gaps.confirm(at);
}

void LockHistory::take(const LockEvent &event)
{
    const qint64 axisMs = m_clock.take(event.wallMs);
    m_store.reach(axisMs);
    SliceLane &lane = m_store.lane(event.address.key, event.family);
    // It may come after the removal of its lock: then it says how what was open went on, or ended.
    const quint32 removedMs = lane.lastMs;
    const bool beginsAnew =
        event.others == 0 && (event.kind == EventKind::Found || event.kind == EventKind::Acquired);
    const bool isLate =
        lane.isUnwatched && !beginsAnew && (isEnd(event.kind) || m_store.fromBase(axisMs) < removedMs);
    if (isLate)
        lane.lastMs = lane.watchedMs;
    const quint32 at = momentIn(lane, axisMs);
    lane.family = event.family;
    const quint32 sure = sureUntil(lane, event, at);
    lane.isUnwatched = isLate;
    switch (event.kind) {
    case EventKind::Found:
        addUnknown(lane, sure, at);
        beginHolds(lane, event, at, SliceBegin::Found);
        break;
    case EventKind::Acquired:
        if (sure < at)
            lane.track(SliceKind::Unknown, 0); // also in a new lane
        addUnknown(lane, sure, at);
        beginHolds(lane, event, at, SliceBegin::Seen);
        break;
    case EventKind::OwnerChanged:
        endAll(lane, sure, SliceEnd::OwnerChanged);
        addUnknown(lane, sure, at);
        beginHolds(lane, event, at, SliceBegin::OwnerChanged);
        break;
    case EventKind::Reentered:
        changeDepth(lane, event, at, SliceBegin::Reentered);
        break;
    case EventKind::Unwound:
        changeDepth(lane, event, at, SliceBegin::Unwound);
        break;
    case EventKind::Renewed:
        setLease(lane, event, at, SliceBegin::Renewed);
        break;
    case EventKind::Shortened:
        setLease(lane, event, at, SliceBegin::Shortened);
        break;
    case EventKind::ExpiryLost:
        setLease(lane, event, at, SliceBegin::ExpiryLost);
        break;
    case EventKind::Released:
        endHolds(lane, event, sure, SliceEnd::Released);
        addUnknown(lane, sure, at);
        break;
    case EventKind::Expired:
        endHolds(lane, event, sure, SliceEnd::Expired);
        addUnknown(lane, sure, at);
        mark(lane, at, SliceEnd::Expired);
        break;
    case EventKind::Vanished:
        endHolds(lane, event, sure, SliceEnd::Vanished);
        addUnknown(lane, sure, at);
        mark(lane, at, SliceEnd::Vanished); // where it was seen to be gone
        break;
    case EventKind::Evicted:
    case EventKind::Flushed:
    case EventKind::Overwritten:
    case EventKind::Renamed:
    case EventKind::Failover:
        endHolds(lane, event, sure, SliceEnd::Removed);
        addUnknown(lane, sure, at);
        mark(lane, at, SliceEnd::Removed);
        break;
    case EventKind::Forced:
        endHolds(lane, event, at, SliceEnd::Forced);
        mark(lane, at, SliceEnd::Forced);
        break;
    }
    lane.isUnwatched = isLate && !(isEnd(event.kind) && event.others == 0);
    lane.watchedMs = at;
    lane.lastMs = lane.isUnwatched ? std::max(at, removedMs) : at;
    if (lane.isUnwatched)
        endAll(lane, lane.lastMs, SliceEnd::Unwatched);
    else
        tellWithoutRow(lane, event.others, at);
    m_store.forgetIfEmpty(lane);
}

/// The time until which the lane is certain: the event happened between it and its report.
quint32 LockHistory::sureUntil(const SliceLane &lane, const LockEvent &event, quint32 at) const
{
    quint32 sure = at;
    if (event.unseenFor == milliseconds::max())
        sure = lane.lastMs;
    else if (event.unseenFor > milliseconds(0))
        sure = quint32(std::max<qint64>(qint64(at) - event.unseenFor.count(), lane.lastMs));
    if (const auto gap = m_gaps.openSince(lane.key, lane.lastMs > 0 ? m_store.toAxis(lane.lastMs) : 0))
        sure = std::min(sure, std::max(m_store.fromBase(*gap), lane.lastMs));
    if (event.kind == EventKind::Found && sure == at && (lane.lastMs > 0 || lane.isUnwatched))
        sure = lane.lastMs;
    return sure;
}

quint32 LockHistory::momentIn(const SliceLane &lane, qint64 axisMs) const
{
    return std::max(m_store.fromBase(axisMs), lane.lastMs);
}

void LockHistory::beginHolds(SliceLane &lane, const LockEvent &event, quint32 at, SliceBegin how)
{
    if (event.others == 0) { // what was not told to have ended has
        endAll(lane, at, SliceEnd::Vanished);
    }
    for (const LockOwner &owner : event.owners)
        begin(lane, owner, at, how);
    if (event.others == 0 || event.ttl)
        setLease(lane, event, at, how);
}

void LockHistory::begin(SliceLane &lane, const LockOwner &owner, quint32 at, SliceBegin how)
{
    for (int row = 0; row < maxRows; ++row) {
        SliceTrack &holds = lane.track(SliceKind::Hold, row);
        if (holds.open())
            continue;
        lane.holdRows = std::max(lane.holdRows, row + 1);
        SliceRecord hold{
            .from = at, .value = m_store.use(owner.owner), .detail = depthOf(owner), .begin = how};
        m_store.append(lane, holds, hold);
        return;
    }
}

SliceTrack *LockHistory::holdOf(SliceLane &lane, const LockOwner &owner)
{
    for (SliceTrack &each : lane.tracks) {
        if (const SliceRecord *last = goingOn(lane, each);
            each.kind() == SliceKind::Hold && last && m_store.owner(last->value) == owner.owner)
            return &each;
    }
    return nullptr;
}

void LockHistory::changeDepth(SliceLane &lane, const LockEvent &event, quint32 at, SliceBegin how)
{
    for (const LockOwner &owner : event.owners) {
        SliceTrack *hold = holdOf(lane, owner);
        if (!hold) {
            begin(lane, owner, at, SliceBegin::Found);
            continue;
        }
        if (hold->last().detail == depthOf(owner))
            continue;
        end(lane, *hold, at, SliceEnd::Changed);
        m_store.append(
            lane, *hold,
            {.from = at, .value = m_store.use(owner.owner), .detail = depthOf(owner), .begin = how});
    }
}

void LockHistory::setLease(SliceLane &lane, const LockEvent &event, quint32 at, SliceBegin how)
{
    SliceTrack &leases = lane.track(SliceKind::Lease, 0);
    const quint32 left = leaseValue(event.ttl);
    end(lane, leases, at, SliceEnd::Changed);
    m_store.append(lane, leases, {.from = at, .value = left, .begin = how});
    if (left != HistorySlice::noExpiry)
        lane.longestLease = std::max(lane.longestLease, left);
}

/// Ends the holds of the event's owners; all, if the lock has no other owners.
void LockHistory::endHolds(SliceLane &lane, const LockEvent &event, quint32 at, SliceEnd how)
{
    if (event.others == 0)
        return endAll(lane, at, how);
    for (const LockOwner &owner : event.owners) {
        if (SliceTrack *hold = holdOf(lane, owner))
            end(lane, *hold, at, how);
    }
}

void LockHistory::endAll(SliceLane &lane, quint32 at, SliceEnd how)
{
    for (SliceTrack &each : lane.tracks) {
        if (each.kind() == SliceKind::Hold || each.kind() == SliceKind::Lease)
            end(lane, each, at, how);
    }
}

/// The open slice, or the one that was open until the lock's removal, if that was reported before the event.
SliceRecord *LockHistory::goingOn(const SliceLane &lane, SliceTrack &track)
{
    if (track.isEmpty() || track.open() || !lane.isUnwatched)
        return track.open();
    SliceRecord &last = track.at(track.size() - 1);
    return last.end == SliceEnd::Unwatched && last.to >= lane.watchedMs ? &last : nullptr;
}

void LockHistory::end(SliceLane &lane, SliceTrack &track, quint32 at, SliceEnd how)
{
    if (track.open())
        return m_store.end(lane, track, at, how);
    if (SliceRecord *last = goingOn(lane, track)) {
        last->to = std::max(at, last->from);
        last->end = how;
    }
}

/// If all owners with rows are gone, unknown ones may still hold the lock.
void LockHistory::tellWithoutRow(SliceLane &lane, int others, quint32 at)
{
    const bool isUntold = others > 0 && std::ranges::none_of(lane.tracks, [](const SliceTrack &each) {
                              return each.kind() == SliceKind::Hold && each.open();
                          });
    if (!isUntold && !lane.find(SliceKind::Unknown, withoutRow))
        return;
    SliceTrack &untold = lane.track(SliceKind::Unknown, withoutRow);
    if (!isUntold)
        m_store.end(lane, untold, at, SliceEnd::Changed);
    else if (!untold.open())
        m_store.append(lane, untold, {.from = at});
}

void LockHistory::mark(SliceLane &lane, quint32 at, SliceEnd how)
{
    m_store.append(lane, lane.track(SliceKind::Mark, int(how)), {.from = at, .to = at, .end = how});
}

/// Not kept before the first slice of a found lock, where nothing is known.
void LockHistory::addUnknown(SliceLane &lane, quint32 from, quint32 to)
{
    from = std::max(from, m_store.fromBase(firstMs()));
    if (!lane.tracks.empty() && from < to)
        m_store.append(lane, lane.track(SliceKind::Unknown, 0), {.from = from, .to = to});
}

/// Without a lock, or unwatched: open slices have no known end.
void LockHistory::endUnwatched(SliceLane &lane, quint32 at)
{
    lane.noteReading(false, at);
    lane.missedWaiters = false; // who waits when it comes again has come since
    bool isHeld = false;
    for (SliceTrack &each : lane.tracks) {
        if (each.open() && (each.kind() == SliceKind::Hold || each.kind() == SliceKind::Unknown))
            isHeld = true;
        m_store.end(lane, each, at, each.kind() == SliceKind::Wait ? SliceEnd::Left : SliceEnd::Unwatched);
    }
    if (!isHeld)
        return;
    lane.isUnwatched = true;
    lane.watchedMs = lane.lastMs;
    lane.lastMs = at;
}

void LockHistory::takeWaiters(const WatchedLock &watched, qint64 axisMs)
{
    const Waiters &waiters = watched.lock.companions->waiters;
    SliceLane *known = m_store.find(watched.key());
    if (!known && waiters.count == 0)
        return;
    m_store.reach(axisMs);
    SliceLane &lane = known ? *known : m_store.lane(watched.key(), watched.lock.family);
    const quint32 at = momentIn(lane, axisMs);
    const bool isTold = waiters.certainty != WaiterCertainty::Unknown;
    const bool wasMissed = lane.missedWaiters;
    lane.missedWaiters = !isTold && (lane.tellsWaiters || wasMissed);
    lane.noteReading(isTold, at);
    if (isTold)
        lane.countsAtLeast = waiters.certainty == WaiterCertainty::AtLeast;
    const auto placesOf = [&](const OwnerId &id) {
        return std::ranges::find(waiters.queue, id, &Waiter::id) != waiters.queue.end();
    };
    QList<OwnerId> before;
    for (const SliceTrack &each : lane.tracks) {
        if (const SliceRecord *open = each.open(); open && each.kind() == SliceKind::Wait)
            before.append(m_store.owner(open->value));
    }
    for (int row = 0; row < maxRows; ++row) {
        const Waiter *waiter = row < waiters.queue.size() ? &waiters.queue[row] : nullptr;
        if (!waiter && before.isEmpty())
            break;
        SliceTrack &place = lane.track(SliceKind::Wait, row);
        if (const SliceRecord *open = place.open()) {
            const OwnerId &was = m_store.owner(open->value);
            if (waiter && was == waiter->id && open->detail == quint16(waiter->isDead))
                continue;
            const bool holds =
                std::ranges::find(watched.lock.owners, was, &LockOwner::owner) != watched.lock.owners.end();
            m_store.end(lane, place, at,
                        holds           ? SliceEnd::Acquired
                        : placesOf(was) ? SliceEnd::Changed
                        : isTold        ? SliceEnd::Left
                                        : SliceEnd::Unwatched);
        }
        if (waiter)
            m_store.append(lane, place,
                           {.from = at,
                            .value = m_store.use(waiter->id),
                            .detail = quint16(waiter->isDead),
                            .begin = before.contains(waiter->id) ? SliceBegin::Moved
                                     : wasMissed                 ? SliceBegin::Found
                                                                 : SliceBegin::Seen});
    }
    takeCount(lane, waiters, !before.isEmpty(), at);
}

/// Counts waiters without rows. An unknown number counts as none.
void LockHistory::takeCount(SliceLane &lane, const Waiters &waiters, bool hadRows, quint32 at)
{
    const bool isTold = waiters.certainty != WaiterCertainty::Unknown;
    const bool isInRows = waiters.certainty == WaiterCertainty::Exact &&
                          waiters.count == waiters.queue.size() && waiters.queue.size() <= maxRows;
    const qint64 counted = isTold && !isInRows ? waiters.count : 0;
    const auto count = quint32(std::clamp<qint64>(counted, 0, HistorySlice::noExpiry));
    if (count == 0 && !lane.find(SliceKind::WaitCount, 0))
        return;
    SliceTrack &counts = lane.track(SliceKind::WaitCount, 0);
    const SliceRecord *open = counts.open();
    if (open ? open->value == count && open->detail == quint16(waiters.certainty) : count == 0)
        return;
    // That somebody waits is known before the queue is read. Then rows tell it, and one for the number would stay beside them.
    if (open && isInRows && !hadRows && !waiters.queue.isEmpty() &&
        WaiterCertainty(open->detail) == WaiterCertainty::AtLeast && at - open->from < queueReadWithin) {
        m_store.takeBack(counts);
        return;
    }
    m_store.end(lane, counts, at, isTold ? SliceEnd::Changed : SliceEnd::Unwatched);
    if (count > 0)
        m_store.append(lane, counts, {.from = at, .value = count, .detail = quint16(waiters.certainty)});
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
// How a LockHistory grows, and what it drops.
#include "core/history/lockhistory.h"

#include "core/base/disposal.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// Of the 49 days that a slice's times can tell, so many are used before the base moves.
constexpr qint64 mostFromBase = qint64(1) << 31;
constexpr qint64 keptOnRebase = qint64(1) << 30;
/// Before the first event: nothing that is told lies further back.
constexpr qint64 beforeFirstMs = 60'000;
constexpr size_t mostHistoryGaps = 1'000;
constexpr size_t mostHistoryMoments = 1'000;

bool endsHolds(EventKind kind)
{
    return kind == EventKind::Released || kind == EventKind::Expired || kind == EventKind::Vanished ||
           kind == EventKind::Forced;
}

} // namespace

LockHistory::LockHistory(qint64 most, qint64 mostBytes) : m_most(most), m_mostBytes(mostBytes) {}

void LockHistory::clear()
{
    const quint64 next = m_revision + 1;
    disposeElsewhere(std::exchange(*this, LockHistory(m_most, m_mostBytes)));
    m_revision = next;
}

bool LockHistory::shed()
{
    constexpr size_t atOnce = 512; // some tenths of a ms
    const size_t lanes = m_lanesByNumber.size();
    m_lanesByNumber.resize(lanes - std::min(lanes, atOnce));
    return !m_lanesByNumber.empty();
}

void LockHistory::apply(const LockDiff &diff, qint64 wallMs)
{
    for (const LockEvent &event : diff.events)
        take(event);
    const qint64 at = m_clock.now(wallMs);
    for (const WatchedLock &lock : diff.changed)
        takeWaiters(lock, at);
    for (const LockKey &key : diff.removed) {
        if (Lane *lane = find(key))
            endUnwatched(*lane, momentIn(*lane, at));
    }
    keepBounds();
}

void LockHistory::addLost(qint64 wallMs)
{
    add({MomentKind::FeedGap, {}, wallMs, {}});
}

void LockHistory::add(const Moment &moment)
{
    const qint64 at = m_clock.now(moment.wallMs);
    m_moments.push_back({moment.kind, at, moment.key, moment.text});
    if (m_moments.size() > mostHistoryMoments)
        m_moments.pop_front();
    switch (moment.kind) {
    case MomentKind::Disconnected:
        m_isDisconnected = true;
        break;
    case MomentKind::Reconnected:
        m_isDisconnected = false;
        return; // confirm() says when all was read again
    case MomentKind::FeedGap:
        break;
    default: // of nodes setUnknownSlots() tells
        return;
    }
    beginGap(at);
}

/// Of all lanes: since all was known last.
void LockHistory::beginGap(qint64 axisMs)
{
    if (!m_gaps.empty() && !m_gaps.back().toMs)
        return;
    m_gaps.push_back({m_confirmedMs > 0 ? std::min(axisMs, m_confirmedMs) : axisMs, {}});
    m_gapToldMs = axisMs;
    keepGaps(m_gaps);
}

/// What was before a gap that is forgotten would be said to have been seen.
void LockHistory::keepGaps(std::deque<HistoryGap> &gaps)
{
    if (gaps.size() <= mostHistoryGaps)
        return;
    m_firstMs = std::max(m_firstMs, gaps.front().toMs.value_or(m_firstMs));
    gaps.pop_front();
}

void LockHistory::setUnknownSlots(const SharedSlots &unknown, qint64 wallMs)
{
    const qint64 at = m_clock.now(wallMs);
    const bool isAll = unknown && unknown->all();
    if (isAll && !m_isAllUnknown)
        beginGap(at);
    m_isAllUnknown = isAll; // the gap ends with confirm()
    const SharedSlots some = unknown && unknown->any() && !isAll ? unknown : nullptr;
    HistoryGap *open = m_slotGaps.empty() || m_slotGaps.back().toMs ? nullptr : &m_slotGaps.back();
    if (isSameSet(open ? open->slotSet : nullptr, some))
        return;
    if (open)
        open->toMs = at;
    if (!some)
        return;
    m_slotGaps.push_back({m_confirmedMs > 0 ? std::min(at, m_confirmedMs) : at, {}, some});
    m_slotsToldMs = at;
    keepGaps(m_slotGaps);
}

void LockHistory::confirm(qint64 wallMs)
{
    const qint64 at = m_clock.at(wallMs);
    beginAt(at);
    if (m_isDisconnected || m_isAllUnknown)
        return;
    m_confirmedMs = std::max(m_confirmedMs, at);
    if (!m_gaps.empty() && !m_gaps.back().toMs && at >= m_gapToldMs)
        m_gaps.back().toMs = at;
}

/// The first time anything is told.
void LockHistory::beginAt(qint64 axisMs)
{
    if (m_baseMs != 0)
        return;
    m_baseMs = axisMs - beforeFirstMs;
    m_firstMs = axisMs;
}

void LockHistory::take(const LockEvent &event)
{
    const qint64 axisMs = m_clock.take(event.wallMs);
    beginAt(axisMs);
    if (axisMs - m_baseMs > mostFromBase)
        rebase(axisMs);
    Lane &lane = laneOf(event.address.key, event.family);
    // It may come after the removal of its lock: then it says how what was open ended.
    const bool isLate = lane.isUnwatched && endsHolds(event.kind);
    const quint32 removedMs = lane.lastMs;
    if (isLate)
        lane.lastMs = lane.watchedMs;
    const quint32 at = momentIn(lane, axisMs);
    lane.family = event.family;
    const quint32 sure = sureUntil(lane, event, at);
    switch (event.kind) {
    case EventKind::Found:
        addUnknown(lane, sure, at);
        beginHolds(lane, event, at, SliceBegin::Found);
        break;
    case EventKind::Acquired:
        if (sure < at)
            track(lane, SliceKind::Unknown, 0); // also in a new lane
        addUnknown(lane, sure, at);
        beginHolds(lane, event, at, SliceBegin::Seen);
        break;
    case EventKind::OwnerChanged:
        endAll(lane, SliceKind::Hold, sure, SliceEnd::OwnerChanged);
        endAll(lane, SliceKind::Lease, sure, SliceEnd::OwnerChanged);
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
    case EventKind::Forced:
        endHolds(lane, event, at, SliceEnd::Forced);
        mark(lane, at, SliceEnd::Forced);
        break;
    }
    lane.isUnwatched = isLate && event.others > 0;
    lane.watchedMs = at;
    lane.lastMs = lane.isUnwatched ? std::max(at, removedMs) : at;
    if (!lane.isUnwatched)
        tellWithoutRow(lane, event.others, at);
    if (std::ranges::all_of(lane.tracks, &SliceTrack::isEmpty))
        forget(lane);
}

/// Up to when the lane is as it was before the event: from there to the event it may have happened at any time.
quint32 LockHistory::sureUntil(const Lane &lane, const LockEvent &event, quint32 at) const
{
    quint32 sure = at;
    if (event.unseenFor == milliseconds::max())
        sure = lane.lastMs;
    else if (event.unseenFor > milliseconds(0))
        sure = quint32(std::max<qint64>(qint64(at) - event.unseenFor.count(), lane.lastMs));
    if (const auto gap = openGapOf(lane))
        sure = std::min(sure, std::max(fromBase(*gap), lane.lastMs));
    if (event.kind == EventKind::Found && sure == at && (lane.lastMs > 0 || lane.isUnwatched))
        sure = lane.lastMs;
    return sure;
}

/// Where the gap began that goes on, and since which nothing of the lane was read.
std::optional<qint64> LockHistory::openGapOf(const Lane &lane) const
{
    std::optional<qint64> from;
    const auto goesOn = [&](const auto &gaps, qint64 toldMs) {
        return !gaps.empty() && !gaps.back().toMs && lane.lastMs <= fromBase(toldMs);
    };
    if (goesOn(m_gaps, m_gapToldMs))
        from = m_gaps.back().fromMs;
    if (goesOn(m_slotGaps, m_slotsToldMs)) {
        if (const auto its = slotGapsOf(lane.key); !its.empty() && !its.back().toMs)
            from = std::min(from.value_or(its.back().fromMs), its.back().fromMs);
    }
    return from;
}

void LockHistory::append(Lane &lane, SliceTrack &track, SliceRecord record)
{
    track.append(record);
    ++m_revision;
    if (record.to == SliceRecord::isOpen)
        ++m_open;
    else
        addToOrder(lane, track);
}

void LockHistory::addToOrder(const Lane &lane, const SliceTrack &track)
{
    const auto index = quint32(&track - lane.tracks.data());
    m_order.push_back({lane.number & 0x3ff'ffff, index & 0x3f});
}

/// Not while lanes are changed.
void LockHistory::keepBounds()
{
    while (slices() > m_most || (m_bytes > m_mostBytes && slices() > 1))
        dropOldest();
}

void LockHistory::dropOldest()
{
    if (m_order.empty()) {
        dropLane();
        return;
    }
    const Place place = m_order.front();
    m_order.pop_front();
    Lane &lane = m_lanesByNumber[place.lane];
    m_firstMs = std::max(m_firstMs, toAxis(dropFirst(lane.tracks[place.track]).to));
    if (std::ranges::all_of(lane.tracks, &SliceTrack::isEmpty))
        forget(lane);
}

/// All that is kept goes on: a lane that had lost some of it would say that nobody held the lock.
void LockHistory::dropLane()
{
    const auto isEmpty = [](const Lane &lane) {
        return std::ranges::all_of(lane.tracks, &SliceTrack::isEmpty);
    };
    do {
        m_nextDropped = (m_nextDropped + 1) % m_lanesByNumber.size();
    } while (isEmpty(m_lanesByNumber[m_nextDropped]));
    Lane &lane = m_lanesByNumber[m_nextDropped];
    for (SliceTrack &each : lane.tracks) {
        for (; !each.isEmpty(); --m_open)
            m_firstMs = std::max(m_firstMs, toAxis(dropFirst(each).from));
    }
    forget(lane);
}

SliceRecord LockHistory::dropFirst(SliceTrack &track)
{
    const SliceRecord first = track.takeFirst();
    releaseValue(track.kind(), first.value);
    ++m_dropped;
    return first;
}

void LockHistory::forget(Lane &lane)
{
    m_bytes -= lane.key.bytes.size() + qint64(sizeof(Lane));
    m_lanes.remove(lane.key);
    m_freeLanes.push_back(lane.number);
    lane.key = {};
    lane.tracks = {};
}

void LockHistory::releaseValue(SliceKind kind, quint32 value)
{
    if (kind != SliceKind::Hold && kind != SliceKind::Wait)
        return;
    const qint64 bytes = m_owners.at(value).bytes.size();
    if (m_owners.release(value))
        m_bytes -= bytes;
}

quint32 LockHistory::ownerNumber(const OwnerId &owner)
{
    const auto [number, isNew] = m_owners.add(owner);
    m_bytes += isNew ? owner.bytes.size() : 0;
    return number;
}

LockHistory::Lane &LockHistory::laneOf(const LockKey &key, Family family)
{
    if (Lane *known = find(key))
        return *known;
    quint32 number = 0;
    if (m_freeLanes.empty()) {
        number = quint32(m_lanesByNumber.size());
        m_lanesByNumber.emplace_back();
    } else {
        number = m_freeLanes.back();
        m_freeLanes.pop_back();
    }
    Lane &lane = m_lanesByNumber[number];
    lane = {};
    lane.key = key;
    lane.family = family;
    lane.number = number;
    m_lanes.insert(key, number);
    m_bytes += key.bytes.size() + qint64(sizeof(Lane));
    return lane;
}

LockHistory::Lane *LockHistory::find(const LockKey &key)
{
    const auto found = m_lanes.constFind(key);
    return found == m_lanes.cend() ? nullptr : &m_lanesByNumber[*found];
}

const LockHistory::Lane *LockHistory::find(const LockKey &key) const
{
    return const_cast<LockHistory *>(this)->find(key);
}

SliceTrack &LockHistory::track(Lane &lane, SliceKind kind, int row)
{
    for (SliceTrack &each : lane.tracks) {
        if (each.kind() == kind && each.row() == row)
            return each;
    }
    // Over the hours a lane has had slices of most kinds, though few at a time.
    const auto unused = std::ranges::find_if(lane.tracks, &SliceTrack::isEmpty);
    if (unused != lane.tracks.end())
        return *unused = SliceTrack(kind, quint8(row));
    lane.tracks.reserve(lane.tracks.size() + 1);
    return lane.tracks.emplace_back(kind, quint8(row));
}

const SliceTrack *LockHistory::track(const Lane &lane, SliceKind kind, int row)
{
    for (const SliceTrack &each : lane.tracks) {
        if (each.kind() == kind && each.row() == row)
            return &each;
    }
    return nullptr;
}

quint32 LockHistory::fromBase(qint64 axisMs) const
{
    return quint32(std::clamp<qint64>(axisMs - m_baseMs, 0, SliceRecord::isOpen - 1));
}

quint32 LockHistory::momentIn(Lane &lane, qint64 axisMs)
{
    return std::max(fromBase(axisMs), lane.lastMs);
}

/// Times are told from a later base: what began before it begins there. `axisMs`: now, which may be years later.
void LockHistory::rebase(qint64 axisMs)
{
    const qint64 by = axisMs - m_baseMs - keptOnRebase;
    const auto moved = [by](quint32 ms) {
        return ms == SliceRecord::isOpen ? ms : quint32(std::max<qint64>(ms - by, 0));
    };
    for (Lane &lane : m_lanesByNumber) {
        lane.lastMs = moved(lane.lastMs);
        lane.watchedMs = moved(lane.watchedMs);
        lane.firstWaitersMs = moved(lane.firstWaitersMs);
        lane.lastWaitersMs = moved(lane.lastWaitersMs);
        for (SliceTrack &each : lane.tracks) {
            for (size_t i = 0; i < each.size(); ++i) {
                each.at(i).from = moved(each.at(i).from);
                each.at(i).to = moved(each.at(i).to);
            }
        }
    }
    m_baseMs += by;
    m_firstMs = std::max(m_firstMs, m_baseMs);
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/slicestore.h"

#include <algorithm>

namespace lockscope {

namespace {

/// The part of the 49 days of a slice's time range used before the base moves.
constexpr qint64 maxFromBase = qint64(1) << 31;
constexpr qint64 keptOnRebase = qint64(1) << 30;
/// Before the first event; no later report is earlier.
constexpr qint64 beforeFirstMs = 60'000;

} // namespace

bool SliceLane::isEmpty() const
{
    return std::ranges::all_of(tracks, &SliceTrack::isEmpty);
}

int SliceLane::waitRows() const
{
    return int(std::ranges::count_if(tracks, [](const SliceTrack &each) {
        return !each.isEmpty() && (each.kind() == SliceKind::Wait || each.kind() == SliceKind::WaitCount);
    }));
}

SliceTrack &SliceLane::track(SliceKind kind, int row)
{
    if (const SliceTrack *known = find(kind, row))
        return const_cast<SliceTrack &>(*known);
    // Over the hours a lane has had slices of most kinds, though few at a time.
    const auto unused = std::ranges::find_if(tracks, &SliceTrack::isEmpty);
    if (unused != tracks.end())
        return *unused = SliceTrack(kind, quint8(row));
    tracks.reserve(tracks.size() + 1);
    return tracks.emplace_back(kind, quint8(row));
}

const SliceTrack *SliceLane::find(SliceKind kind, int row) const
{
    for (const SliceTrack &each : tracks) {
        if (each.kind() == kind && each.row() == row)
            return &each;
    }
    return nullptr;
}

std::optional<quint32> SliceLane::foundAt() const
{
    const SliceTrack *holds = find(SliceKind::Hold, 0);
    if (!holds || holds->isEmpty() || holds->at(0).begin != SliceBegin::Found)
        return std::nullopt;
    const SliceTrack *unknown = find(SliceKind::Unknown, 0);
    const bool isFirst = !unknown || unknown->isEmpty() || unknown->at(0).from > holds->at(0).from;
    return isFirst ? std::optional(holds->at(0).from) : std::nullopt;
}

void SliceLane::noteReading(bool nowTellsWaiters, quint32 at)
{
    if (nowTellsWaiters)
        firstWaitersMs = std::min(firstWaitersMs, at);
    if (nowTellsWaiters || tellsWaiters)
        lastWaitersMs = at;
    tellsWaiters = nowTellsWaiters;
}

SliceStore::SliceStore(qint64 most, qint64 maxBytes, quint64 revision)
    : m_most(most), m_mostBytes(maxBytes), m_revision(revision)
{
}

bool SliceStore::shed()
{
    constexpr size_t atOnce = 512; // some tenths of a ms
    m_lanes.resize(m_lanes.size() - std::min(m_lanes.size(), atOnce));
    return !m_lanes.empty();
}

void SliceStore::reach(qint64 axisMs)
{
    if (m_baseMs == 0) {
        m_baseMs = axisMs - beforeFirstMs;
        m_firstMs = axisMs;
    } else if (axisMs - m_baseMs > maxFromBase) {
        rebase(axisMs);
    }
}

quint32 SliceStore::fromBase(qint64 axisMs) const
{
    return quint32(std::clamp<qint64>(axisMs - m_baseMs, 0, SliceRecord::isOpen - 1));
}

SliceLane &SliceStore::lane(const LockKey &key, Family family)
{
    if (SliceLane *known = find(key))
        return *known;
    quint32 number = 0;
    if (m_freeLanes.empty()) {
        number = quint32(m_lanes.size());
        m_lanes.emplace_back();
    } else {
        number = m_freeLanes.back();
        m_freeLanes.pop_back();
    }
    SliceLane &made = m_lanes[number];
    made = {};
    made.key = key;
    made.family = family;
    made.number = number;
    m_lanesByKey.insert(key, number);
    m_bytes += key.bytes.size() + qint64(sizeof(SliceLane));
    return made;
}

SliceLane *SliceStore::find(const LockKey &key)
{
    const auto found = m_lanesByKey.constFind(key);
    return found == m_lanesByKey.cend() ? nullptr : &m_lanes[*found];
}

const SliceLane &SliceStore::at(const LockKey &key) const
{
    static const SliceLane none;
    const SliceLane *known = find(key);
    return known ? *known : none;
}

quint32 SliceStore::use(const OwnerId &owner)
{
    const auto [number, isNew] = m_owners.add(owner);
    m_bytes += isNew ? owner.bytes.size() : 0;
    return number;
}

void SliceStore::append(SliceLane &lane, SliceTrack &track, SliceRecord record)
{
    track.append(record);
    ++m_revision;
    if (record.to == SliceRecord::isOpen)
        ++m_open;
    else
        addToOrder(lane, track);
}

void SliceStore::end(SliceLane &lane, SliceTrack &track, quint32 at, SliceEnd how)
{
    if (SliceRecord *open = track.open()) {
        open->to = std::max(at, open->from);
        open->end = how;
        --m_open;
        ++m_revision;
        addToOrder(lane, track);
    }
}

void SliceStore::endAll(SliceLane &lane, SliceKind kind, quint32 at, SliceEnd how)
{
    for (SliceTrack &each : lane.tracks) {
        if (each.kind() == kind)
            end(lane, each, at, how);
    }
}

void SliceStore::takeBack(SliceTrack &track)
{
    track.dropLast();
    --m_open;
    ++m_revision;
}

void SliceStore::addToOrder(const SliceLane &lane, const SliceTrack &track)
{
    const auto index = quint32(&track - lane.tracks.data());
    m_order.push_back({lane.number & 0x3ff'ffff, index & 0x3f});
}

void SliceStore::keepBounds()
{
    while (slices() > m_most || (m_bytes > m_mostBytes && slices() > 1))
        dropOldest();
}

void SliceStore::dropOldest()
{
    if (m_order.empty()) {
        dropLane();
        return;
    }
    const Place place = m_order.front();
    m_order.pop_front();
    SliceLane &lane = m_lanes[place.lane];
    m_firstMs = std::max(m_firstMs, toAxis(dropFirst(lane.tracks[place.track]).to));
    forgetIfEmpty(lane);
}

/// Drops a whole lane once only open slices are left: a partial one would falsely show a free lock.
void SliceStore::dropLane()
{
    do {
        m_nextDropped = (m_nextDropped + 1) % m_lanes.size();
    } while (m_lanes[m_nextDropped].isEmpty());
    SliceLane &lane = m_lanes[m_nextDropped];
    for (SliceTrack &each : lane.tracks) {
        for (; !each.isEmpty(); --m_open)
            m_firstMs = std::max(m_firstMs, toAxis(dropFirst(each).from));
    }
    forgetIfEmpty(lane);
}

SliceRecord SliceStore::dropFirst(SliceTrack &track)
{
    const SliceRecord first = track.takeFirst();
    if (track.kind() == SliceKind::Hold || track.kind() == SliceKind::Wait) {
        const qint64 bytes = m_owners.at(first.value).bytes.size();
        if (m_owners.release(first.value))
            m_bytes -= bytes;
    }
    ++m_dropped;
    return first;
}

void SliceStore::forgetIfEmpty(SliceLane &lane)
{
    if (!lane.isEmpty())
        return;
    m_bytes -= lane.key.bytes.size() + qint64(sizeof(SliceLane));
    m_lanesByKey.remove(lane.key);
    m_freeLanes.push_back(lane.number);
    lane.key = {};
    lane.tracks = {};
}

/// Moves the base: earlier slices then begin there. `axisMs`: now, perhaps years later.
void SliceStore::rebase(qint64 axisMs)
{
    const qint64 by = axisMs - m_baseMs - keptOnRebase;
    const auto moved = [by](quint32 ms) {
        return ms == SliceRecord::isOpen ? ms : quint32(std::max<qint64>(ms - by, 0));
    };
    for (SliceLane &lane : m_lanes) {
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/certainty.h"
#include "core/recording/lockfields.h"
#include "core/recording/segment.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using recordingcodes::Frame;

void SegmentWriter::beginFrame(int kind, TimePoint at, qint64 wallMs)
{
    const qint64 toldAt = std::chrono::floor<milliseconds>(at - m_epoch).count();
    const qint64 atMs = std::max(toldAt, m_frameAt);
    wallMs += atMs - toldAt;            // so that the wall clock is not said to have been set back
    if (m_fields.numbers().isEmpty()) { // a chunk begins
        m_first = m_frameAt = atMs;
        m_firstWallMs = wallMs;
        m_wallAhead = wallMs - atMs;
    }
    // The clocks are read one after the other, and cut off to milliseconds each.
    if (const qint64 step = wallMs - atMs - m_wallAhead; step < -1 || step > 1) {
        m_fields.number(quint64(Frame::WallStep));
        m_fields.offset(step);
        m_wallAhead += step;
    }
    m_fields.number(static_cast<quint64>(kind) +
                    recordingcodes::frameKinds * static_cast<quint64>(atMs - m_frameAt));
    m_frameAt = atMs;
    ++m_frames;
}

void SegmentWriter::add(const RecordedEntry &entry)
{
    const auto moved = [this](TimePoint at) {
        return TimePoint(std::chrono::floor<milliseconds>(at - m_epoch));
    };
    if (const auto *watching = std::get_if<WatchState>(&entry.what)) {
        m_watching = *watching;
        if (auto &incident = m_watching->feed.incident)
            incident->at = moved(incident->at);
        if (m_isAnonymous) // the slot of a key tells nothing of its hash
            m_watching->unknownSlots.reset();
        return writeWatchState(entry.at, entry.wallMs);
    }
    beginFrame(static_cast<int>(entry.what.index()), entry.at, entry.wallMs);
    if (const auto *diff = std::get_if<LockDiff>(&entry.what)) {
        write(*diff, m_frameAt);
    } else if (const auto *deadlocks = std::get_if<QList<Deadlock>>(&entry.what)) {
        m_deadlocks = *deadlocks;
        lockfields::deadlocksFields(m_fields, *deadlocks);
    } else if (const auto *reset = std::get_if<ServerReset>(&entry.what)) {
        ServerReset told = *reset;
        told.at = moved(told.at);
        lockfields::resetFields(m_fields, std::as_const(told), m_frameAt);
    } else if (const auto *scan = std::get_if<ScanStats>(&entry.what)) {
        lockfields::scanFields(m_fields, *scan);
    }
}

void SegmentWriter::writeWatchState(TimePoint at, qint64 wallMs)
{
    const WatchState &watching = *m_watching;
    const Frame kind = watching.unknownSlots ? Frame::WatchStateOfSlots : Frame::WatchState;
    beginFrame(static_cast<int>(kind), at, wallMs);
    lockfields::watchingFields(m_fields, watching, m_frameAt);
    if (watching.unknownSlots)
        lockfields::slotsField(m_fields, watching.unknownSlots);
}

SegmentWriter::Place SegmentWriter::placeOf(const LockAddress &address)
{
    const auto known = m_places.constFind(address.key);
    if (known != m_places.cend() && m_slots[*known].lock.lock.address.database == address.database)
        return {*known, false};
    const auto slot = static_cast<quint32>(m_slots.size());
    RecordedSlot fresh;
    fresh.lock.lock.address = address;
    m_slots.push_back(fresh);
    m_places.insert(address.key, slot);
    return {slot, true};
}

void SegmentWriter::write(const LockDiff &diff, qint64 now)
{
    m_touched.clear();
    m_nextTouched = 0;
    m_eventAt = now;
    const auto isRecordable = [](const LockKey &key) { return key.bytes.size() <= longestRecordedText; };
    const auto changed = std::ranges::count_if(diff.changed, isRecordable, &WatchedLock::key);
    m_fields.number(changed);
    for (const WatchedLock &lock : diff.changed) {
        if (isRecordable(lock.key()))
            writeLock(lock, now);
    }
    std::vector<quint32> removed;
    for (const LockKey &key : diff.removed) {
        const auto known = m_places.constFind(key);
        if (known == m_places.cend() || !std::exchange(m_slots[*known].isThere, false))
            continue;
        removed.push_back(*known);
        --m_locks;
    }
    // They are in no order: in that of their events they are told by one number.
    QHash<quint32, size_t> order;
    if (removed.size() > 1) {
        for (const LockEvent &event : diff.events) {
            if (const auto known = m_places.constFind(event.address.key); known != m_places.cend()) {
                if (!order.contains(*known))
                    order.insert(*known, static_cast<size_t>(order.size()));
            }
        }
        std::ranges::stable_sort(removed, {}, [&](quint32 slot) { return order.value(slot, SIZE_MAX); });
    }
    m_fields.number(removed.size());
    for (const quint32 slot : removed) {
        m_fields.number(slot);
        m_touched.push_back(slot);
    }
    const auto events = std::ranges::count_if(
        diff.events, [&](const LockEvent &event) { return isRecordable(event.address.key); });
    m_fields.number(events);
    for (const LockEvent &event : diff.events) {
        if (isRecordable(event.address.key))
            writeEvent(event, now);
    }
    m_events += static_cast<quint32>(events);
    m_changesInSegment += events + changed;
}

void SegmentWriter::writeLock(const WatchedLock &lock, qint64 now)
{
    const WatchedLock after = asRecorded(lock, m_epoch);
    const Place place = placeOf(lock.lock.address);
    m_fields.number(place.isNew ? 0 : place.slot + 1);
    writeKeyOf(lock.lock.address, place);
    RecordedSlot &slot = m_slots[place.slot];
    const quint32 parts = lockfields::differences(slot.lock, after);
    m_fields.number(parts);
    lockfields::lockParts(m_fields, after, parts, now);
    slot.lock = after;
    m_locks += std::exchange(slot.isThere, true) ? 0 : 1;
    m_touched.push_back(place.slot);
}

void SegmentWriter::writeKeyOf(const LockAddress &address, Place place)
{
    if (!place.isNew)
        return;
    m_fields.text(address.key.bytes);
    m_fields.number(address.database);
}

void SegmentWriter::writeEvent(const LockEvent &told, qint64 now)
{
    const Place place = placeOf(told.address);
    const RecordedSlot &slot = m_slots[place.slot];
    const Lock &lock = slot.lock.lock;
    const bool wasSeen = slot.isThere || lock.readAt != TimePoint();
    const LockEvent event = asRecorded(
        told, m_epoch, wasSeen ? !isNoLock(lock) || !told.family.isUnknown() : !told.family.isUnknown());

    const size_t touched = m_touched.size();
    const auto next = m_touched.begin() + std::ptrdiff_t(std::min(m_nextTouched, touched));
    const bool isNext = next != m_touched.end() && *next == place.slot;
    // Beyond that, looking for it takes longer than it saves.
    const auto at = isNext || touched > 64 ? next : std::ranges::find(m_touched, place.slot);
    const bool isTold = isNext || (touched <= 64 && at != m_touched.end()); // as one of them
    if (isNext)
        m_fields.number(0);
    else if (isTold)
        m_fields.number(at - m_touched.begin() + 1);
    else
        m_fields.number(place.isNew ? touched + 1 : touched + 2 + place.slot);
    if (place.isNew)
        writeKeyOf(told.address, place);
    if (isTold) // as the reader goes on from what it was told
        m_nextTouched = static_cast<size_t>(at - m_touched.begin()) + 1;

    const qint64 atMs = msOf(event.at);
    const qint64 wallStep = event.wallMs - atMs - m_wallAhead;
    const CompactOptional<milliseconds> usualTtl = slot.isThere ? lock.ttl : CompactOptional<milliseconds>();
    quint32 head = 0;
    const auto mark = [&head](bool isMarked, quint32 bit) { head |= isMarked ? bit : 0; };
    mark(atMs != m_eventAt, recordingcodes::eventAt);
    mark(event.held.has_value(), recordingcodes::eventHeld);
    mark(event.owners != lock.owners, recordingcodes::eventOwners);
    mark(event.ttl != usualTtl, recordingcodes::eventTtl);
    mark(event.family != lock.family, recordingcodes::eventFamily);
    mark(wallStep < -1 || wallStep > 1, recordingcodes::eventWall);
    mark(event.others != 0, recordingcodes::eventOthers);
    mark(event.byOtherProgram, recordingcodes::eventOtherProgram);
    mark(event.unseenFor != milliseconds(0), recordingcodes::eventUnseen);
    mark(!event.possible.isEmpty(), recordingcodes::eventPossible);
    mark(event.wasRenewed, recordingcodes::eventRenewed);
    const auto kind = std::ranges::find(recordingcodes::events, event.kind) - recordingcodes::events.begin();
    mark(kind > 15, recordingcodes::eventKindHigh);
    m_fields.number(head | (quint32(kind) & 15));
    if (head & recordingcodes::eventAt)
        m_fields.moment(event.at, now);
    m_eventAt = atMs;
    if (head & recordingcodes::eventHeld)
        m_fields.offset(event.held->count() - (atMs - msOf(slot.lock.heldSince)));
    if (head & recordingcodes::eventOwners)
        lockfields::ownersField(m_fields, event.owners);
    if (head & recordingcodes::eventTtl) {
        CompactOptional<qint64> ttl;
        if (event.ttl)
            ttl = qint64(event.ttl->count());
        m_fields.optional(ttl);
    }
    if (head & recordingcodes::eventFamily)
        lockfields::familyField(m_fields, event.family);
    if (head & recordingcodes::eventWall)
        m_fields.offset(wallStep);
    if (head & recordingcodes::eventOthers)
        m_fields.offset(event.others);
    if (head & recordingcodes::eventUnseen)
        m_fields.offset(event.unseenFor == milliseconds::max()
                            ? -1
                            : std::clamp<qint64>(event.unseenFor.count(), 0, farthestMs));
    if (head & recordingcodes::eventPossible)
        lockfields::endsField(m_fields, event.possible);
}

ChunkStreams SegmentWriter::take(ChunkHeader &header)
{
    header.first = m_first;
    header.last = std::max(header.last, m_frameAt);
    header.wallMs = m_firstWallMs;
    header.events = std::exchange(m_events, 0);
    header.isWatched = isWatched();
    ChunkStreams streams{m_fields.numbers(), m_fields.newTexts()};
    m_fields.clear();
    m_frames = 0;
    return streams;
}

ChunkStreams SegmentWriter::takeChanges(ChunkHeader &header)
{
    header.type = ChunkHeader::Type::Changes;
    return take(header);
}

ChunkStreams SegmentWriter::takeKeyframe(TimePoint at, qint64 wallMs, ChunkHeader &header)
{
    dropPending();
    m_fields.forget();
    m_places.clear();
    m_locks = 0;
    const std::vector<RecordedSlot> before = std::exchange(m_slots, {});
    const auto begin = [&](Frame kind) { beginFrame(static_cast<int>(kind), at, wallMs); };
    if (m_watching)
        writeWatchState(at, wallMs);
    begin(Frame::Deadlocks);
    lockfields::deadlocksFields(m_fields, std::as_const(m_deadlocks));
    begin(Frame::Changes);
    m_touched.clear();
    const auto there = std::ranges::count_if(before, &RecordedSlot::isThere);
    m_fields.number(there);
    for (const RecordedSlot &slot : before) {
        if (!slot.isThere)
            continue;
        const Place place = placeOf(slot.lock.lock.address);
        m_fields.number(0);
        writeKeyOf(slot.lock.lock.address, place);
        const quint32 parts = lockfields::differences(m_slots[place.slot].lock, slot.lock);
        m_fields.number(parts);
        lockfields::lockParts(m_fields, slot.lock, parts, m_frameAt);
        m_slots[place.slot] = slot;
        ++m_locks;
    }
    m_fields.number(0); // none is removed, and nothing has happened
    m_fields.number(0);
    m_changesInSegment = 0;
    header.type = ChunkHeader::Type::Keyframe;
    header.place = 0;
    return take(header);
}

void SegmentWriter::dropPending()
{
    m_fields.clear();
    m_events = m_frames = 0;
}

} // namespace lockscope

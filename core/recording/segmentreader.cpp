// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/lockfields.h"
#include "core/recording/segment.h"

namespace lockscope {

namespace {

/// Limit of a writer's segment.
constexpr size_t maxRecordedSlots = 1'500'000;
/// Limit of a writer's chunk: each change takes some hundred bytes in memory, even if few in the file.
constexpr quint32 maxChangesOfChunk = 1'500'000;
constexpr quint32 maxEventsOfChunk = 1'500'000;
constexpr quint32 maxFramesOfChunk = 4 * SegmentWriter::manyFrames;

} // namespace

bool SegmentReader::apply(const ChunkHeader &header, const ChunkStreams &streams, qint64 until,
                          const Told &reported)
{
    if (header.type == ChunkHeader::Type::Keyframe) {
        m_fields.forget();
        m_slots.clear();
        m_deadlocks.clear();
        m_watching = {};
    }
    m_fields.setInput(streams.numbers, streams.texts);
    m_now = header.first;
    m_wallAhead = header.wallMs - header.first;
    m_eventsLeft = std::min(header.events, maxEventsOfChunk);
    m_changesLeft = maxChangesOfChunk;
    quint32 framesLeft = maxFramesOfChunk;
    while (m_fields.isGood() && !m_fields.atEnd()) {
        quint64 head = 0;
        m_fields.number(head);
        const quint64 passed = head / recordingcodes::frameKinds;
        if (passed > static_cast<quint64>(std::max<qint64>(header.last - m_now, 0)))
            return false;
        if (m_now + qint64(passed) > until)
            return true;
        m_now += qint64(passed);
        if (framesLeft-- == 0)
            return false;
        switch (static_cast<recordingcodes::Frame>(head % recordingcodes::frameKinds)) {
        case recordingcodes::Frame::Changes:
            readChanges(reported);
            break;
        case recordingcodes::Frame::WatchState:
            readWatchState(false, reported);
            break;
        case recordingcodes::Frame::WatchStateOfSlots:
            readWatchState(true, reported);
            break;
        case recordingcodes::Frame::Deadlocks: {
            QList<Deadlock> deadlocks;
            tellValue(
                deadlocks, [&] { lockfields::deadlocksFields(m_fields, deadlocks); }, reported);
            m_deadlocks = deadlocks;
            break;
        }
        case recordingcodes::Frame::Reset: {
            ServerReset reset;
            tellValue(
                reset, [&] { lockfields::resetFields(m_fields, reset, m_now); }, reported);
            break;
        }
        case recordingcodes::Frame::Scan: {
            ScanStats stats;
            tellValue(
                stats, [&] { lockfields::scanFields(m_fields, stats); }, reported);
            break;
        }
        case recordingcodes::Frame::WallStep: {
            qint64 step = 0;
            m_fields.offset(step);
            if (step < -farthestMs || step > farthestMs || std::abs(m_wallAhead + step) > farthestMs)
                return false;
            m_wallAhead += step;
            break;
        }
        default:
            return false;
        }
    }
    return m_fields.isGood();
}

template <typename Value, typename Read>
void SegmentReader::tellValue(Value &value, const Read &read, const Told &reported)
{
    read();
    if (reported && m_fields.isGood())
        reported({TimePoint(milliseconds(m_now)), wallMs(), value});
}

void SegmentReader::readWatchState(bool hasSlots, const Told &reported)
{
    WatchState watching;
    const auto read = [&] {
        lockfields::watchingFields(m_fields, watching, m_now);
        if (hasSlots)
            lockfields::slotsField(m_fields, watching.unknownSlots);
    };
    tellValue(watching, read, reported);
    m_watching = watching;
}

quint32 SegmentReader::readNewSlot()
{
    RecordedSlot fresh;
    m_fields.text(fresh.lock.lock.address.key.bytes);
    m_fields.number(fresh.lock.lock.address.database);
    if (m_slots.size() >= maxRecordedSlots)
        m_fields.fail();
    if (m_fields.isGood())
        m_slots.push_back(std::move(fresh));
    return static_cast<quint32>(m_slots.size()) - 1;
}

/// Fails if the count exceeds `left`, and subtracts it.
void SegmentReader::takeCount(quint32 &count, quint32 &left)
{
    m_fields.number(count);
    if (count > left)
        m_fields.fail();
    if (!m_fields.isGood())
        count = 0;
    left -= count;
}

void SegmentReader::readChanges(const Told &reported)
{
    LockDiff diff;
    m_touched.clear();
    m_nextTouched = 0;
    m_eventAt = m_now;
    quint32 count = 0;
    takeCount(count, m_changesLeft);
    for (quint32 i = 0; i < count && m_fields.isGood(); ++i) {
        quint32 which = 0;
        m_fields.number(which);
        const quint32 slot = which == 0 && m_fields.isGood() ? readNewSlot() : which - 1;
        quint32 parts = 0;
        m_fields.number(parts);
        if (slot >= m_slots.size() || parts > lockfields::AllParts)
            m_fields.fail();
        if (!m_fields.isGood())
            return;
        lockfields::lockParts(m_fields, m_slots[slot].lock, parts, m_now);
        m_slots[slot].isThere = true;
        m_touched.push_back(slot);
        if (reported)
            diff.changed.append(m_slots[slot].lock);
    }
    takeCount(count, m_changesLeft);
    for (quint32 i = 0; i < count && m_fields.isGood(); ++i) {
        quint32 slot = 0;
        m_fields.number(slot);
        if (slot >= m_slots.size())
            return m_fields.fail();
        m_slots[slot].isThere = false;
        m_touched.push_back(slot);
        if (reported)
            diff.removed.append(m_slots[slot].lock.key());
    }
    takeCount(count, m_eventsLeft);
    for (quint32 i = 0; i < count && m_fields.isGood(); ++i)
        readEvent(reported ? &diff : nullptr);
    if (reported && m_fields.isGood())
        reported({TimePoint(milliseconds(m_now)), wallMs(), std::move(diff)});
}

void SegmentReader::readEvent(LockDiff *diff)
{
    quint64 which = 0;
    m_fields.number(which);
    const size_t touched = m_touched.size();
    quint64 slotIndex = m_slots.size();
    if (which <= touched) {
        const size_t place = which == 0 ? m_nextTouched : which - 1;
        if (place < touched) {
            slotIndex = m_touched[place];
            m_nextTouched = place + 1;
        }
    } else {
        slotIndex = which == touched + 1 ? readNewSlot() : which - touched - 2;
    }
    quint32 head = 0;
    m_fields.number(head);
    const size_t kind = (head & 15) + (head & recordingcodes::eventKindHigh ? 16 : 0);
    if (slotIndex >= m_slots.size() || kind >= recordingcodes::events.size())
        m_fields.fail();
    if (!m_fields.isGood())
        return;
    const RecordedSlot &slot = m_slots[slotIndex];
    const Lock &lock = slot.lock.lock;
    TimePoint at{milliseconds(m_eventAt)};
    if (head & recordingcodes::eventAt)
        m_fields.moment(at, m_now);
    m_eventAt = msOf(at);
    qint64 held = 0;
    if (head & recordingcodes::eventHeld)
        m_fields.offset(held);
    QList<LockOwner> owners;
    if (head & recordingcodes::eventOwners)
        lockfields::ownersField(m_fields, owners);
    CompactOptional<qint64> ttl;
    if (head & recordingcodes::eventTtl)
        m_fields.optional(ttl);
    Family family;
    if (head & recordingcodes::eventFamily)
        lockfields::familyField(m_fields, family);
    qint64 wallStep = 0;
    if (head & recordingcodes::eventWall)
        m_fields.offset(wallStep);
    qint64 others = 0;
    if (head & recordingcodes::eventOthers)
        m_fields.offset(others);
    qint64 unseen = 0;
    if (head & recordingcodes::eventUnseen)
        m_fields.offset(unseen);
    if (unseen < -1 || unseen > farthestMs)
        m_fields.fail();
    EndKinds possible;
    if (head & recordingcodes::eventPossible)
        lockfields::endsField(m_fields, possible);
    if (std::max({std::abs(held / 2), std::abs(wallStep / 2), std::abs(others / 2)}) > farthestMs)
        m_fields.fail();
    if (!diff || !m_fields.isGood())
        return;
    LockEvent event;
    event.kind = recordingcodes::events[kind];
    event.address = lock.address;
    event.family = head & recordingcodes::eventFamily ? family : lock.family;
    event.owners = head & recordingcodes::eventOwners ? owners : lock.owners;
    if (!(head & recordingcodes::eventTtl))
        event.ttl = slot.isThere ? lock.ttl : CompactOptional<milliseconds>();
    else if (ttl)
        event.ttl = milliseconds(*ttl);
    event.at = at;
    event.wallMs = m_eventAt + m_wallAhead + wallStep;
    event.others = static_cast<int>(std::clamp<qint64>(others, 0, std::numeric_limits<int>::max()));
    event.byOtherProgram = head & recordingcodes::eventOtherProgram;
    event.wasRenewed = head & recordingcodes::eventRenewed;
    event.possible = possible;
    event.unseenFor = unseen < 0 ? milliseconds::max() : milliseconds(unseen);
    if (head & recordingcodes::eventHeld)
        event.held = milliseconds(held + m_eventAt - msOf(slot.lock.heldSince));
    diff->events.append(std::move(event));
}

} // namespace lockscope

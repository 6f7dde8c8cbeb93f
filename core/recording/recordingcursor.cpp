// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recording.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace lockscope {

namespace {

/// The entry on the reader's axis.
RecordedEntry shiftedEntry(RecordedEntry entry, Clock::duration by)
{
    entry.at += by;
    if (auto *diff = std::get_if<LockDiff>(&entry.what)) {
        for (WatchedLock &lock : diff->changed)
            lock = shifted(std::move(lock), by);
        for (LockEvent &event : diff->events)
            event.at += by;
    } else if (auto *watching = std::get_if<WatchState>(&entry.what)) {
        if (watching->feed.incident)
            watching->feed.incident->at += by;
    } else if (auto *reset = std::get_if<ServerReset>(&entry.what)) {
        reset->at += by;
    }
    return entry;
}

LockEvent eventAcross(EventKind kind, const Lock &lock, TimePoint at, qint64 wallMs, milliseconds gap)
{
    LockEvent event;
    event.kind = kind;
    event.address = lock.address;
    event.family = lock.family;
    event.owners = lock.owners;
    event.ttl = kind == EventKind::Vanished ? CompactOptional<milliseconds>() : lock.ttl;
    event.at = at;
    event.wallMs = wallMs;
    event.unseenFor = gap;
    return event;
}

} // namespace

RecordingCursor::RecordingCursor(const Recording &recording, milliseconds from, TimePoint as,
                                 AcrossGaps acrossGaps)
    : m_recording(recording),
      m_acrossGaps(acrossGaps),
      m_from(std::clamp(from, milliseconds(0), recording.m_length)),
      m_zero(as - m_from)
{
    m_begin = m_next = recording.keyframeOf(recording.chunkAt(m_from));
}

Clock::duration RecordingCursor::shiftOf(const Recording::Chunk &chunk) const
{
    return m_zero.time_since_epoch() + milliseconds(chunk.shift);
}

RecordedSnapshot RecordingCursor::begin()
{
    RecordedSnapshot picture = beginWithoutLocks();
    Recording::fillLocks(picture, m_segment.places(), shiftOf(m_recording.m_chunks[m_next - 1]));
    return picture;
}

RecordedSnapshot RecordingCursor::beginWithoutLocks()
{
    const size_t at = m_recording.chunkAt(m_from);
    // A keyframe is what was known where it begins.
    while (m_next == m_begin || (m_next < at && m_recording.isWanted()))
        readChunk();
    const Recording::Chunk &last = m_recording.m_chunks[m_next - 1];
    RecordedSnapshot picture;
    picture.at = m_zero + m_from;
    picture.wallMs = m_recording.wallAt(m_from);
    picture.isRecorded = !m_isBroken;
    Recording::fill(picture, m_segment, shiftOf(last));
    for (size_t i = m_begin; i < m_next; ++i) {
        const Recording::Chunk &chunk = m_recording.m_chunks[i];
        const qint64 confirmed = chunk.header.confirmed + chunk.shift;
        if (chunk.header.confirmed != ChunkHeader::notConfirmed && confirmed <= m_from.count())
            picture.confirmedAt = m_zero + milliseconds(confirmed);
    }
    return picture;
}

std::optional<RecordingCursor::Step> RecordingCursor::next()
{
    while (m_steps.empty() && m_next < m_recording.m_chunks.size() && m_recording.isWanted())
        readChunk();
    if (m_steps.empty() && m_isBroken && !std::exchange(m_isEndTold, true)) {
        RecordingGap gap{.cause = GapCause::Damaged, .from = m_brokenFrom, .to = m_recording.length()};
        gap.wallFromMs = m_recording.wallAt(gap.from);
        gap.wallToMs = m_recording.wallAt(gap.to);
        return gap;
    }
    if (m_steps.empty())
        return std::nullopt;
    Step step = std::move(m_steps.front());
    m_steps.pop_front();
    return step;
}

milliseconds RecordingCursor::momentOf(const Step &step) const
{
    if (const auto *gap = std::get_if<RecordingGap>(&step))
        return gap->from;
    const auto *entry = std::get_if<RecordedEntry>(&step);
    return std::chrono::floor<milliseconds>((entry ? entry->at : std::get<RecordedConfirmation>(step).at) -
                                            m_zero);
}

void RecordingCursor::tellGap(size_t chunk)
{
    RecordingGap gap = m_recording.gapBefore(chunk);
    if (m_isBroken)
        gap.from = std::min(gap.from, m_brokenFrom);
    gap.wallFromMs = m_recording.wallAt(gap.from);
    gap.wallToMs = m_recording.wallAt(gap.to);
    if (m_isBroken)
        gap.cause = GapCause::Damaged;
    if (gap.cause != GapCause::None && chunk > 0 && gap.to >= m_from)
        m_steps.push_back(gap);
}

void RecordingCursor::readChunk()
{
    const size_t index = m_next++;
    const Recording::Chunk &chunk = m_recording.m_chunks[index];
    const bool isKeyframe = chunk.header.type == ChunkHeader::Type::Keyframe;
    if (m_isBroken && !isKeyframe)
        return;
    const auto streams = m_recording.streamsOf(chunk);
    if (m_isBroken && !streams) // since when it is so has not been told yet
        return;
    if (streams && isKeyframe) {
        readKeyframe(chunk, *streams);
        return tellConfirmation(chunk);
    }
    const auto tell = [&](const RecordedEntry &entry) {
        if (milliseconds(msOf(entry.at) + chunk.shift) < m_from)
            return;
        m_steps.push_back(shiftedEntry(entry, shiftOf(chunk)));
        if (!m_unseen.isEmpty())
            followUnseen(entry, chunk);
    };
    // What nobody is told of is not made.
    const bool isBefore = milliseconds(Recording::lastOf(chunk)) < m_from;
    setBroken(!streams || !m_segment.apply(chunk.header, *streams, std::numeric_limits<qint64>::max(),
                                           isBefore ? SegmentReader::Told() : tell),
              chunk);
    tellConfirmation(chunk);
}

void RecordingCursor::tellConfirmation(const Recording::Chunk &chunk)
{
    const qint64 at = chunk.header.confirmed + chunk.shift;
    if (m_isBroken || chunk.header.confirmed == ChunkHeader::notConfirmed || at <= m_confirmed ||
        milliseconds(at) < m_from)
        return;
    m_confirmed = at;
    m_steps.push_back(RecordedConfirmation{m_zero + milliseconds(at)});
}

/// From this chunk on nothing is known until a keyframe.
void RecordingCursor::setBroken(bool isBroken, const Recording::Chunk &chunk)
{
    m_isBroken = isBroken;
    if (isBroken)
        m_brokenFrom = milliseconds(Recording::firstOf(chunk));
}

/// At a run's begin missing locks may not be read yet. Once all are, the others are gone.
void RecordingCursor::followUnseen(const RecordedEntry &entry, const Recording::Chunk &chunk)
{
    if (const auto *diff = std::get_if<LockDiff>(&entry.what)) {
        for (const WatchedLock &lock : diff->changed)
            m_unseen.remove(lock.key());
    }
    const auto *watching = std::get_if<WatchState>(&entry.what);
    if (!watching || !watching->isCurrent())
        return;
    const milliseconds moment(msOf(entry.at) + chunk.shift);
    LockDiff gone;
    for (const Lock &lock : std::exchange(m_unseen, {}))
        gone.events.append(
            eventAcross(EventKind::Vanished, lock, entry.at, entry.wallMs, moment - m_unseenFrom));
    m_steps.push_back(shiftedEntry({entry.at, entry.wallMs, gone}, shiftOf(chunk)));
}

/// Differences after a gap, which happened at an unknown time in it. Missing locks are gone, except unseen
/// ones.
QList<LockEvent> RecordingCursor::eventsAcross(const QHash<LockKey, Lock> &before, const LockDiff &diff,
                                               const Recording::Chunk &chunk, milliseconds gap) const
{
    QList<LockEvent> events;
    const auto add = [&](EventKind kind, const Lock &lock) {
        const TimePoint at{milliseconds(chunk.header.first)};
        events.append(eventAcross(kind, lock, at, chunk.header.wallMs, gap));
    };
    for (const WatchedLock &lock : diff.changed) {
        const auto known = before.constFind(lock.key());
        const bool wasLock = known != before.cend() && hasEvents(*known);
        if (!hasEvents(lock.lock)) {
            if (wasLock)
                add(EventKind::Vanished, *known);
        } else if (!wasLock) {
            add(EventKind::Found, lock.lock);
        } else if (known->owners != lock.lock.owners) {
            add(EventKind::OwnerChanged, lock.lock);
        }
    }
    for (const LockKey &key : diff.removed) {
        if (const Lock lock = before.value(key); hasEvents(lock) && !m_unseen.contains(key))
            add(EventKind::Vanished, lock);
    }
    return events;
}

/// Without a gap, it has no new information.
void RecordingCursor::readKeyframe(const Recording::Chunk &chunk, const ChunkStreams &streams)
{
    const auto index = static_cast<size_t>(&chunk - m_recording.m_chunks.data());
    const bool isGap =
        index != m_begin && (m_isBroken || m_recording.gapBefore(index).cause != GapCause::None);
    LockDiff diff;
    QHash<LockKey, Lock> before;
    const milliseconds brokenFrom = m_brokenFrom;
    const bool wasBroken = m_isBroken;
    if (isGap) {
        for (const RecordedSlot &slot : m_segment.places()) {
            if (slot.isThere)
                before.insert(slot.lock.key(), slot.lock.lock);
        }
        tellGap(index);
    }
    setBroken(!m_segment.apply(chunk.header, streams, std::numeric_limits<qint64>::max()), chunk);
    const quint64 run = m_recording.m_files[chunk.file].header.run;
    const bool isOtherRun = std::exchange(m_run, run) != run;
    if (!isGap || m_isBroken || milliseconds(Recording::firstOf(chunk)) < m_from)
        return;
    QSet<LockKey> there;
    for (const RecordedSlot &slot : m_segment.places()) {
        if (!slot.isThere)
            continue;
        diff.changed.append(slot.lock);
        there.insert(slot.lock.key());
    }
    for (auto lock = before.keyBegin(); lock != before.keyEnd(); ++lock) {
        if (!there.contains(*lock))
            diff.removed.append(*lock);
    }
    if (m_acrossGaps == AcrossGaps::Events) {
        milliseconds from = m_recording.gapBefore(index).from;
        from = wasBroken ? std::min(from, brokenFrom) : from;
        m_unseen.removeIf([&there](const auto &lock) { return there.contains(lock.key()); });
        if (isOtherRun && !chunk.header.isWatched) {
            m_unseenFrom = m_unseen.isEmpty() ? from : m_unseenFrom;
            for (const LockKey &key : std::as_const(diff.removed)) {
                if (const Lock lock = before.value(key); hasEvents(lock))
                    m_unseen.insert(key, lock);
            }
        }
        diff.events = eventsAcross(before, diff, chunk, milliseconds(Recording::firstOf(chunk)) - from);
    }
    const auto tell = [&](const Recordable &what) {
        m_steps.push_back(shiftedEntry(
            {TimePoint(milliseconds(chunk.header.first)), chunk.header.wallMs, what}, shiftOf(chunk)));
    };
    tell(m_segment.watching());
    if (!diff.isEmpty())
        tell(diff);
    if (!m_unseen.isEmpty() && chunk.header.isWatched)
        followUnseen({TimePoint(milliseconds(chunk.header.first)), chunk.header.wallMs, m_segment.watching()},
                     chunk);
    tell(m_segment.deadlocks());
}

} // namespace lockscope

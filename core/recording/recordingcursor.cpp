// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recording.h"

#include <QSet>

#include <limits>
#include <utility>

namespace lockscope {

namespace {

/// The same on the axis of who reads.
RecordedEntry shiftedEntry(RecordedEntry entry, Clock::duration by)
{
    entry.at += by;
    if (auto *diff = std::get_if<LockDiff>(&entry.what)) {
        for (WatchedLock &lock : diff->changed)
            lock = shifted(std::move(lock), by);
        for (LockEvent &event : diff->events)
            event.at += by;
    } else if (auto *watching = std::get_if<Watching>(&entry.what)) {
        if (watching->feed.incident)
            watching->feed.incident->at += by;
    } else if (auto *reset = std::get_if<ServerReset>(&entry.what)) {
        reset->at += by;
    }
    return entry;
}

} // namespace

RecordingCursor::RecordingCursor(const Recording &recording, milliseconds from, TimePoint as)
    : m_recording(recording),
      m_from(std::clamp(from, milliseconds(0), recording.m_length)),
      m_zero(as - m_from)
{
    m_begin = m_next = recording.keyframeOf(recording.chunkAt(m_from));
}

Clock::duration RecordingCursor::shiftOf(const Recording::Chunk &chunk) const
{
    return m_zero.time_since_epoch() + milliseconds(chunk.shift);
}

std::optional<RecordingCursor::Step> RecordingCursor::next()
{
    while (m_steps.empty() && m_next < m_recording.m_chunks.size())
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
    if (streams && isKeyframe)
        return readKeyframe(chunk, *streams);
    const auto tell = [&](const RecordedEntry &entry) {
        if (milliseconds(msOf(entry.at) + chunk.shift) >= m_from)
            m_steps.push_back(shiftedEntry(entry, shiftOf(chunk)));
    };
    setBroken(!streams || !m_segment.apply(chunk.header, *streams, std::numeric_limits<qint64>::max(), tell),
              chunk);
}

/// From this chunk on nothing can be told, until a keyframe.
void RecordingCursor::setBroken(bool isBroken, const Recording::Chunk &chunk)
{
    m_isBroken = isBroken;
    if (isBroken)
        m_brokenFrom = milliseconds(Recording::firstOf(chunk));
}

/// Without a gap it tells nothing new.
void RecordingCursor::readKeyframe(const Recording::Chunk &chunk, const ChunkStreams &streams)
{
    const auto index = static_cast<size_t>(&chunk - m_recording.m_chunks.data());
    const bool isGap =
        index != m_begin && (m_isBroken || m_recording.gapBefore(index).cause != GapCause::None);
    LockDiff diff;
    QSet<LockKey> before;
    if (isGap) {
        for (const RecordedSlot &slot : m_segment.places()) {
            if (slot.isThere)
                before.insert(slot.lock.key());
        }
        tellGap(index);
    }
    setBroken(!m_segment.apply(chunk.header, streams, std::numeric_limits<qint64>::max()), chunk);
    if (!isGap || m_isBroken || milliseconds(Recording::firstOf(chunk)) < m_from)
        return;
    for (const RecordedSlot &slot : m_segment.places()) {
        if (!slot.isThere)
            continue;
        diff.changed.append(slot.lock);
        before.remove(slot.lock.key());
    }
    diff.removed = before.values();
    const auto tell = [&](const Recordable &what) {
        m_steps.push_back(shiftedEntry(
            {TimePoint(milliseconds(chunk.header.first)), chunk.header.wallMs, what}, shiftOf(chunk)));
    };
    tell(m_segment.watching());
    if (!diff.isEmpty())
        tell(diff);
    tell(m_segment.deadlocks());
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/chunk.h"
#include "core/recording/fields.h"
#include "core/recording/recorded.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lockscope {

/// A lock of a segment. A number stands for a key throughout the segment, even while the lock is absent: it
/// often returns little changed.
struct RecordedSlot
{
    WatchedLock lock; ///< from asRecorded(): moments in ms since the run began
    bool isThere = false;
};

/// Builds chunks from reports. Pure but for its state; no I/O.
class SegmentWriter
{
public:
    /// `epoch`: begin of the run. `anonymizer` must outlive it; nullptr: names stay.
    SegmentWriter(TimePoint epoch, const Anonymizer *anonymizer)
        : m_epoch(epoch), m_isAnonymous(anonymizer != nullptr), m_fields(anonymizer)
    {
    }

    /// Adds an entry, not earlier than the one before.
    void add(const RecordedEntry &entry);
    /// The entries since the last call, as a chunk of changes. Requires hasPending().
    ChunkStreams takeChanges(ChunkHeader &header);
    /// The full state at that moment; later chunks need nothing from before.
    ChunkStreams takeKeyframe(TimePoint at, qint64 wallMs, ChunkHeader &header);

    /// Sets the earliest time of further entries, in ms since the epoch.
    void raiseTo(qint64 ms) { m_frameAt = std::max(m_frameAt, ms); }

    bool hasPending() const { return !m_fields.numbers().isEmpty(); }
    qsizetype pendingBytes() const { return m_fields.numbers().size() + m_fields.newTexts().size(); }
    quint32 pendingEvents() const { return m_events; }
    /// True if enough is pending for a chunk: readers refuse chunks with many more frames.
    bool isLong() const { return pendingBytes() > longBytes || m_frames >= manyFrames; }
    static constexpr quint32 manyFrames = 100'000;
    // Totals since the last keyframe: changes and events, list items, bytes of distinct texts, and keys.
    qint64 changesInSegment() const { return m_changesInSegment; }
    qint64 items() const { return m_fields.items(); }
    qint64 knownBytes() const { return m_fields.knownBytes(); }
    qsizetype knownKeys() const { return std::ssize(m_slots); }
    qsizetype locks() const { return m_locks; }
    bool isWatched() const { return m_watching && m_watching->isCurrent(); }
    /// Discards pending entries, but not the state: a keyframe must follow.
    void dropPending();

private:
    static constexpr qsizetype longBytes = 2 << 20;

    struct Place
    {
        quint32 slot = 0;
        bool isNew = false;
    };

    void beginFrame(int kind, TimePoint at, qint64 wallMs);
    Place placeOf(const LockAddress &address);
    void writeWatchState(TimePoint at, qint64 wallMs);
    void write(const LockDiff &diff, qint64 now);
    void writeLock(const WatchedLock &lock, qint64 now);
    void writeEvent(const LockEvent &event, qint64 now);
    void writeKeyOf(const LockAddress &address, Place place);
    ChunkStreams take(ChunkHeader &header);

    TimePoint m_epoch;
    bool m_isAnonymous;
    FieldWriter m_fields;
    QHash<LockKey, quint32> m_places; ///< the database stays the same during a recording
    std::vector<RecordedSlot> m_slots;
    qsizetype m_locks = 0;
    QList<Deadlock> m_deadlocks;
    std::optional<WatchState> m_watching;
    std::vector<quint32> m_touched; ///< slots of this frame, in order
    size_t m_nextTouched = 0;
    qint64 m_eventAt = 0;
    qint64 m_first = 0;
    qint64 m_frameAt = 0;
    qint64 m_wallAhead = 0; ///< wall clock minus steady clock
    qint64 m_firstWallMs = 0;
    quint32 m_events = 0;
    quint32 m_frames = 0;
    qint64 m_changesInSegment = 0;
};

/// The state at a moment of a segment, read from its keyframe on; the bytes are untrusted.
class SegmentReader
{
public:
    /// Receives entries on the axis of ms since the run began.
    using Told = std::function<void(const RecordedEntry &entry)>;

    /// Applies the next chunk, keyframe first, up to `until`. False: invalid bytes; the state is then
    /// arbitrary.
    bool apply(const ChunkHeader &header, const ChunkStreams &streams, qint64 until, const Told &told = {});

    const std::vector<RecordedSlot> &places() const { return m_slots; }
    /// For a reader that is no longer used.
    std::vector<RecordedSlot> takePlaces() { return std::move(m_slots); }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    const WatchState &watching() const { return m_watching; }
    /// The wall time of the last frame, or of the chunk's first moment.
    qint64 wallMs() const { return m_now + m_wallAhead; }

private:
    template <typename Value, typename Read>
    void tellValue(Value &value, const Read &read, const Told &told);
    void takeCount(quint32 &count, quint32 &left);
    void readWatchState(bool hasSlots, const Told &told);
    void readChanges(const Told &told);
    quint32 readNewSlot();
    void readEvent(LockDiff *diff);

    FieldReader m_fields;
    std::vector<RecordedSlot> m_slots;
    QList<Deadlock> m_deadlocks;
    WatchState m_watching;
    std::vector<quint32> m_touched;
    size_t m_nextTouched = 0;
    qint64 m_eventAt = 0;
    qint64 m_now = 0;
    qint64 m_wallAhead = 0;
    quint32 m_eventsLeft = 0; ///< remaining number from the chunk's header
    quint32 m_changesLeft = 0;
};

} // namespace lockscope

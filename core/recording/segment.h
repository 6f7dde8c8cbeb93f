// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/chunk.h"
#include "core/recording/fields.h"
#include "core/recording/recorded.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace lockscope {

/// The locks of a segment. A number stands for a key as long as the segment lasts, also while there is no such lock: it often
/// comes again, much as it was.
struct RecordedSlot
{
    WatchedLock lock; ///< as asRecorded(): moments in ms since the run began
    bool isThere = false;
};

/// Makes chunks of what is told. Pure but for what it keeps; no I/O.
class SegmentWriter
{
public:
    /// `epoch`: when the run began. `anonymizer` outlives it; nullptr: names stay.
    SegmentWriter(TimePoint epoch, const Anonymizer *anonymizer)
        : m_epoch(epoch), m_isAnonymous(anonymizer != nullptr), m_fields(anonymizer)
    {
    }

    /// Everything that is known from here on is what is added. No earlier than the entry before.
    void add(const RecordedEntry &entry);
    /// The content of what was added since the last call, as a chunk of changes. Not empty: hasPending().
    ChunkStreams takeChanges(ChunkHeader &header);
    /// Everything that is known at that moment; what comes after it needs nothing from before.
    ChunkStreams takeKeyframe(TimePoint at, qint64 wallMs, ChunkHeader &header);

    /// What is added from here on is no earlier: ms since the epoch.
    void raiseTo(qint64 ms) { m_frameAt = std::max(m_frameAt, ms); }

    bool hasPending() const { return !m_fields.numbers().isEmpty(); }
    qsizetype pendingBytes() const { return m_fields.numbers().size() + m_fields.newTexts().size(); }
    quint32 pendingEvents() const { return m_events; }
    /// So much is pending that it is worth a chunk: readers refuse chunks of many more frames.
    bool isLong() const { return pendingBytes() > longBytes || m_frames >= manyFrames; }
    static constexpr quint32 manyFrames = 100'000;
    // Since the last keyframe: changes and events, items of lists, bytes of different texts, and keys.
    qint64 changesInSegment() const { return m_changesInSegment; }
    qint64 items() const { return m_fields.items(); }
    qint64 knownBytes() const { return m_fields.knownBytes(); }
    qsizetype knownKeys() const { return std::ssize(m_slots); }
    qsizetype locks() const { return m_locks; }
    bool isWatched() const { return m_watching && m_watching->isCurrent(); }
    /// Throws away what is pending, but not what is known by it: a keyframe must follow.
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
    void writeWatching(TimePoint at, qint64 wallMs);
    void write(const LockDiff &diff, qint64 now);
    void writeLock(const WatchedLock &lock, qint64 now);
    void writeEvent(const LockEvent &event, qint64 now);
    void writeKeyOf(const LockAddress &address, Place place);
    ChunkStreams take(ChunkHeader &header);

    TimePoint m_epoch;
    bool m_isAnonymous;
    FieldWriter m_fields;
    QHash<LockKey, quint32> m_places; ///< its database is the same as long as it is recorded
    std::vector<RecordedSlot> m_slots;
    qsizetype m_locks = 0;
    QList<Deadlock> m_deadlocks;
    std::optional<Watching> m_watching;
    std::vector<quint32> m_touched; ///< slots of this frame, in order
    size_t m_nextTouched = 0;
    qint64 m_eventAt = 0;   ///< of the event before
    qint64 m_first = 0;     ///< of the chunk
    qint64 m_frameAt = 0;   ///< of the frame before
    qint64 m_wallAhead = 0; ///< wall clock less the other one
    qint64 m_firstWallMs = 0;
    quint32 m_events = 0;
    quint32 m_frames = 0; ///< pending
    qint64 m_changesInSegment = 0;
};

/// What was known at a moment of a segment, from its keyframe on; reads bytes of anybody.
class SegmentReader
{
public:
    /// At a moment in ms since the run began; LockDiffs, and moments in them, on that axis.
    using Told = std::function<void(const RecordedEntry &entry)>;

    /// Goes on with a chunk: the keyframe, then one after the other. What came after `until` is not read. False: no writer wrote
    /// these bytes; what is known then may be anything.
    bool apply(const ChunkHeader &header, const ChunkStreams &streams, qint64 until, const Told &told = {});

    const std::vector<RecordedSlot> &places() const { return m_slots; }
    /// For one that reads no more.
    std::vector<RecordedSlot> takePlaces() { return std::move(m_slots); }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    const Watching &watching() const { return m_watching; }
    /// Of the last frame, or of the chunk's first moment.
    qint64 wallMs() const { return m_now + m_wallAhead; }

private:
    template <typename Value, typename Read>
    void tellValue(Value &value, const Read &read, const Told &told);
    void takeCount(quint32 &count, quint32 &left);
    void readWatching(bool hasSlots, const Told &told);
    void readChanges(const Told &told);
    quint32 readNewSlot();
    void readEvent(LockDiff *diff);

    FieldReader m_fields;
    std::vector<RecordedSlot> m_slots;
    QList<Deadlock> m_deadlocks;
    Watching m_watching;
    std::vector<quint32> m_touched;
    size_t m_nextTouched = 0;
    qint64 m_eventAt = 0;
    qint64 m_now = 0;
    qint64 m_wallAhead = 0;
    quint32 m_eventsLeft = 0; ///< of those that the chunk's header promises
    quint32 m_changesLeft = 0;
};

} // namespace lockscope

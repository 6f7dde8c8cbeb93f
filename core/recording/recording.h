// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/segment.h"

#include <QFile>
#include <QString>
#include <QTime>

#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace lockscope {

struct ListedEvents;

/// A period with missing data, on the recording's time line.
struct RecordingGap
{
    GapCause cause = GapCause::None;
    milliseconds from{0};
    milliseconds to{0};
    qint64 wallFromMs = 0; ///< epoch ms
    qint64 wallToMs = 0;
    qint64 lost = 0; ///< number of events, at least; 0: unknown

    friend bool operator==(const RecordingGap &, const RecordingGap &) = default;
};

/// From `moment` on the wall clock showed `wallMs` and continued.
struct WallStep
{
    milliseconds moment{0};
    qint64 wallMs = 0; ///< epoch ms
};

class RecordingCursor;

/// The last moment until `wallMs` with that local time of day, epoch ms.
qint64 lastAtTimeOfDay(QTime time, qint64 wallMs);

/// Reads all files of a recording in order, as one time line from 0 by the steady clocks of its runs; between
/// runs by the wall clock, which may have been set. Missing data is a gap. A hostile file may cause high
/// memory use. A recording in progress is read as far as it was written.
///
/// Returned moments are on an axis of the caller: `as` is the TimePoint for a moment of the time line. With
/// the present for `as`, ages and times left are those of that moment.
class Recording
{
public:
    /// Reads the positions of chunks, not their content. ErrorKind::RecordingFailed if a file is missing, is
    /// no recording, or has a newer format.
    static Result<Recording> open(const QString &path);
    /// Checks like open(), but does not look for all chunks.
    static Result<void> canOpen(const QString &path);

    milliseconds length() const { return m_length; }
    qint64 beginsAtMs() const { return wallAt(milliseconds(0)); } ///< epoch ms
    qint64 endsAtMs() const { return wallAt(m_length); }
    qint64 events() const { return m_events; }
    qint64 bytes() const { return m_bytes; }
    qsizetype files() const { return std::ssize(m_files); }
    bool isAnonymous() const { return m_isAnonymous; }

    /// Gaps sorted by begin. Damage within chunks is found only by check().
    QList<RecordingGap> gaps() const;
    /// The reason why not all locks are known at a moment; None: they are, unless a chunk is damaged inside.
    GapCause lackAt(milliseconds moment) const;
    /// The last moment until `moment` at which all data was current, unless a chunk is damaged inside.
    std::optional<milliseconds> confirmedAt(milliseconds moment) const;
    /// The moment of the next listed report, or of the last one before; differences after a gap count.
    std::optional<milliseconds> eventAfter(milliseconds moment, const ListedEvents &listed) const;
    std::optional<milliseconds> eventBefore(milliseconds moment, const ListedEvents &listed) const;
    /// The first moment from `moment` on with a lock or an orphaned queue.
    std::optional<milliseconds> firstLock(milliseconds moment) const;
    /// Approximate number of events in each of `parts` equal parts of the time line.
    std::vector<qint64> eventsIn(size_t parts) const;
    /// The earliest begin of a chunk within about `longest` and about `events` events before `moment`;
    /// `moment` itself if the last chunk has more.
    milliseconds beginOf(milliseconds moment, milliseconds longest, qint64 events) const;
    /// Reads everything: damage found is a gap from then on.
    void check();
    /// The first moment after `moment` at which all locks are known; reads up to there.
    std::optional<milliseconds> knownAfter(milliseconds moment) const;

    /// Called repeatedly during long reads: false ends them early, with an arbitrary result.
    void setWanted(std::function<bool()> isWanted) { m_isWanted = std::move(isWanted); }

    qint64 wallAt(milliseconds moment) const;
    /// The first and last times of the wall clock; if it was set back, not those of begin and end.
    qint64 earliestWallMs() const;
    qint64 latestWallMs() const;
    /// The last moment at which the wall clock showed `wallMs`, or otherwise the last one before.
    milliseconds momentOf(qint64 wallMs) const;
    /// The wall clock at each moment when it was set, in order, first the begin. At most `most`.
    std::vector<WallStep> wallSteps(size_t most) const;

    /// The full state at a moment, which is clamped to the time line.
    RecordedSnapshot pictureAt(milliseconds moment, TimePoint as) const;

private:
    friend class RecordingCursor;

    struct File
    {
        std::shared_ptr<QFile> file;
        RecordingHeader header;
    };
    struct Chunk
    {
        ChunkHeader header; ///< on the time line, except for `shift`
        qint64 position = 0;
        qint64 shift = 0; ///< time line minus the run's clock, ms
        quint32 file = 0;
        bool isDamaged = false;
        bool followsDamage = false; ///< the bytes before it are no chunk
    };

    Recording() = default;
    static Result<Recording> open(const QString &path, size_t most);
    Result<void> add(const QString &path);
    void addChunks(quint32 file, size_t most);
    void addChunk(const ChunkHeader &header, qint64 position, quint32 file, bool followsDamage);
    std::optional<ChunkStreams> streamsOf(const Chunk &chunk) const;
    static void fill(RecordedSnapshot &picture, const SegmentReader &segment, Clock::duration shift);
    static void fillLocks(RecordedSnapshot &picture, std::vector<RecordedSlot> places, Clock::duration shift);
    size_t chunkAt(milliseconds moment) const;
    qint64 endOf(size_t chunk) const;
    size_t keyframeOf(size_t chunk) const;
    size_t toldFrom(size_t chunk) const;
    static qint64 firstOf(const Chunk &chunk) { return chunk.header.first + chunk.shift; }
    static qint64 lastOf(const Chunk &chunk) { return chunk.header.last + chunk.shift; }
    RecordingGap gapBefore(size_t chunk) const;
    std::optional<milliseconds> firstListed(RecordingCursor &cursor, const ListedEvents &listed,
                                            milliseconds after) const;
    std::optional<milliseconds> lastListed(RecordingCursor &cursor, const ListedEvents &listed,
                                           milliseconds to) const;
    bool isWanted() const { return !m_isWanted || m_isWanted(); }

    std::vector<File> m_files;
    std::vector<Chunk> m_chunks;
    milliseconds m_length{0};
    qint64 m_events = 0;
    qint64 m_bytes = 0;
    bool m_isAnonymous = false;
    std::function<bool()> m_isWanted;
};

/// All data was current at that moment.
struct RecordedConfirmation
{
    TimePoint at;
};

/// Reads a recording step by step from a moment on. The recording must outlive it, and must not move.
class RecordingCursor
{
public:
    using Step = std::variant<RecordedEntry, RecordingGap, RecordedConfirmation>;

    /// Reports after a gap: only changes of state, or also events, like a monitor's after a gap.
    enum class AcrossGaps : quint8 { State, Events };

    /// Starts at `from` with the state then: see pictureAt().
    RecordingCursor(const Recording &recording, milliseconds from, TimePoint as,
                    AcrossGaps acrossGaps = AcrossGaps::State);

    /// The state at the start if a chunk begins there; call before next().
    RecordedSnapshot begin();
    /// The state at the start, without locks, which may be many.
    RecordedSnapshot beginWithoutLocks();
    /// The next step; absent at the end. After a gap, changes lead to the state then.
    std::optional<Step> next();
    milliseconds momentOf(const Step &step) const;
    /// True if the file is damaged here, and the state is unknown until the next keyframe.
    bool isBroken() const { return m_isBroken; }

private:
    void readChunk();
    void tellConfirmation(const Recording::Chunk &chunk);
    void readKeyframe(const Recording::Chunk &chunk, const ChunkStreams &streams);
    void setBroken(bool isBroken, const Recording::Chunk &chunk);
    void tellGap(size_t chunk);
    QList<LockEvent> eventsAcross(const QHash<LockKey, Lock> &before, const LockDiff &diff,
                                  const Recording::Chunk &chunk, milliseconds gap) const;
    void followUnseen(const RecordedEntry &entry, const Recording::Chunk &chunk);
    Clock::duration shiftOf(const Recording::Chunk &chunk) const;

    const Recording &m_recording;
    const AcrossGaps m_acrossGaps;
    SegmentReader m_segment;
    std::deque<Step> m_steps;
    size_t m_begin = 0;
    size_t m_next = 0;
    milliseconds m_from;
    TimePoint m_zero;        ///< start of the time line
    bool m_isBroken = false; ///< the state is unknown until the next keyframe
    milliseconds m_brokenFrom{0};
    bool m_isEndTold = false; ///< the end of the damage at the recording's end was reported
    quint64 m_run = 0;
    /// Locks of the previous run not seen since: gone unless found when all locks have been read.
    QHash<LockKey, Lock> m_unseen;
    milliseconds m_unseenFrom{0};                            ///< last moment when they were known
    qint64 m_confirmed = std::numeric_limits<qint64>::min(); ///< last reported, on the time line
};

} // namespace lockscope

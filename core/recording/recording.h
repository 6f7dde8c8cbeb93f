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

/// A time of which a recording lacks something, on its time line.
struct RecordingGap
{
    GapCause cause = GapCause::None;
    milliseconds from{0};
    milliseconds to{0};
    qint64 wallFromMs = 0; ///< epoch ms
    qint64 wallToMs = 0;
    qint64 lost = 0; ///< events, at least; 0: not known

    friend bool operator==(const RecordingGap &, const RecordingGap &) = default;
};

/// From `moment` on the wall clock showed `wallMs` and went on from there.
struct WallStep
{
    milliseconds moment{0};
    qint64 wallMs = 0; ///< epoch ms
};

class RecordingCursor;

/// The last moment not after `wallMs` at which it is that time of day here, epoch ms.
qint64 lastAtTimeOfDay(QTime time, qint64 wallMs);

/// A recording to be read: all its files in order, as one time line from 0 on, which goes by the steady clocks of its runs;
/// between runs by the wall clock, which may have been set. What no recorder wrote is a gap; a file made for it
/// may still take much memory to read. One that is being recorded to can be read as far as it was written then.
///
/// Moments within what is told are on any axis that the caller chooses: `as` is the TimePoint that stands for a moment of the
/// time line, so that with the present time for `as`, ages and times left are those of that moment.
class Recording
{
public:
    /// Reads where the chunks are, not what is in them. ErrorKind::RecordingFailed where there is no file, it is no recording,
    /// or one of a newer format.
    static Result<Recording> open(const QString &path);
    /// What open() would say, without looking for all the chunks.
    static Result<void> canOpen(const QString &path);

    milliseconds length() const { return m_length; }
    qint64 beginsAtMs() const { return wallAt(milliseconds(0)); } ///< epoch ms
    qint64 endsAtMs() const { return wallAt(m_length); }
    qint64 events() const { return m_events; }
    qint64 bytes() const { return m_bytes; }
    qsizetype files() const { return std::ssize(m_files); }
    bool isAnonymous() const { return m_isAnonymous; }

    /// In order of their begin. Damage within chunks is found by check() alone.
    QList<RecordingGap> gaps() const;
    /// Why not all locks are known at a moment; None: they are, unless bytes are damaged within a chunk.
    GapCause lackAt(milliseconds moment) const;
    /// The last moment up to that one at which everything known there was true; unless bytes are damaged within a chunk.
    std::optional<milliseconds> confirmedAt(milliseconds moment) const;
    /// When the next thing that is listed was told, or the last one before; what differs behind a gap is.
    std::optional<milliseconds> eventAfter(milliseconds moment, const ListedEvents &listed) const;
    std::optional<milliseconds> eventBefore(milliseconds moment, const ListedEvents &listed) const;
    /// About how many events each of so many equal parts of the time line has.
    std::vector<qint64> eventsIn(size_t parts) const;
    /// The earliest begin of a chunk, at most about so long before `moment`, from which no more events than that lie before it;
    /// about, since chunks are counted. `moment` itself where the last chunk has more.
    milliseconds beginOf(milliseconds moment, milliseconds longest, qint64 events) const;
    /// Reads everything: what is damaged is a gap from then on.
    void check();
    /// The first moment after that one from which on all locks are known, which is read for it.
    std::optional<milliseconds> knownAfter(milliseconds moment) const;

    /// Asked now and then while much is read: false ends it early, and what it comes to may be anything.
    void setWanted(std::function<bool()> isWanted) { m_isWanted = std::move(isWanted); }

    qint64 wallAt(milliseconds moment) const;
    /// The first and the last that the wall clock showed; where it was set back, not those of begin and end.
    qint64 earliestWallMs() const;
    qint64 latestWallMs() const;
    /// The last moment at which the wall clock showed that, or else the one after which it would have.
    milliseconds momentOf(qint64 wallMs) const;
    /// What the wall clock showed, from each moment on at which it was set, in order; the first is the begin. At most so many.
    std::vector<WallStep> wallSteps(size_t most) const;

    /// Everything that was known at a moment, which is taken into the time line where it is outside.
    RecordedPicture pictureAt(milliseconds moment, TimePoint as) const;

private:
    friend class RecordingCursor;

    struct File
    {
        std::shared_ptr<QFile> file;
        RecordingHeader header;
    };
    struct Chunk
    {
        ChunkHeader header;  ///< on the time line, but for `shift`
        qint64 position = 0; ///< of its content
        qint64 shift = 0;    ///< the time line less the run's clock, ms
        quint32 file = 0;
        bool isDamaged = false;     ///< what it holds is not known
        bool followsDamage = false; ///< bytes before it are no chunk
    };

    Recording() = default;
    static Result<Recording> open(const QString &path, size_t most);
    Result<void> add(const QString &path);
    void addChunks(quint32 file, size_t most);
    void addChunk(const ChunkHeader &header, qint64 position, quint32 file, bool followsDamage);
    std::optional<ChunkStreams> streamsOf(const Chunk &chunk) const;
    static void fill(RecordedPicture &picture, const SegmentReader &segment, Clock::duration shift);
    static void fillLocks(RecordedPicture &picture, std::vector<RecordedSlot> places, Clock::duration shift);
    size_t chunkAt(milliseconds moment) const;
    qint64 endOf(size_t chunk) const; ///< of what it tells of: where the next one begins
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

/// Everything known was true at that moment.
struct RecordedConfirmation
{
    TimePoint at;
};

/// What was recorded from a moment on, one thing after the other. The recording outlives it, and stays where it is.
class RecordingCursor
{
public:
    using Step = std::variant<RecordedEntry, RecordingGap, RecordedConfirmation>;

    /// What a gap is followed by: changes alone, or with events that say what they came to, as a monitor's after a gap.
    enum class AcrossGaps : quint8 { State, Events };

    /// From there on, with what was known then: see pictureAt().
    RecordingCursor(const Recording &recording, milliseconds from, TimePoint as,
                    AcrossGaps acrossGaps = AcrossGaps::State);

    /// Everything that was known there, where a chunk begins there; before the first next().
    RecordedPicture begin();
    /// The same without the locks, which may be many.
    RecordedPicture beginWithoutLocks();
    /// Nothing more: std::nullopt. Behind a gap comes what is known then, as changes of what was known before.
    std::optional<Step> next();
    /// When a step was told, on the time line.
    milliseconds momentOf(const Step &step) const;
    /// The file is damaged there, and what is known is not, until the next keyframe.
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
    size_t m_begin = 0; ///< chunk
    size_t m_next = 0;
    milliseconds m_from;
    TimePoint m_zero;             ///< of the time line
    bool m_isBroken = false;      ///< what is known is not, until the next keyframe
    milliseconds m_brokenFrom{0}; ///< since when
    bool m_isEndTold = false;     ///< that it is so up to the end
    quint64 m_run = 0;            ///< of the last keyframe
    /// Of the run before, and not seen since: they are gone where they are not until all locks have been read.
    QHash<LockKey, Lock> m_unseen;
    milliseconds m_unseenFrom{0};                            ///< known last
    qint64 m_confirmed = std::numeric_limits<qint64>::min(); ///< as told last, on the time line
};

} // namespace lockscope

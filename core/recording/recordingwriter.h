// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/anonymizer.h"
#include "core/recording/segment.h"

#include <QFile>
#include <QString>

#include <memory>
#include <optional>

namespace lockscope {

/// How a recording is to be made.
struct RecordingOptions
{
    static constexpr qint64 usualLimit = 1'000'000'000;
    static constexpr qint64 leastLimit = qint64(1) << 20;

    qint64 limit = usualLimit; ///< bytes of all files together: beyond it the oldest part goes
    bool isAnonymous = false;  ///< keys, owners and hosts are replaced: see Anonymizer
};

/// What was recorded in a run.
struct RecordingTotals
{
    qint64 events = 0;
    qint64 lost = 0;  ///< events that were told and could not be recorded: a gap says so
    qint64 bytes = 0; ///< written, also to parts that are gone since
    int gaps = 0;
    bool isFailing = false; ///< the last write failed: what is lost since is in no gap yet
    Error failure;          ///< why, where it did
};

/// Writes a recording's files. On one thread; each call may wait for the disk. What was flushed survives the death of the
/// process, not that of the machine.
class RecordingWriter
{
public:
    /// Begins a recording at this path, mode 0600. One that is there becomes a part of the same recording. Nothing is changed
    /// of a file that is none, that another program records to, or that a newer Lockscope wrote, nor of a recording that has
    /// more than the limit already, of which much would go at once: ErrorKind::RecordingFailed.
    static Result<std::unique_ptr<RecordingWriter>>
    begin(const QString &path, const RecordingOptions &options, TimePoint now, qint64 wallMs);
    /// What was known when it began, instead of nothing. Before anything is added.
    void setKnown(const RecordedPicture &known, TimePoint now, qint64 wallMs);
    /// Does not flush.
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter &) = delete;
    RecordingWriter &operator=(const RecordingWriter &) = delete;

    /// Kept until the next flush(). In the order of time.
    void add(const RecordedEntry &entry);
    void setConfirmed(TimePoint at) { m_confirmed = at; }
    /// So many events before this one were not told to us: what was added last is all that is known. Begins a segment.
    void addGap(GapCause cause, qint64 lost, TimePoint now, qint64 wallMs);
    /// Writes what was added; or that nothing was. After an error nothing is lost but events: it is tried again at later calls,
    /// at most every five seconds, beginning with a gap.
    Result<void> flush(TimePoint now, qint64 wallMs);

    bool isFailing() const { return m_failingSince.has_value(); }
    const Error &failure() const { return m_failure; } ///< the last one
    /// Worth a flush before its time.
    bool isLong() const { return m_segment.isLong(); }
    RecordingTotals totals() const;

private:
    RecordingWriter(QString path, const RecordingOptions &options, TimePoint now);

    Result<void> checkRoom() const;
    Result<void> openFile(qint64 wallMs);
    Result<void> putAway(qint64 wallMs);
    void dropOldParts();
    Result<void> writeKeyframe(GapCause cause, qint64 lost, TimePoint now, qint64 wallMs);
    Result<void> writeChanges(TimePoint now);
    Result<void> writeChunk(ChunkHeader &header, const ChunkStreams &streams, TimePoint now);
    Result<void> write(const QByteArray &bytes, bool counts);
    Result<void> failed(const Result<void> &why, TimePoint now);
    bool isSegmentOver() const;
    qint64 msAt(TimePoint at) const;

    QString m_path;
    RecordingOptions m_options;
    std::unique_ptr<const Anonymizer> m_anonymizer;
    TimePoint m_epoch;
    SegmentWriter m_segment;
    QFile m_file;
    qint64 m_size = 0; ///< of whole chunks; what stands behind them is overwritten
    quint64 m_run = 0;
    quint32 m_part = 0;
    quint32 m_place = 0; ///< of the next chunk in its segment; 0: none was begun
    qint64 m_keyframeBytes = 0;
    qint64 m_keyframeItems = 0; ///< of lists
    qint64 m_segmentBytes = 0;
    std::optional<TimePoint> m_confirmed;
    std::optional<TimePoint> m_failingSince; ///< or tried again last
    Error m_failure;
    qint64 m_lostNow = 0; ///< since it fails
    RecordingTotals m_totals;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/anonymizer.h"
#include "core/recording/segment.h"

#include <QFile>
#include <QString>

#include <memory>
#include <optional>

namespace lockscope {

struct RecordingOptions
{
    static constexpr qint64 usualLimit = 1'000'000'000;
    static constexpr qint64 leastLimit = qint64(1) << 20;

    qint64 limit = usualLimit; ///< bytes of all files together: beyond it the oldest part is deleted
    bool isAnonymous = false;  ///< keys, owners and hosts are replaced: see Anonymizer
};

struct RecordingTotals
{
    qint64 events = 0;
    qint64 lost = 0;  ///< events that could not be recorded: reported as gaps
    qint64 bytes = 0; ///< written, including deleted parts
    int gaps = 0;
    bool isFailing = false; ///< the last write failed: losses since are not yet in a gap
    Error failure;
};

/// Writes the files of a recording. One thread; calls may wait for the disk. Flushed data survives a crash of
/// the process, not of the machine.
class RecordingWriter
{
public:
    /// Begins a recording at this path, mode 0600. An existing one becomes a part of it.
    /// ErrorKind::RecordingFailed, without changes, if the file is no recording, in use by another program,
    /// or of a newer format, or if the recording already exceeds the limit by much.
    static Result<std::unique_ptr<RecordingWriter>>
    begin(const QString &path, const RecordingOptions &options, TimePoint now, qint64 wallMs);
    /// Sets the state at the begin; before anything is added.
    void setKnown(const RecordedSnapshot &known, TimePoint now, qint64 wallMs);
    /// Does not flush.
    ~RecordingWriter();
    RecordingWriter(const RecordingWriter &) = delete;
    RecordingWriter &operator=(const RecordingWriter &) = delete;

    /// Adds an entry in the order of time; written by the next flush().
    void add(const RecordedEntry &entry);
    void setConfirmed(TimePoint at) { m_confirmed = at; }
    /// Records that `lost` events were missed: the state is only what was added last. Begins a segment.
    void addGap(GapCause cause, qint64 lost, TimePoint now, qint64 wallMs);
    /// Writes the added entries, or that there were none. After an error only events are lost: later calls
    /// retry, at most every five seconds, and begin with a gap.
    Result<void> flush(TimePoint now, qint64 wallMs);

    bool isFailing() const { return m_failingSince.has_value(); }
    const Error &failure() const { return m_failure; }
    /// True if a flush is worthwhile now.
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
    qint64 m_size = 0; ///< of whole chunks; bytes behind them are overwritten
    quint64 m_run = 0;
    quint32 m_part = 0;
    quint32 m_place = 0; ///< of the next chunk in its segment; 0: none
    qint64 m_keyframeBytes = 0;
    qint64 m_keyframeItems = 0;
    qint64 m_segmentBytes = 0;
    std::optional<TimePoint> m_confirmed;
    std::optional<TimePoint> m_failingSince; ///< or since the last retry
    Error m_failure;
    qint64 m_lostNow = 0;
    RecordingTotals m_totals;
};

} // namespace lockscope

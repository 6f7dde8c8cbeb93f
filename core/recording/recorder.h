// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recordingwriter.h"
#include "core/watch/watchsource.h"

#include <QObject>

#include <memory>

namespace lockscope {

/// Records what a session's monitor tells, from its begin on, by a thread of its own that waits for the disk. Lives on the
/// session's thread, and ends before the session. Never waits while it records: where the disk falls behind, locks are
/// recorded as they are later, and the events between are lost to the recording, which says so.
class Recorder : public QObject
{
    Q_OBJECT

public:
    /// ErrorKind::RecordingFailed as RecordingWriter::begin(), which waits for the disk: nothing is recorded then. `known`: of a
    /// session that is open already, what it has told; it becomes the first state, and nothing is said to have happened.
    static Result<std::unique_ptr<Recorder>> begin(const WatchSource &source, const QString &path,
                                                   const RecordingOptions &options,
                                                   const RecordedPicture *known = nullptr);
    /// The same with a file that was begun.
    Recorder(const WatchSource &source, std::unique_ptr<RecordingWriter> writer,
             const RecordedPicture *known = nullptr);
    /// As finish().
    ~Recorder() override;

    /// Writes what is left, and ends. Waits for the disk.
    RecordingTotals finish();
    /// The same without waiting: ended().
    void end();

    /// Something that a session would tell.
    void tell(const Recordable &what);
    void setConfirmed(TimePoint at);

signals:
    /// Writing failed: it is tried again every few seconds. Once, until resumed().
    void failed(const lockscope::Error &why);
    void resumed();
    /// What was recorded so far: about once a second.
    void progressed(const lockscope::RecordingTotals &totals);
    void ended(const lockscope::RecordingTotals &totals);

private:
    class Private;
    void take(const WatchEvent &event);
    void begin(const RecordedPicture &known);
    void tellWatching();
    void send(const RecordedEntry &entry, qint64 weight);
    void letGo();

    std::unique_ptr<Private> d;
};

} // namespace lockscope

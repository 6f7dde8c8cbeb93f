// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recordingwriter.h"
#include "core/watch/monitorsource.h"

#include <QObject>

#include <memory>

namespace lockscope {

/// Records the reports of a session's monitor, on its own thread, which may wait for the disk. Lives on the
/// session's thread, and must end before the session. Never blocks: if the disk is too slow, locks are
/// recorded later, and the events between are replaced by a gap.
class Recorder : public QObject
{
    Q_OBJECT

public:
    /// Begins a recording; waits for the disk. ErrorKind::RecordingFailed as from RecordingWriter::begin().
    /// `known`: the state of a session that is already open, recorded as the first state without events.
    static Result<std::unique_ptr<Recorder>> begin(const MonitorSource &source, const QString &path,
                                                   const RecordingOptions &options,
                                                   const RecordedSnapshot *known = nullptr);
    /// Records to a file that was already begun.
    Recorder(const MonitorSource &source, std::unique_ptr<RecordingWriter> writer,
             const RecordedSnapshot *known = nullptr);
    /// Calls finish().
    ~Recorder() override;

    /// Writes the rest, and ends. Waits for the disk.
    RecordingTotals finish();
    /// Ends without waiting; ended() follows.
    void end();

    void tell(const Recordable &what);
    void setConfirmed(TimePoint at);

signals:
    /// Writing failed, and is retried every few seconds. Once, until resumed().
    void failed(const lockscope::Error &why);
    void resumed();
    /// The totals so far, about once per second.
    void progressed(const lockscope::RecordingTotals &totals);
    void ended(const lockscope::RecordingTotals &totals);

private:
    class Private;
    void take(const MonitorReport &event);
    void begin(const RecordedSnapshot &known);
    void tellWatching();
    void send(const RecordedEntry &entry, qint64 weight);
    void letGo();

    std::unique_ptr<Private> d;
};

} // namespace lockscope

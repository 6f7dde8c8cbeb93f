// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"
#include "core/recording/recordingwriter.h"

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
    /// ErrorKind::RecordingFailed as RecordingWriter::begin(): nothing is recorded then. Of a session that
    /// is open already, what is known is to be told first.
    static Result<std::unique_ptr<Recorder>> begin(Session &session, const QString &path,
                                                   const RecordingOptions &options);
    /// As finish().
    ~Recorder() override;

    /// Writes what is left, and ends. Waits for the disk.
    RecordingTotals finish();

    /// Something that a session would tell.
    void tell(const Recordable &what);
    void setConfirmed(TimePoint at);

signals:
    /// Writing failed: it is tried again every few seconds. Once, until resumed().
    void failed(const lockscope::Error &why);
    void resumed();

private:
    class Private;
    Recorder(Session &session, std::unique_ptr<RecordingWriter> writer);
    void watch(Session &session);
    void tellWatching();
    void send(const RecordedEntry &entry, qint64 weight);
    void letGo();

    std::unique_ptr<Private> d;
};

} // namespace lockscope

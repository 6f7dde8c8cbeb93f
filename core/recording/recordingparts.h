// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/chunk.h"

#include <QList>
#include <QString>

namespace lockscope {

/// A completed file of a recording: "NAME.000017-20261124T231500Z" next to NAME.
struct RecordingPart
{
    QString path;
    quint32 number = 0; ///< in its name; parts are sorted by it, not by time
    qint64 bytes = 0;
};

/// The parts of this recording, oldest first. Skips files of other recordings with such names, and those of a
/// newer format.
QList<RecordingPart> recordingParts(const QString &path);
/// ErrorKind::RecordingFailed if a part is of a newer format: without it, its time would seem unrecorded.
Result<void> refuseNewerParts(const QString &path);

QString recordingPartPath(const QString &path, quint32 number, qint64 wallMs);

/// Reads a file's header. ErrorKind::RecordingFailed if it is unreadable, no recording, or of a newer format.
Result<RecordingHeader> readRecordingHeader(const QString &path);

} // namespace lockscope

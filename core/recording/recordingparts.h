// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/chunk.h"

#include <QList>
#include <QString>

namespace lockscope {

/// A file of a recording that is not written any more: "NAME.000017-20261124T231500Z" beside NAME.
struct RecordingPart
{
    QString path;
    quint32 number = 0; ///< of its name; parts are in this order, whatever the clock said
    qint64 bytes = 0;
};

/// Those of this recording, the oldest first. Files of others that are called so are left out.
QList<RecordingPart> recordingParts(const QString &path);

/// What such a part is to be called.
QString recordingPartPath(const QString &path, quint32 number, qint64 wallMs);

/// The header of a file. ErrorKind::RecordingFailed where it can't be read, is no recording, or has a newer format.
Result<RecordingHeader> readRecordingHeader(const QString &path);

} // namespace lockscope

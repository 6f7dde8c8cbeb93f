// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/clusterstatus.h"
#include "ui/widgets/fileexport.h"

#include <QString>

#include <optional>

namespace lockscope {

/// A table of locks as it is shown at one moment, to be written to a file. A value: it may be written on another thread.
struct LockExport
{
    struct Row
    {
        WatchedLock lock;
        TimePoint at; ///< the time of this lock, which stands still where its node is not heard
    };

    QList<Row> rows; ///< in the table's order
    QString server;  ///< what the user calls it
    QString filter;  ///< as typed; empty: none
    bool isSelection = false;
    qint64 wallMs = 0;               ///< when it was made
    TimePoint madeAt;                ///< the same moment
    std::optional<qint64> shownMs;   ///< of a recording: the moment that is shown, epoch ms
    std::optional<milliseconds> age; ///< of the data shown; absent: not known
    ClusterStatus cluster;
};

/// Gives the file to `write`, piece by piece, until that returns false.
void writeExport(const LockExport &data, ExportFormat format, const ExportSink &write);

FileExport fileExport(const LockExport &data);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/clusterstatus.h"
#include "ui/widgets/fileexport.h"

#include <optional>

namespace lockscope {

/// A table of locks as it is shown at one moment, to be written to a file. A value: it may be written on another thread.
struct LockExport : ExportHead
{
    struct Row
    {
        WatchedLock lock;
        TimePoint at; ///< the time of this lock, which stands still where its node is not heard
    };

    QList<Row> rows; ///< in the table's order
    bool isSelection = false;
    TimePoint madeAt;                ///< the moment of wallMs
    std::optional<milliseconds> age; ///< of the data shown; absent: not known
    ClusterStatus cluster;
};

/// Gives the file to `write`, piece by piece, until that returns false.
void writeExport(const LockExport &data, ExportFormat format, const ExportSink &write);

FileExport fileExport(const LockExport &data);

} // namespace lockscope

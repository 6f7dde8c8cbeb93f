// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/clusterstatus.h"
#include "ui/widgets/fileexport.h"

#include <optional>

namespace lockscope {

/// A snapshot of the lock table for a file export. A value: any thread may write it.
struct LockExport : ExportHead
{
    struct Row
    {
        WatchedLock lock;
        TimePoint at; ///< time of this lock; stops while its node is disconnected
    };

    QList<Row> rows;
    bool isSelection = false;
    TimePoint madeAt;                ///< same moment as wallMs
    std::optional<milliseconds> age; ///< data age; absent if unknown
    ClusterStatus cluster;
};

/// Passes the file to `write` piece by piece, until it returns false.
void writeExport(const LockExport &data, ExportFormat format, const ExportSink &write);

FileExport fileExport(const LockExport &data);

} // namespace lockscope

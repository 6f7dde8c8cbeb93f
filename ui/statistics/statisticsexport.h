// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockstatistics.h"
#include "ui/widgets/fileexport.h"

#include <vector>

namespace lockscope {

/// A snapshot of the shown statistics for a file export. A value: any thread may write it.
struct StatisticsExport : ExportHead
{
    std::vector<LockStatistics> rows;
    qint64 fromMs = 0; ///< start of their time, epoch ms
    qint64 toMs = 0;
};

void writeExport(const StatisticsExport &data, ExportFormat format, const ExportSink &write);
FileExport fileExport(const StatisticsExport &data);

} // namespace lockscope

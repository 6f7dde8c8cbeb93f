// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockstatistics.h"
#include "ui/widgets/fileexport.h"

#include <vector>

namespace lockscope {

/// The statistics that are shown, to be written to a file. A value: it may be written on another thread.
struct StatisticsExport : ExportHead
{
    std::vector<LockStatistics> rows; ///< in the order of the table
    qint64 fromMs = 0;                ///< epoch ms: the time that they are of
    qint64 toMs = 0;
};

void writeExport(const StatisticsExport &data, ExportFormat format, const ExportSink &write);
FileExport fileExport(const StatisticsExport &data);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"
#include "ui/widgets/fileexport.h"

#include <QList>

#include <optional>
#include <span>

namespace lockscope {

/// A snapshot of the shown events for a file export. A value: any thread may write it.
struct EventExport : ExportHead
{
    QList<LoggedEvent> rows;     ///< newest first
    std::optional<LockKey> only; ///< limits the rows to this lock
    QByteArrayList hiddenKinds;
    qint64 kept = 0;    ///< in the log, shown or not
    qint64 dropped = 0; ///< older ones that the log has dropped
};

/// Passes the file to `write` piece by piece, until it returns false.
void writeExport(const EventExport &data, ExportFormat format, const ExportSink &write);

/// Returns all fields, named as by `lockscope-cli watch`. Bytes are text; invalid UTF-8 is escaped.
std::span<const ExportField<LoggedEvent>> eventFields();

/// Returns the name in `lockscope-cli watch`, such as "acquired" or "disconnected".
QByteArray nameOf(LoggedKind kind);

FileExport fileExport(const EventExport &data);

} // namespace lockscope

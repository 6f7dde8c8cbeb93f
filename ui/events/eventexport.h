// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"
#include "ui/widgets/fileexport.h"

#include <QList>

#include <optional>
#include <span>

namespace lockscope {

/// The events that are shown at one moment, to be written to a file. A value: it may be written on another thread.
struct EventExport : ExportHead
{
    QList<LoggedEvent> rows;     ///< newest first
    std::optional<LockKey> only; ///< of this lock alone
    QByteArrayList hiddenKinds;  ///< names of the kinds that are not shown
    qint64 kept = 0;             ///< events that the log has, shown or not
    qint64 dropped = 0;          ///< older ones, which the log has no more
};

/// Gives the file to `write`, piece by piece, until that returns false.
void writeExport(const EventExport &data, ExportFormat format, const ExportSink &write);

/// All of them, as `lockscope-cli watch` calls them. Bytes are text, escaped where they are no UTF-8.
std::span<const ExportField<LoggedEvent>> eventFields();

/// "acquired", "disconnected": as `lockscope-cli watch` calls it.
QByteArray nameOf(LoggedKind kind);

FileExport fileExport(const EventExport &data);

} // namespace lockscope

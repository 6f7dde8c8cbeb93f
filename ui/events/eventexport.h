// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"
#include "ui/widgets/fileexport.h"

#include <QList>

#include <optional>

namespace lockscope {

/// The events that are shown at one moment, to be written to a file. A value: it may be written on another thread.
struct EventExport
{
    QList<LoggedEvent> rows;       ///< newest first
    QString server;                ///< what the user calls it
    QString words;                 ///< of the filter; empty: none
    std::optional<LockKey> only;   ///< of this lock alone
    QByteArrayList hiddenKinds;    ///< names of the kinds that are not shown
    qint64 kept = 0;               ///< events that the log has, shown or not
    qint64 dropped = 0;            ///< older ones, which the log has no more
    qint64 wallMs = 0;             ///< when it was made
    std::optional<qint64> shownMs; ///< of a recording: the moment that is shown, epoch ms
};

/// Gives the file to `write`, piece by piece, until that returns false.
void writeExport(const EventExport &data, ExportFormat format, const ExportSink &write);

FileExport fileExport(const EventExport &data);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/watch/feedstatus.h"
#include "core/watch/serverreset.h"

#include <QByteArray>
#include <QJsonObject>

namespace lockscope {

// The lines of `watch`, and of `replay`, which prints a recording in the same form.

enum class Dates : quint8 { No, Yes };

struct TextEvent
{
    const char *event = ""; ///< stable name
    QJsonObject details;
    QString text;
};

/// "2026-01-31 03:12:00.000", local time.
QString timeText(qint64 wallMs, Dates dates = Dates::Yes);
QByteArray eventLine(const LockEvent &event, bool json, Dates dates = Dates::No);
QByteArray momentLine(TextEvent moment, qint64 wallMs, bool json, Dates dates = Dates::No);
/// Describes a reset. A restart with data, or unknown data, is no flush.
TextEvent momentOf(const ServerReset &reset);

/// Returns "feed", the weakest mode, and "feeds", the mode of each pattern.
QJsonObject feedDetails(const FeedStatus &status);
/// Returns "change feed: tracking (lock:*, lock_*), tracking-by-key (*:lock); new locks …".
QString feedInWords(const FeedStatus &status, milliseconds scanInterval);

} // namespace lockscope

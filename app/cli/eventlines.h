// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/watch/feedstatus.h"
#include "core/watch/serverreset.h"

#include <QByteArray>
#include <QJsonObject>

namespace lockscope {

// The lines of `watch`, and of `replay`, which prints what was recorded as `watch` would have.

/// Whether a line's time has its date.
enum class Dates : quint8 { No, Yes };

/// Something that happened to the watching, or to many locks at once.
struct TextMoment
{
    const char *event = ""; ///< its name for programs
    QJsonObject details;    ///< for programs
    QString text;           ///< for people
};

QByteArray eventLine(const LockEvent &event, bool json, Dates dates = Dates::No);
QByteArray momentLine(TextMoment moment, qint64 wallMs, bool json, Dates dates = Dates::No);
/// Where the server was restarted and is not known to have come back empty, that is another event than a flush.
TextMoment momentOf(const ServerReset &reset);

/// "feed": what holds for every pattern; "feeds": of each.
QJsonObject feedDetails(const FeedStatus &status);
/// "change feed: tracking (lock:*, lock_*), tracking-by-key (*:lock); new locks …"
QString feedInWords(const FeedStatus &status, milliseconds scanInterval);

} // namespace lockscope

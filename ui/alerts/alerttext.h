// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QString>

namespace lockscope {

// What is said of an alert in the list and on the desktop. A server's bytes are escaped and cut.

/// "No expiry", "Many waiters (3 times)".
QString alertTitle(const Alert &alert);
/// The lock's key, or the server that is lost; empty: neither is known.
QString alertSubject(const Alert &alert);
/// "03:12:07", with the date where it is another day's.
QString alertTime(qint64 wallMs);
/// "Open", "Acknowledged at 03:12:07", "Snoozed until 03:27:00", "Ended at 03:20:00".
QString alertStatus(const AlertList::Entry &entry);
/// How long it has been open, or was.
QString alertDuration(const AlertList::Entry &entry, TimePoint now);
/// Of a snooze in force: "No expiry, all locks, until 03:27:00".
QString snoozeText(const AlertSnooze &snooze);

/// How its severity is drawn: never without its title.
Glyph alertGlyph(AlertSeverity severity);
StatusColor alertColor(AlertSeverity severity);

/// What the desktop is told of it. `server`: what the user calls it.
DesktopNote noteOf(const Alert &alert, const QString &server);
/// Of those that are not told of one by one.
DesktopNote noteOfOthers(qsizetype others, const QStringList &servers);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QString>

#include <span>

namespace lockscope {

// What is said of an alert in the list and on the desktop. A server's bytes are escaped and cut.

/// A column of the list.
struct AlertColumn
{
    const char *title; ///< for AlertModel::tr()
    int characters;    ///< of its width at first; 0: what is left
    QString (*text)(const AlertList::Entry &entry, TimePoint now);
};
/// From left to right.
std::span<const AlertColumn> alertColumns();

/// "03:12:07", with the date where it is another day's.
QString alertTime(qint64 wallMs);
/// Of a snooze in force: "No expiry, all locks, until 03:27:00".
QString snoozeText(const AlertSnooze &snooze);

/// How a severity is drawn, never without a title, and how urgent it is on the desktop.
struct SeverityLook
{
    Glyph glyph;
    StatusColor color;
    DesktopNote::Urgency urgency;
};
const SeverityLook &lookOf(AlertSeverity severity);

/// What the desktop is told of it. `server`: what the user calls it.
DesktopNote noteOf(const Alert &alert, const QString &server);
/// Of those that are not told of one by one.
DesktopNote noteOfOthers(qsizetype others, const QStringList &servers);

} // namespace lockscope

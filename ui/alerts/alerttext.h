// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"
#include "ui/alerts/desktopnotifications.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QString>

#include <span>

namespace lockscope {

// Texts of alerts in the list and on the desktop. A server's bytes are escaped and cut.

struct AlertColumn
{
    const char *title; ///< for AlertModel::tr()
    int characters;    ///< initial width; 0: remaining space
    QString (*text)(const AlertList::Entry &entry, TimePoint now);
};
std::span<const AlertColumn> alertColumns();

/// "03:12:07", with the date if that is another day.
QString alertTime(qint64 wallMs);
/// Describes an active snooze: "No expiry, all locks, until 03:27:00".
QString snoozeText(const AlertSnooze &snooze);

struct SeverityLook
{
    Glyph glyph;
    StatusColor color;
    DesktopNotification::Urgency urgency;
};
const SeverityLook &lookOf(AlertSeverity severity);

/// Returns the notification of an alert. `server`: the user's name.
DesktopNotification noteOf(const Alert &alert, const QString &server);
DesktopNotification noteOfOthers(qsizetype others, const QStringList &servers);

} // namespace lockscope

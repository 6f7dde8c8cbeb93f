// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/ownernames.h"
#include "core/watch/eventlog.h"
#include "ui/widgets/palette.h"

#include <QString>

namespace lockscope {

// Texts of an event for the panels and the incident summary. Translated; a server's bytes are escaped.

QString eventWord(LoggedKind kind);
/// Explains in a sentence what the event means and what remains unknown.
QString eventMeaning(LoggedKind kind);
StatusColor eventColor(LoggedKind kind);

/// "web-1:7 ×2", with the number of other owners.
QString ownersText(const LoggedEvent &logged, const OwnerNames &names);
/// Lists the full IDs, one per line, each below its name if it has one.
QString ownersToolTip(const LoggedEvent &logged, const OwnerNames &names);
/// Other details: time left, other owners, or the text of a moment.
QString detailText(const LoggedEvent &logged);

/// "14:03:07.250", with the date if that is not today.
QString timeText(qint64 wallMs);
QString clockTimeText(qint64 wallMs);
/// Date, time and offset from UTC.
QString exactTimeText(qint64 wallMs);

} // namespace lockscope

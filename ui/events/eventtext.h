// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/palette.h"

#include <QString>

namespace lockscope {

// What is said of an event, here, in the inspector and in an incident summary. Translated; a server's bytes are escaped.

/// One word for what happened, or a few.
QString eventWord(LoggedKind kind);
/// What is known where this is said, and what is not, as a sentence.
QString eventMeaning(LoggedKind kind);
StatusColor eventColor(LoggedKind kind);

/// "web-1:7 ×2"; how many more there are, where the event concerns several.
QString ownersText(const LoggedEvent &logged, const OwnerNames &names);
/// Each whole id in a line, below its name where it has one.
QString ownersToolTip(const LoggedEvent &logged, const OwnerNames &names);
/// What else is known: time left, other owners; what is said of a moment.
QString detailText(const LoggedEvent &logged);

/// "14:03:07.250", with the date where that is not today.
QString timeText(qint64 wallMs);
QString clockTimeText(qint64 wallMs);
/// With date and offset from UTC.
QString exactTimeText(qint64 wallMs);

} // namespace lockscope

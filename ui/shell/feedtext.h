// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/feedstatus.h"

#include <QString>

namespace lockscope {

// What the window says of how changes are heard of.

QString feedText(FeedMode feed); ///< "feed: tracking"
/// What has happened where changes may have been missed.
QString gapText(FeedGap gap);
/// A tool tip: a line for each pattern, why no better way is open, and what the feed met last.
QString feedToolTip(const FeedStatus &status, const QString &serverName, TimePoint now);

} // namespace lockscope

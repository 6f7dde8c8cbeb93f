// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/feedstatus.h"

#include <QString>

namespace lockscope {

// What the window says of how changes are heard of.

QString feedText(FeedMode feed); ///< "change feed: tracking"
QString gapText(FeedGap gap);
/// Returns a tool tip: a line per pattern, why no better mode is available, and the last gap.
QString feedToolTip(const FeedStatus &status, const QString &serverName, TimePoint now);

} // namespace lockscope

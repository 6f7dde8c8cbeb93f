// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/table/look.h"

#include <QString>

namespace lockscope {

class DisplayTime;

// The inspector's sentences. Pure.

struct StatusMessage
{
    StatusColor statusColor = StatusColor::Held;
    QString text;
};

/// Describes whether the holder is alive and when the lock expires.
StatusMessage liveness(const WatchedLock &lock, TimePoint now);

/// Describes the lock as last read, while the connection is lost since `time` stopped.
StatusMessage lastKnown(const WatchedLock &lock, const DisplayTime &time);

/// Converts by the current clocks of this machine, however old the reading is.
QString clockTime(TimePoint at);

/// Formats a moment as wall-clock time: "03:12:04", with its date if that is another day. `wallMs`: epoch ms
/// of `now`.
QString clockTime(TimePoint at, TimePoint now, qint64 wallMs);

QString releaseEffect(const Lock &lock);
QString extendEffect(const Lock &lock);
QString forceExpireEffect(const Lock &lock);

} // namespace lockscope

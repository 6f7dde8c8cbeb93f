// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "ui/widgets/palette.h"

#include <QString>

namespace lockscope {

class DisplayTime;

// The inspector's sentences. Pure.

/// A sentence with the tone in which it is said.
struct StatusMessage
{
    StatusColor statusColor = StatusColor::Held;
    QString text;
};

/// Is the holder alive, and when does this end?
StatusMessage liveness(const WatchedLock &lock, TimePoint now);

/// What may be said while nothing is heard of the server: the lock as it was read when `time` stopped.
StatusMessage lastKnown(const WatchedLock &lock, const DisplayTime &time);

/// As below, by the clocks of this machine now. A moment has one such time, however old the reading that told of it.
QString clockTime(TimePoint at);

/// The moment as a clock on the wall shows it: "03:12:04", with its date where that is another day. `wallMs`
/// is now.
QString clockTime(TimePoint at, TimePoint now, qint64 wallMs);

QString releaseEffect(const Lock &lock);
QString extendEffect(const Lock &lock);
QString forceExpireEffect(const Lock &lock);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/crashaftermath.h"

namespace lockscope {

/// What is known of whether the process behind certain owners lives, from their locks and places in queues alone.
struct SignsOfLife
{
    enum class Verdict : quint8 {
        Unknown,    ///< no sign, or signs of both kinds
        LikelyDead, ///< signs that it is dead, and none that it lives; it may also be paused
        Alive,      ///< a sign of life, and none that it is dead
    };

    // Signs that it is dead
    qint64 overdue = 0;                      ///< locks whose renewal is overdue
    CompactOptional<TimePoint> overdueSince; ///< the last of these
    qint64 silentPlaces =
        0; ///< places in queues on whose channel nobody has subscribed for DeadWaiterDetector::patience
    // Signs that it lives
    CompactOptional<TimePoint> actedAt; ///< the last renewal or acquisition that was seen
    qint64 subscribedPlaces = 0;        ///< places in queues on whose channel somebody is subscribed
    /// Of several processes, of which some may be dead while others live: there is no verdict then.
    bool isOfSeveral = false;

    /// A lock of which it is not known how it is at `now` tells nothing: it must not be added.
    void add(const WatchedLock &watched, const CrashAftermath::IsTheirs &isTheirs, TimePoint now);
    // The two parts of it, of what is known to be theirs.
    void addHold(const WatchedLock &watched, TimePoint now);
    void addPlace(const Waiter &waiter);
    Verdict verdict(TimePoint now) const;

    friend bool operator==(const SignsOfLife &, const SignsOfLife &) = default;
};

} // namespace lockscope

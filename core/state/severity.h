// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// The impact of a lock on its users, worst first: the order for operators.
enum class Severity : quint8 {
    Deadlock,
    Blocking, ///< known waiters, and a stalled or missing holder
    Corrupt,  ///< the stored value is invalid
    NoExpiry,
    Unusual, ///< known waiters, and a hold far longer than usual for its key
    Problem, ///< stalled without known waiters, or another problem
    None
};

/// The damage at a moment: stalled and unusual locks arise with time, and stay so until read again.
Severity severityOf(const WatchedLock &lock, TimePoint at);

/// The time when its hold becomes unusual, if that is a damage; max(): never.
TimePoint unusualDamageAfter(const WatchedLock &lock);

/// True if an unusual hold is its worst damage.
inline bool isUnusuallyLong(const WatchedLock &lock, TimePoint at)
{
    return severityOf(lock, at) == Severity::Unusual;
}

/// Sort rank, worst first: by damage, then more waiters, then longer held (to half a millisecond).
quint64 severityRank(const WatchedLock &lock, TimePoint at);

} // namespace lockscope

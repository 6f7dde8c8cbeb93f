// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// What a lock costs those who need it, the worst first: the order in which an operator wants to look.
enum class Damage : quint8 {
    Deadlock, ///< its owner and others wait for each other
    Blocking, ///< known waiters, and a holder that is stalled or gone
    Corrupt,  ///< what is stored is no sound lock
    NoExpiry, ///< will never end by itself
    Unusual,  ///< known waiters, and a hold that is far longer than is usual for its key
    Problem,  ///< stalled without known waiters, or another problem
    None
};

/// At a moment: a lock becomes stalled as time passes, and its hold unusual. Until it is read anew it stays so.
Damage damageOf(const WatchedLock &lock, TimePoint at);

/// Its hold becomes unusual then, if that is a damage; max(): never.
TimePoint unusualDamageAfter(const WatchedLock &lock);

/// Whether that is why it is looked at: nothing else is worse.
inline bool isUnusuallyLong(const WatchedLock &lock, TimePoint at)
{
    return damageOf(lock, at) == Damage::Unusual;
}

/// For sorting, the worst first: by damage, then those with more waiters, then those held longer (to half a millisecond).
quint64 damageRank(const WatchedLock &lock, TimePoint at);

} // namespace lockscope

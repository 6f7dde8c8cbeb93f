// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// True if the expected renewal did not come: the holder is dead, hangs, or does not renew this lock.
/// Requires an owner that was seen to renew, overdue by a twentieth of its lease against its latest renewal
/// on this key (three renewals if its library has none by default); or a Redisson lock with exactly the
/// watchdog's lease, which is renewed at two thirds, though it may be a fixed lease of that length. Never
/// true for a lock whose next holder may write the same value. Pure.
bool isRenewalOverdue(const WatchedLock &watched, TimePoint now);
/// The moment after which it is overdue unless the lock is read again; TimePoint::max(): never.
TimePoint overdueAfter(const WatchedLock &watched);

} // namespace lockscope

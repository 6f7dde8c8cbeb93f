// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// The renewal that its owner used to make has not come: it is dead, hangs, or has not taken the lock to be renewed. Said
/// only of an owner that was seen to renew, later than it ever did on this key, by a twentieth of its lease; and of
/// Redisson's locks of exactly the lease that its watchdog gives, which renews at two thirds: there the lease may also be
/// a fixed one of that length. Never of a lock whose next holder may write the same: its renewals may be acquisitions. Who
/// extends its lock by hand now and then has to have done so three times. Pure.
bool isRenewalOverdue(const WatchedLock &watched, TimePoint now);
/// It is overdue after that moment, unless it is read anew; TimePoint::max(): never.
TimePoint overdueAfter(const WatchedLock &watched);

} // namespace lockscope

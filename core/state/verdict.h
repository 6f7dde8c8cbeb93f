// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// Why a lock is still held. Why one has gone is in its event: EventKind.
enum class HoldReason : quint8 {
    Renewed,      ///< a process renews it
    Slow,         ///< renewed, and held far longer than usual for the key
    LeaseRunning, ///< its lease is running, without renewals
    HolderDead,   ///< likely: a current heartbeat is missing; only possible, if it has none
    NeverEnds,
    BlockedByDead, ///< the lock is free, but its queue is blocked
    Unknown,
};
inline constexpr EnumNames holdReasonName{Named<HoldReason>{HoldReason::Renewed, "renewed"},
                                          Named<HoldReason>{HoldReason::Slow, "slow"},
                                          Named<HoldReason>{HoldReason::LeaseRunning, "lease-running"},
                                          Named<HoldReason>{HoldReason::HolderDead, "holder-dead"},
                                          Named<HoldReason>{HoldReason::NeverEnds, "never-ends"},
                                          Named<HoldReason>{HoldReason::BlockedByDead, "blocked-by-dead"},
                                          Named<HoldReason>{HoldReason::Unknown, "unknown"}};

/// The evidence for a verdict.
enum class Sign : quint8 {
    Renewals, ///< by the present owner
    NoRenewal,
    RenewalOverdue,
    UnusualHold, ///< longer than usual for the key
    NoExpiry,
    StoredEnd,  ///< the value includes its expiry
    StoredTime, ///< the value is only a time: of acquisition or expiry
    DeadWaiter, ///< before other waiters
    Heartbeat,  ///< by its holders
    OneReading,
    WeakToken, ///< the next holder may write the same value
    UnknownContent,
    Unreadable,
};
inline constexpr EnumNames signName{Named<Sign>{Sign::Renewals, "renewals"},
                                    Named<Sign>{Sign::NoRenewal, "no-renewal"},
                                    Named<Sign>{Sign::RenewalOverdue, "renewal-overdue"},
                                    Named<Sign>{Sign::UnusualHold, "unusual-hold"},
                                    Named<Sign>{Sign::NoExpiry, "no-expiry"},
                                    Named<Sign>{Sign::StoredEnd, "stored-end"},
                                    Named<Sign>{Sign::StoredTime, "stored-time"},
                                    Named<Sign>{Sign::DeadWaiter, "dead-waiter"},
                                    Named<Sign>{Sign::Heartbeat, "heartbeat"},
                                    Named<Sign>{Sign::OneReading, "one-reading"},
                                    Named<Sign>{Sign::WeakToken, "weak-token"},
                                    Named<Sign>{Sign::UnknownContent, "unknown-content"},
                                    Named<Sign>{Sign::Unreadable, "unreadable"}};

/// The verdict on why a lock is held.
struct HoldVerdict
{
    HoldReason why = HoldReason::Unknown;
    QList<Sign> signs{};
    QList<HoldReason> possible{}; ///< further possible reasons, not confirmed
};

/// `now`: of the local steady clock. Pure.
HoldVerdict verdictOf(const WatchedLock &lock, TimePoint now);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// Why a lock is still there. Why one has gone is told by its event: EventKind.
enum class HoldReason : quint8 {
    Renewed,       ///< a process keeps it alive
    Slow,          ///< the same, and this hold is far longer than is usual for the key
    LeaseRunning,  ///< its lease runs out, and no renewal is seen
    HolderDead,    ///< its heartbeat has stopped; possible only, where there is none to read
    NeverEnds,     ///< it has no expiry
    BlockedByDead, ///< the lock is free, and those in its queue are not served
    Unknown,
};
inline constexpr EnumNames holdReasonName{Named<HoldReason>{HoldReason::Renewed, "renewed"},
                                          Named<HoldReason>{HoldReason::Slow, "slow"},
                                          Named<HoldReason>{HoldReason::LeaseRunning, "lease-running"},
                                          Named<HoldReason>{HoldReason::HolderDead, "holder-dead"},
                                          Named<HoldReason>{HoldReason::NeverEnds, "never-ends"},
                                          Named<HoldReason>{HoldReason::BlockedByDead, "blocked-by-dead"},
                                          Named<HoldReason>{HoldReason::Unknown, "unknown"}};

/// What a verdict rests on.
enum class Sign : quint8 {
    Renewals,       ///< of the present owner were seen
    NoRenewal,      ///< was seen
    RenewalOverdue, ///< isRenewalOverdue()
    UnusualHold,    ///< longer than is usual for the key
    NoExpiry,
    StoredEnd,  ///< what is stored says until when it holds
    StoredTime, ///< all that is stored is a time: of the acquisition, or of the end
    DeadWaiter, ///< one stands before others
    Heartbeat,  ///< of its holders was read
    OneReading, ///< is all that is known
    WeakToken,  ///< the next holder may write the same
    UnknownContent,
    Unreadable, ///< now
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

/// The one judgement of why a lock is held.
struct HoldVerdict
{
    HoldReason why = HoldReason::Unknown;
    QList<Sign> signs{};
    QList<HoldReason> possible{}; ///< besides, as far as anything tells: that they are so is not known
};

/// Pure. `now` is by our clock.
HoldVerdict verdictOf(const WatchedLock &lock, TimePoint now);

} // namespace lockscope

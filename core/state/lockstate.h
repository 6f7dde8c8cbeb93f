// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"

#include <optional>

namespace lockscope {

enum class LockState : quint8 {
    Deadlock, ///< its owner waits, directly or not, for one that waits for it
    Corrupt,  ///< the stored value is invalid
    Orphaned, ///< a queue without its lock: nobody will wake the waiters
    NoQuorum, ///< Redlock group: no owner has it on a majority
    NoExpiry,
    Stalled,
    Expiring, ///< less than a fifth of the longest TTL seen is left
    Renewed,
    Held,
    Ended,         ///< its lease has expired; not confirmed by the server
    Unreadable,    ///< may not be read any more: known only from the last reading
    QuorumUnknown, ///< Redlock group: unknown whether an owner has a majority
    Possible,      ///< maybe no lock: isPossible()
};
constexpr int lockStates = 13;

LockState stateOf(const WatchedLock &lock, TimePoint now);

/// Names for the filter. Never translated.
inline constexpr EnumNames stateName{
    Named<LockState>{LockState::Deadlock, "deadlock"},
    Named<LockState>{LockState::Corrupt, "corrupt"},
    Named<LockState>{LockState::Orphaned, "orphaned"},
    Named<LockState>{LockState::NoExpiry, "no-expiry"},
    Named<LockState>{LockState::Stalled, "stalled"},
    Named<LockState>{LockState::Expiring, "expiring"},
    Named<LockState>{LockState::Renewed, "renewed"},
    Named<LockState>{LockState::Held, "held"},
    Named<LockState>{LockState::Ended, "ended"},
    Named<LockState>{LockState::Unreadable, "unreadable"},
    Named<LockState>{LockState::NoQuorum, "no-quorum"},
    Named<LockState>{LockState::QuorumUnknown, "quorum-unknown"},
    Named<LockState>{LockState::Possible, "possible"},
};
static_assert(stateName.names.size() == lockStates);

/// The state of its lease: Stalled, Expiring, Renewed, Ended; otherwise Held.
LockState passingState(const WatchedLock &lock, TimePoint now);
/// The state independent of time: Unreadable, Deadlock, Corrupt, Orphaned, NoExpiry; otherwise Held.
LockState lastingState(const WatchedLock &lock);
/// The meaning of a missing expiry.
enum class NoExpiry : quint8 {
    None,    ///< it has one, or may not be read
    Problem, ///< its family always sets a lease, or its owner wrote it long ago: left behind
    Open,    ///< unknown family, or maybe no lock
    Usual,   ///< its family sets none by default
};
NoExpiry noExpiryOf(const Lock &lock);
/// True for a lock without expiry, whatever it means.
inline bool lacksExpiry(const Lock &lock)
{
    return noExpiryOf(lock) != NoExpiry::None;
}
inline constexpr EnumNames noExpiryName{Named<NoExpiry>{NoExpiry::Problem, "problem"},
                                        Named<NoExpiry>{NoExpiry::Open, "open"},
                                        Named<NoExpiry>{NoExpiry::Usual, "usual"}};
/// True in a Redlock group if no owner is known to have it on a majority.
bool lacksMajority(const Lock &lock);
/// The moment after which it is Stalled unless read again; TimePoint::max(): never.
TimePoint stalledAfter(const WatchedLock &lock);
bool isProblem(LockState state);
/// The problems that the state does not already imply.
Problems unsaidProblems(const WatchedLock &lock, LockState state);

/// The time left as a share of the longest seen, 0 to 1; 0 without a deadline.
double leaseLeft(const WatchedLock &lock, TimePoint now);

/// The time before its expiry from which a lock counts as expiring.
milliseconds expiringTime(const WatchedLock &lock);

/// The shortest and longest possible time for which a lock has been held.
struct HeldTime
{
    std::optional<milliseconds> atLeast;
    std::optional<milliseconds> atMost;
};

/// By observation. Unknown if the next holder may write the same value and the last acquisition was not seen.
HeldTime heldTime(const WatchedLock &lock, TimePoint now);
/// By observation or, after a single reading, by the time that its only owner has stored, by that owner's
/// clock. `now` and `wallMs` (epoch ms) are the same moment, here and below.
HeldTime heldTime(const WatchedLock &lock, TimePoint now, qint64 wallMs);

/// Sets the begin of an unseen acquisition to the moment stored by its only owner, if earlier.
void useStoredBegin(WatchedLock &lock, qint64 wallMs);

WatchedLock readOnce(const Lock &lock, TimePoint now, qint64 wallMs);

} // namespace lockscope

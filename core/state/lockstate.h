// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"

#include <optional>

namespace lockscope {

/// The one word for how a lock is doing at a moment.
enum class LockState : quint8 {
    Deadlock, ///< its owner waits, through others or not, for one that waits for it
    Corrupt,  ///< what is stored is no sound lock
    Orphaned, ///< a queue whose lock is gone: nobody will wake those that stand in it
    NoQuorum, ///< in a Redlock group: no owner has it on a majority of the servers
    NoExpiry, ///< will never end by itself
    Stalled,  ///< should have been renewed by now, and was not
    Expiring, ///< less than a fifth of the longest TTL seen is left
    Renewed,  ///< its lease is being renewed
    Held,
    Ended,         ///< its lease has run out; the server's word is awaited
    Unreadable,    ///< this login may not read it any more: nothing is known of it but what was read last
    QuorumUnknown, ///< in a Redlock group: whether an owner has it on a majority is not known
    Possible,      ///< nothing tells whether it is a lock: isPossible()
};
constexpr int lockStates = 13;

LockState stateOf(const WatchedLock &lock, TimePoint now);

/// What the filter takes. Never translated.
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

/// How its lease is doing, whatever else is wrong: Stalled, Expiring, Renewed, Ended; Held for anything else.
LockState passingState(const WatchedLock &lock, TimePoint now);
/// What of the state doesn't depend on the time: Unreadable, Deadlock, Corrupt, Orphaned, NoExpiry; Held for anything else.
LockState lastingState(const WatchedLock &lock);
/// What it means that a lock has no expiry.
enum class NoExpiry : quint8 {
    None,    ///< it has one, or that may not be read
    Problem, ///< its family gives its locks a lease, or its owner wrote the time long ago: it was left behind
    Open,    ///< which family wrote it is not known, or whether it is a lock
    Usual,   ///< its family gives its locks none by default
};
NoExpiry noExpiryOf(const Lock &lock);
/// Whatever that means.
inline bool lacksExpiry(const Lock &lock)
{
    return noExpiryOf(lock) != NoExpiry::None;
}
inline constexpr EnumNames noExpiryName{Named<NoExpiry>{NoExpiry::Problem, "problem"},
                                        Named<NoExpiry>{NoExpiry::Open, "open"},
                                        Named<NoExpiry>{NoExpiry::Usual, "usual"}};
/// In a Redlock group: no owner is known to have it on a majority of the servers.
bool lacksMajority(const Lock &lock);
/// Stalled after that moment, unless it is read anew; TimePoint::max(): never.
TimePoint stalledAfter(const WatchedLock &lock);
/// Whether somebody has to look at a lock in this state.
bool isProblem(LockState state);
/// The problems that the word for the state doesn't say already.
Problems unsaidProblems(const WatchedLock &lock, LockState state);

/// TTL left as a share of the longest one seen, 0 to 1; 0 where there is no deadline.
double leaseLeft(const WatchedLock &lock, TimePoint now);

/// How long before its end a lock with a deadline counts as expiring.
milliseconds expiringTime(const WatchedLock &lock);

/// What is known of how long a lock has been held: the shortest and the longest time there can be.
struct HeldTime
{
    std::optional<milliseconds> atLeast;
    std::optional<milliseconds> atMost;
};

/// By watching. Nothing where the next holder may write the same and the last acquisition was not seen.
HeldTime heldTime(const WatchedLock &lock, TimePoint now);
/// The same where somebody holds it. Of one reading alone: by what its only owner has written, which is told by that owner's
/// clock. `now` and `wallMs` (epoch ms) are the same moment, here and below.
HeldTime heldTime(const WatchedLock &lock, TimePoint now, qint64 wallMs);

/// A lock whose acquisition was not seen is held since the moment that its only owner has stored, where that is earlier.
void useStoredBegin(WatchedLock &lock, qint64 wallMs);

/// A lock of which one reading is all that is known.
WatchedLock readOnce(const Lock &lock, TimePoint now, qint64 wallMs);

} // namespace lockscope

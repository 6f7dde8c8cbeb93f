// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QByteArrayView>

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
};
constexpr int lockStates = 12;

LockState stateOf(const WatchedLock &lock, TimePoint now);

/// Of "corrupt", "no-expiry", …: what the filter takes. Never translated.
std::optional<LockState> stateFromName(QByteArrayView name);
QByteArray stateName(LockState state);

/// How its lease is doing, whatever else is wrong: Stalled, Expiring, Renewed, Ended; Held for anything else.
LockState passingState(const WatchedLock &lock, TimePoint now);
/// What of the state doesn't depend on the time: Unreadable, Deadlock, Corrupt, Orphaned, NoExpiry; Held for anything else.
LockState lastingState(const WatchedLock &lock);
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

} // namespace lockscope

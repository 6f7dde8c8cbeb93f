// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <optional>
#include <span>

namespace lockscope {

/// A lock on one server of a Redlock group.
struct MemberLock
{
    bool isKnown = false;              ///< the server is available, and its keys were read since
    const WatchedLock *lock = nullptr; ///< last reading; nullptr: missing key

    /// True unless the server or a permission prevents reading.
    bool isCertain() const { return isKnown && (!lock || !lock->problems().testFlag(Problem::Unreadable)); }
};

/// Merges the states of a key on the servers of a group: the lock of the owner with the most servers, with
/// its Quorum. Shown is the reading whose expiry ends the majority or, without a majority, the last to
/// expire. On a tie, the owners in `before` win. Absent: no server has it. Pure.
std::optional<WatchedLock> mergeMembers(std::span<const MemberLock> members,
                                        const QList<LockOwner> &before = {});

/// True if owners and modes are equal; hold counts are ignored.
bool haveSameOwners(const QList<LockOwner> &a, const QList<LockOwner> &b);
/// True if the servers' states are equal, except for times.
bool isSameExceptTimes(const Quorum &a, const Quorum &b);

/// How long the holder may rely on the lock at most: until the majority ends, minus the allowance for clock
/// drift. Absent: no majority, or no expiry. `lease`: the largest time left seen.
std::optional<milliseconds> validityOf(const Quorum &quorum, milliseconds lease, TimePoint now);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <optional>
#include <span>

namespace lockscope {

/// One lock on one server of a Redlock group.
struct MemberLock
{
    bool isKnown = false;              ///< the server is available, and its keys have been read since it is
    const WatchedLock *lock = nullptr; ///< as read last; nullptr: the key was not there

    /// Neither the server nor a permission keeps us from knowing.
    bool isCertain() const { return isKnown && (!lock || !lock->problems().testFlag(Problem::Unreadable)); }
};

/// One lock of what the servers of a group have under one key: that of the owner with the most servers, with its Quorum. Of
/// those that have it, the one is shown whose end ends the majority; without a majority, the one that ends last. Where two
/// owners have as many, `before` stays. nullopt: no server has it. Pure.
std::optional<WatchedLock> mergeMembers(std::span<const MemberLock> members,
                                        const QList<LockOwner> &before = {});

/// The same hold, whatever is counted of it.
bool haveSameOwners(const QList<LockOwner> &a, const QList<LockOwner> &b);
/// What the servers have is the same, whatever time each gives it.
bool isSamePicture(const Quorum &a, const Quorum &b);

/// For how long the holder may count on the lock at most: until the majority ends, less the algorithm's allowance for clocks.
/// Absent: no majority has it, or it has no expiry there. `lease`: the largest time left that was seen.
std::optional<milliseconds> validityOf(const Quorum &quorum, milliseconds lease, TimePoint now);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/time.h"
#include "core/model/deadline.h"
#include "core/model/lockowner.h"

#include <QExplicitlySharedDataPointer>
#include <QList>
#include <QSharedData>

#include <optional>

namespace lockscope {

/// The state of a lock's key on one server of a Redlock group, as last read.
struct MemberReading
{
    enum class State : quint8 {
        Held,
        Absent,
        NoLock,  ///< the value names no owner
        Unknown, ///< the server is unavailable, or the key was not or may not be read
    };

    State state = State::Unknown;
    QList<LockOwner> owners;
    CompactOptional<Deadline> deadline; ///< absent: no expiry, or no key

    friend bool operator==(const MemberReading &, const MemberReading &) = default;
};

/// A lock on all servers of a Redlock group: held if an owner has it on a majority of all of them, available
/// or not (Redlock, redis.io "Distributed Locks with Redis").
struct Quorum : QSharedData
{
    QList<MemberReading> members; ///< in the order of the group
    int agreeing = 0;             ///< number with the displayed owner
    int unknown = 0;
    int shownMember =
        0; ///< index of the displayed reading: of the agreeing ones, the one whose expiry ends the majority
    bool isHeld = false; ///< by a majority
    bool areOwnersDifferent = false;

    static int majorityOf(qsizetype servers) { return static_cast<int>(servers / 2) + 1; }
    int needed() const { return majorityOf(members.size()); }
    /// True if there is no majority, whatever the unknown servers have.
    bool isLost() const { return agreeing + unknown < needed(); }
    /// The algorithm's allowance for clock drift: 1% of the lease, and 2 ms.
    static milliseconds drift(milliseconds lease) { return lease / 100 + milliseconds(2); }
};

/// In the size of a pointer; null for most locks.
using QuorumPtr = QExplicitlySharedDataPointer<const Quorum>;

} // namespace lockscope

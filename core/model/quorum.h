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

/// What one server of a Redlock group has under a lock's key, as read last.
struct MemberReading
{
    enum class State : quint8 {
        Held,    ///< by `owners`
        Absent,  ///< the key is not there
        NoLock,  ///< something is there that names no owner
        Unknown, ///< the server is not available, or the key was not read yet, or may not be read
    };

    State state = State::Unknown;
    QList<LockOwner> owners;
    CompactOptional<Deadline> deadline; ///< absent: no expiry, or nothing is there

    friend bool operator==(const MemberReading &, const MemberReading &) = default;
};

/// A lock on all servers of a Redlock group: held where its owner has it on a majority of all of them, available or not
/// (Redlock, redis.io "Distributed Locks with Redis").
struct Quorum : QSharedData
{
    QList<MemberReading> members; ///< in the order of the group
    int agreeing = 0;             ///< have the owner that is shown
    int unknown = 0;
    int shownMember =
        0; ///< whose reading is shown as the lock's: of those that agree, the one whose end ends the majority
    bool isHeld = false; ///< by a majority
    bool areOwnersDifferent = false;

    static int majorityOf(qsizetype servers) { return static_cast<int>(servers / 2) + 1; }
    int needed() const { return majorityOf(members.size()); }
    /// Whatever the others have.
    bool isLost() const { return agreeing + unknown < needed(); }
    /// The algorithm's own measure of how far clocks may drift: a hundredth of the lease, and 2 ms.
    static milliseconds drift(milliseconds lease) { return lease / 100 + milliseconds(2); }
};

/// In the room of a pointer; most locks are of no such group.
using QuorumPtr = QExplicitlySharedDataPointer<const Quorum>;

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QString>

#include <optional>

namespace lockscope {

enum class Action : quint8 { Acquire, Release, Extend, ForceExpire, RemoveWaiter, Wake };

/// True for actions on waiters, which are also possible without an owner.
inline bool isForWaiters(Action action)
{
    return action == Action::RemoveWaiter || action == Action::Wake;
}

struct Consent
{
    enum Kind : quint8 { None, Confirmed, Named }; ///< each includes the one before
    Kind kind = None;
    QString typed{};
    bool isOneOfSeveral = false; ///< for several locks at once: the typed name is the server's
};

/// An action to run. Fields that it does not use are ignored.
struct ActionRequest
{
    /// An action on a lock as the operator sees it.
    static ActionRequest on(const Lock &seen, Action action)
    {
        ActionRequest request;
        request.action = action;
        request.family = seen.family;
        request.key = seen.key();
        request.seen = seen;
        return request;
    }

    Action action = Action::Acquire;
    Family family{}; ///< must have scripts; otherwise InvalidArgument
    LockKey key;
    OwnerId owner;              ///< for acquire, release and extend; the waiter to remove
    std::optional<Lease> lease; ///< required to acquire and extend; release of a level: the new TTL
    bool allLevels = false;
    /// Force-expire: all owners seen, or, with onlyExpected, some; an empty rawHoldCount matches any count.
    QList<LockOwner> expected;
    bool onlyExpected = false; ///< force-expire: end only these holds if other owners hold the lock too
    std::optional<milliseconds> grace; ///< force-expire: grace period; never prolongs the lease
    std::optional<Lock> seen;          ///< the lock as seen by the operator, for the audit record
    /// Force-expire an orphan: when `seen` was read. Its heartbeats are read again before the script, at least two
    /// intervals later; if they differ, the outcome is EvidenceChanged.
    std::optional<TimePoint> orphanSince;
    Consent consent{};
};

} // namespace lockscope

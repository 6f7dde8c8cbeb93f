// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QString>

#include <optional>

namespace lockscope {

enum class Action : quint8 { Acquire, Release, Extend, ForceExpire, RemoveWaiter, Wake };

/// It is about those who wait: also where nobody holds the lock any more.
inline bool isForWaiters(Action action)
{
    return action == Action::RemoveWaiter || action == Action::Wake;
}

/// How a user agreed to an action.
struct Consent
{
    enum Kind : quint8 { None, Confirmed, Named }; ///< each is more than the one before
    Kind kind = None;
    QString typed{};             ///< Named
    bool isOneOfSeveral = false; ///< agreed to for several locks at once: what is typed names their server
};

/// What is asked for. Fields that an action does not use are ignored.
struct ActionRequest
{
    /// On a lock as the operator sees it.
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
    Family family{}; ///< one whose scripts we have; else InvalidArgument
    LockKey key;
    OwnerId owner;              ///< acquire, release, extend; the waiter to remove
    std::optional<Lease> lease; ///< acquire and extend need it; release of a level: sets the TTL anew
    bool allLevels = false;     ///< release every level at once
    /// Force-expire: all owners that were seen, or with onlyExpected some; an empty rawHoldCount matches any count.
    QList<LockOwner> expected;
    bool onlyExpected = false; ///< force-expire: end the holds of those alone, where others hold the lock too
    std::optional<milliseconds> grace; ///< force-expire: end in so long instead of now; never lengthens
    std::optional<Lock> seen;          ///< what the operator looked at, for the audit record
    Consent consent{};
};

} // namespace lockscope

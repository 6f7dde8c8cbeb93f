// SPDX-License-Identifier: GPL-3.0-or-later
// Names for JSON and the command line. Never translated.
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lockevent.h"
#include "core/model/moment.h"

namespace lockscope {

inline constexpr EnumNames eventName{
    Named<EventKind>{EventKind::Found, "found"},
    Named<EventKind>{EventKind::Acquired, "acquired"},
    Named<EventKind>{EventKind::Reentered, "reentered"},
    Named<EventKind>{EventKind::Unwound, "unwound"},
    Named<EventKind>{EventKind::Renewed, "renewed"},
    Named<EventKind>{EventKind::Shortened, "shortened"},
    Named<EventKind>{EventKind::Released, "released"},
    Named<EventKind>{EventKind::Expired, "expired"},
    Named<EventKind>{EventKind::OwnerChanged, "owner-changed"},
    Named<EventKind>{EventKind::ExpiryLost, "expiry-lost"},
    Named<EventKind>{EventKind::Vanished, "vanished"},
    Named<EventKind>{EventKind::Forced, "forced"},
    Named<EventKind>{EventKind::Evicted, "evicted"},
    Named<EventKind>{EventKind::Flushed, "flushed"},
    Named<EventKind>{EventKind::Overwritten, "overwritten"},
    Named<EventKind>{EventKind::Renamed, "renamed"},
    Named<EventKind>{EventKind::Failover, "failover"},
};

inline constexpr EnumNames momentName{
    Named<MomentKind>{MomentKind::Disconnected, "disconnected"},
    Named<MomentKind>{MomentKind::Reconnected, "reconnected"},
    Named<MomentKind>{MomentKind::FeedChanged, "feed"},
    Named<MomentKind>{MomentKind::FeedGap, "feed-gap"},
    Named<MomentKind>{MomentKind::Flushed, "flushed"},
    Named<MomentKind>{MomentKind::Swapped, "swapped"},
    Named<MomentKind>{MomentKind::Restarted, "restarted"},
    Named<MomentKind>{MomentKind::FailedOver, "failed-over"},
    Named<MomentKind>{MomentKind::NodeLost, "node-lost"},
    Named<MomentKind>{MomentKind::NodeReady, "node-ready"},
    Named<MomentKind>{MomentKind::NodeLeft, "node-left"},
    Named<MomentKind>{MomentKind::Deadlock, "deadlock"},
    Named<MomentKind>{MomentKind::DeadlockEnded, "deadlock-ended"},
};

inline constexpr EnumNames problemName{
    Named<Problem>{Problem::NoExpiry, "no-expiry"},
    Named<Problem>{Problem::BadCount, "bad-count"},
    Named<Problem>{Problem::SeveralOwners, "several-owners"},
    Named<Problem>{Problem::WrongType, "wrong-type"},
    Named<Problem>{Problem::TooBig, "too-big"},
    Named<Problem>{Problem::DeadWaiter, "dead-waiter"},
    Named<Problem>{Problem::Orphaned, "orphaned"},
    Named<Problem>{Problem::RewrittenByOwner, "came-back"},
    Named<Problem>{Problem::Deadlock, "deadlock"},
    Named<Problem>{Problem::NoQuorum, "no-quorum"},
    Named<Problem>{Problem::OwnersDiffer, "owners-differ"},
    Named<Problem>{Problem::HolderDead, "holder-dead"},
    Named<Problem>{Problem::Unreadable, "unreadable"},
};

inline QList<Problem> problemList(Problems problems)
{
    QList<Problem> list;
    for (const auto &[problem, name] : problemName.names) {
        if (problems.testFlag(problem))
            list.append(problem);
    }
    return list;
}

} // namespace lockscope

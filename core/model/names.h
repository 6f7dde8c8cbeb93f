// SPDX-License-Identifier: GPL-3.0-or-later
// Names for JSON and the command line. Never translated.
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lockevent.h"
#include "core/model/monitorevent.h"

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
    Named<MonitorEventKind>{MonitorEventKind::Disconnected, "disconnected"},
    Named<MonitorEventKind>{MonitorEventKind::Reconnected, "reconnected"},
    Named<MonitorEventKind>{MonitorEventKind::FeedChanged, "feed"},
    Named<MonitorEventKind>{MonitorEventKind::FeedGap, "feed-gap"},
    Named<MonitorEventKind>{MonitorEventKind::Flushed, "flushed"},
    Named<MonitorEventKind>{MonitorEventKind::Swapped, "swapped"},
    Named<MonitorEventKind>{MonitorEventKind::Restarted, "restarted"},
    Named<MonitorEventKind>{MonitorEventKind::FailedOver, "failed-over"},
    Named<MonitorEventKind>{MonitorEventKind::NodeLost, "node-lost"},
    Named<MonitorEventKind>{MonitorEventKind::NodeReady, "node-ready"},
    Named<MonitorEventKind>{MonitorEventKind::NodeLeft, "node-left"},
    Named<MonitorEventKind>{MonitorEventKind::Deadlock, "deadlock"},
    Named<MonitorEventKind>{MonitorEventKind::DeadlockEnded, "deadlock-ended"},
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

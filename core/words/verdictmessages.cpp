// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/verdictmessages.h"

#include <QCoreApplication>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::verdictwords)
};

QString ofTheUnknown(const HoldVerdict &verdict)
{
    if (verdict.signs.contains(Sign::OneReading))
        return Words::tr("Unknown: one reading does not show renewals.");
    if (verdict.signs.contains(Sign::WeakToken))
        return Words::tr("Unknown: with this weak token, a renewal looks like a new holder.");
    if (verdict.signs.contains(Sign::UnknownContent))
        return Words::tr("Unknown: the content does not tell whether it is held.");
    return verdict.signs.contains(Sign::Unreadable)
               ? Words::tr("Unknown: no permission to read the lock any more.")
               : Words::tr("Unknown.");
}

} // namespace

QString describe(const HoldVerdict &verdict)
{
    const bool isDead = verdict.signs.contains(Sign::DeadWaiter);
    switch (verdict.why) {
    case HoldReason::Renewed:
        return Words::tr("Renewed: a process keeps the lock alive.");
    case HoldReason::Slow:
        return Words::tr("Renewed, but held longer than usual for this key.");
    case HoldReason::LeaseRunning:
        return verdict.signs.contains(Sign::RenewalOverdue)
                   ? Words::tr("Renewal overdue: the holder is finishing, paused or dead.")
                   : Words::tr("No renewal seen: the lease is running out.");
    case HoldReason::NeverEnds:
        if (verdict.signs.contains(Sign::StoredTime))
            return Words::tr("No expiry in Redis. The value is the time of acquisition or of expiry.");
        return verdict.signs.contains(Sign::StoredEnd)
                   ? Words::tr("No expiry in Redis: the value says when it ends.")
                   : Words::tr("No expiry: only a release or force-expire ends the lock.");
    case HoldReason::BlockedByDead:
        return isDead ? Words::tr("Nobody holds the lock; a dead waiter blocks the queue.")
                      : Words::tr("Nobody holds the lock; nothing wakes its waiters.");
    case HoldReason::HolderDead:
        return Words::tr(
            "The holder's heartbeat has stopped: its process crashed or cannot reach the server.");
    case HoldReason::Unknown:
        break;
    }
    return ofTheUnknown(verdict);
}

QString adviceOf(const HoldVerdict &verdict)
{
    switch (verdict.why) {
    case HoldReason::Renewed:
        return Words::tr("Let the holder finish: force-expire does not stop it.");
    case HoldReason::Slow:
        return Words::tr("Find out what the holder waits for; force-expire does not stop it.");
    case HoldReason::LeaseRunning:
        return verdict.signs.contains(Sign::RenewalOverdue)
                   ? Words::tr("Check the holder's process, or wait for the expiry.")
                   : Words::tr("Wait for the expiry.");
    case HoldReason::NeverEnds:
        if (verdict.signs.contains(Sign::Heartbeat))
            return adviceOf({HoldReason::Renewed});
        return Words::tr("Force-expire only if the holder's process has ended.");
    case HoldReason::BlockedByDead:
        return verdict.signs.contains(Sign::DeadWaiter) ? Words::tr("Remove the dead waiter.")
                                                        : Words::tr("Wake the queue.");
    case HoldReason::HolderDead:
        return Words::tr("Force-expire only if the holder's process has ended.");
    case HoldReason::Unknown:
        break;
    }
    if (verdict.signs.contains(Sign::Unreadable))
        return Words::tr("Grant the permission again.");
    return verdict.signs.contains(Sign::UnknownContent)
               ? Words::tr("First find out which application writes the key.")
               : Words::tr("Watch the lock for one lease, or find its clients.");
}

} // namespace lockscope

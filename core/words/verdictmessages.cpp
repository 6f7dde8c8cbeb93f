// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/verdictmessages.h"

#include "core/words/texts.h"

namespace lockscope {

namespace {

QString ofTheUnknown(const HoldVerdict &verdict)
{
    if (verdict.signs.contains(Sign::OneReading))
        return Texts::tr("Unknown: one reading does not show renewals.");
    if (verdict.signs.contains(Sign::WeakToken))
        return Texts::tr("Unknown: with this weak token, a renewal looks like a new holder.");
    if (verdict.signs.contains(Sign::UnknownContent))
        return Texts::tr("Unknown: the content does not tell whether it is held.");
    return verdict.signs.contains(Sign::Unreadable)
               ? Texts::tr("Unknown: no permission to read the lock any more.")
               : Texts::tr("Unknown.");
}

} // namespace

QString describe(const HoldVerdict &verdict)
{
    const bool isDead = verdict.signs.contains(Sign::DeadWaiter);
    switch (verdict.why) {
    case HoldReason::Renewed:
        return Texts::tr("Renewed: a process keeps the lock alive.");
    case HoldReason::Slow:
        return Texts::tr("Renewed, but held longer than usual for this key.");
    case HoldReason::LeaseRunning:
        return verdict.signs.contains(Sign::RenewalOverdue)
                   ? Texts::tr("Renewal overdue: the holder is finishing, paused or dead.")
                   : Texts::tr("No renewal seen: the lease is running out.");
    case HoldReason::NeverEnds:
        if (verdict.signs.contains(Sign::StoredTime))
            return Texts::tr("No expiry in Redis. The value is the time of acquisition or of expiry.");
        return verdict.signs.contains(Sign::StoredEnd)
                   ? Texts::tr("No expiry in Redis: the value says when it ends.")
                   : Texts::tr("No expiry: only a release or force-expire ends the lock.");
    case HoldReason::BlockedByDead:
        return isDead ? Texts::tr("Nobody holds the lock; a dead waiter blocks the queue.")
                      : Texts::tr("Nobody holds the lock; nothing wakes its waiters.");
    case HoldReason::HolderDead:
        return Texts::tr("A holder is likely dead: no current heartbeat. Possible: crash, pause, lost "
                         "connection, lost heartbeat.");
    case HoldReason::Unknown:
        break;
    }
    return ofTheUnknown(verdict);
}

QString adviceOf(const HoldVerdict &verdict)
{
    switch (verdict.why) {
    case HoldReason::Renewed:
        return Texts::tr("Let the holder finish: force-expire does not stop it.");
    case HoldReason::Slow:
        return Texts::tr("Find out what the holder waits for; force-expire does not stop it.");
    case HoldReason::LeaseRunning:
        return verdict.signs.contains(Sign::RenewalOverdue)
                   ? Texts::tr("Check the holder's process, or wait for the expiry.")
                   : Texts::tr("Wait for the expiry.");
    case HoldReason::NeverEnds:
        if (verdict.signs.contains(Sign::Heartbeat))
            return adviceOf({HoldReason::Renewed});
        return Texts::tr("Force-expire only if the holder's process has ended.");
    case HoldReason::BlockedByDead:
        return verdict.signs.contains(Sign::DeadWaiter) ? Texts::tr("Remove the dead waiter.")
                                                        : Texts::tr("Wake the queue.");
    case HoldReason::HolderDead:
        return Texts::tr("Force-expire only if the processes of all holders have ended.");
    case HoldReason::Unknown:
        break;
    }
    if (verdict.signs.contains(Sign::Unreadable))
        return Texts::tr("Grant the permission again.");
    return verdict.signs.contains(Sign::UnknownContent)
               ? Texts::tr("First find out which application writes the key.")
               : Texts::tr("Watch the lock for one lease, or find its clients.");
}

} // namespace lockscope

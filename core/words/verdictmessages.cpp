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
        return Words::tr("Unknown: one reading does not tell whether the holder renews the lock.");
    if (verdict.signs.contains(Sign::WeakToken))
        return Words::tr(
            "Unknown: every holder may write this token, so a renewal and a new holder look alike.");
    if (verdict.signs.contains(Sign::UnknownContent))
        return Words::tr("Unknown: the content does not tell whether anybody holds it.");
    return verdict.signs.contains(Sign::Unreadable)
               ? Words::tr("Unknown: this user may not read the lock any more.")
               : Words::tr("Unknown.");
}

} // namespace

QString describe(const HoldVerdict &verdict)
{
    const bool isDead = verdict.signs.contains(Sign::DeadWaiter);
    switch (verdict.why) {
    case HoldReason::Renewed:
        return Words::tr("It is being renewed: a process keeps it alive.");
    case HoldReason::Slow:
        return Words::tr("It is being renewed, and has been held longer than is usual for this key.");
    case HoldReason::LeaseRunning:
        return verdict.signs.contains(Sign::RenewalOverdue)
                   ? Words::tr("The renewal is overdue: its holder is finishing, paused or dead.")
                   : Words::tr("No renewal was seen: its lease is running out, whether its holder is alive "
                               "or not.");
    case HoldReason::NeverEnds:
        if (verdict.signs.contains(Sign::StoredTime))
            return Words::tr("It has no expiry in Redis. What is stored is a time: of the acquisition, or "
                             "after which others may acquire the lock.");
        return verdict.signs.contains(Sign::StoredEnd)
                   ? Words::tr("It has no expiry in Redis: what is stored says until when it holds.")
                   : Words::tr("It has no expiry: only a release or a forced expiry ends it.");
    case HoldReason::BlockedByDead:
        return isDead ? Words::tr("Nobody holds it; its waiters are behind a dead one.")
                      : Words::tr("Nobody holds it; nothing wakes its waiters.");
    case HoldReason::HolderDead:
        return Words::tr("The heartbeat of its holder has stopped: the process has crashed, or cannot reach "
                         "the server.");
    case HoldReason::Unknown:
        break;
    }
    return ofTheUnknown(verdict);
}

QString adviceOf(const HoldVerdict &verdict)
{
    switch (verdict.why) {
    case HoldReason::Renewed:
        return Words::tr("Let it finish: after a forced expiry it works on beside the next holder.");
    case HoldReason::Slow:
        return Words::tr("Find its process and see what it waits for; after a forced expiry it works on "
                         "beside the next holder.");
    case HoldReason::LeaseRunning:
        return verdict.signs.contains(Sign::RenewalOverdue)
                   ? Words::tr("Look at its process, or wait for the expiry.")
                   : Words::tr("Wait for the expiry: it is the safe end.");
    case HoldReason::NeverEnds:
        if (verdict.signs.contains(Sign::Heartbeat))
            return adviceOf({HoldReason::Renewed});
        return Words::tr("Find out whether its process is alive; if it is not, force-expire the lock.");
    case HoldReason::BlockedByDead:
        return verdict.signs.contains(Sign::DeadWaiter) ? Words::tr("Remove the dead waiter.")
                                                        : Words::tr("Wake the queue.");
    case HoldReason::HolderDead:
        return Words::tr("Make sure that its process has ended, then force-expire the lock.");
    case HoldReason::Unknown:
        break;
    }
    if (verdict.signs.contains(Sign::Unreadable))
        return Words::tr("Grant the permission again.");
    return verdict.signs.contains(Sign::UnknownContent)
               ? Words::tr("Find out which application writes the key before you touch it.")
               : Words::tr("Watch it for the length of its lease, or find the clients that use it.");
}

} // namespace lockscope

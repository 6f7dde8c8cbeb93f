// SPDX-License-Identifier: GPL-3.0-or-later
// What this login may not do: kept, told, and tried again.
#include "core/monitor/lockmonitorloop.h"
#include "core/monitor/missingpermissions.h"

namespace lockscope {

using Use = PermissionStatus::Use;

/// Sends a few commands, whose replies decide whether more is retried.
void LockMonitorLoop::retryPermissions(TimePoint now)
{
    if (!canFindLocks())
        schedule.requestScan();
    const Targets targets = permissions.takeRetries(now);
    retryOthers(false);
    send({Reason::Retry, targets, false}, now);
}

void LockMonitorLoop::retryOthers(bool isAll)
{
    if (permissions.isMissing(Use::Load))
        info.ask();
    asksSize = true;
    feed.retryForbidden(isAll); // which interrupts it
    waiters.retryForbidden(isAll);
}

/// Keeps a lock that became unreadable as last read.
void LockMonitorLoop::keepUnreadable(const inspector::Target &target, bool isThere,
                                     const std::optional<Error> &why, TimePoint now)
{
    const bool isLock = locks.find(target.key) != nullptr;
    if (isLock)
        locks.setProblem(target.key, Problem::Unreadable, true);
    methods.forgetType(target.key);
    permissions.refuseKey(target, {isLock, isThere, why}, now);
    flushSoon();
}

/// Drops unreadable keys that a whole pass has not found.
void LockMonitorLoop::dropUnreadable(TimePoint now)
{
    for (const LockKey &key : permissions.endPass([this](QByteArrayView name) { return scan->meets(name); }))
        store({key, std::nullopt}, now, isPushed({key}), true);
}

void LockMonitorLoop::readPermitted(TimePoint now)
{
    for (const LockKey &key : permissions.takeDue())
        pending.add(key, now);
    flushSoon();
}

/// New locks are then found only by a complete feed; known ones are still read.
void LockMonitorLoop::forbidScan(const Error &why, TimePoint now)
{
    permissions.refuse(Use::Scan, "scan", why, now);
    pageTargets.clear();
    schedule.scanForbidden();
    if (!feed.status().tellsNewNames())
        dataAge.markGap(now, false);
    if (coverage() != Coverage::Complete) {
        for (const LockKey &key : locks.keys()) // as they were before the gap
            pending.add(key, now);
        dataAge.rereadsBegan(now);
    }
    flushSoon();
}

void LockMonitorLoop::updateCompanionPermissions(TimePoint now)
{
    permissions.replace(Use::Companions, missingCompanions(waiters.forbidden()), now);
    flushSoon();
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/severity.h"

#include "core/family/certainty.h"
#include "core/family/renewalhealth.h"
#include "core/state/lockstate.h"

#include <algorithm>

namespace lockscope {

namespace {

// The parts of a rank, from its highest bits on.
constexpr int severityBits = 3;
constexpr int waiterBits = 16;
constexpr int momentBits = 64 - severityBits - waiterBits;

} // namespace

Severity severityOf(const WatchedLock &lock, TimePoint at)
{
    if (isNoLock(lock.lock))
        return Severity::None; // also while it is shown
    switch (lastingState(lock)) {
    case LockState::Deadlock:
        return Severity::Deadlock;
    case LockState::Orphaned:
        return Severity::Blocking;
    case LockState::Corrupt:
    case LockState::NoQuorum: // it excludes nobody
        return Severity::Corrupt;
    case LockState::NoExpiry:
        return Severity::NoExpiry;
    case LockState::Unreadable: // whether it is overdue is not known
        return Severity::Problem;
    default:
        break;
    }
    const bool isStalled = isRenewalOverdue(lock, at);
    if (isStalled && lock.lock.companions->waiters.count > 0)
        return Severity::Blocking;
    if (at > unusualDamageAfter(lock))
        return Severity::Unusual;
    return isStalled || lock.problems() ? Severity::Problem : Severity::None;
}

TimePoint unusualDamageAfter(const WatchedLock &lock)
{
    const bool isOne = lock.lock.companions->waiters.count > 0 && lastingState(lock) == LockState::Held;
    return isOne ? lock.unusualAfter : TimePoint::max();
}

quint64 severityRank(const WatchedLock &lock, TimePoint at)
{
    constexpr qint64 most = (1 << (waiterBits - 1)) - 1;
    const Waiters &waiters = lock.lock.companions->waiters;
    const qint64 count = std::clamp<qint64>(waiters.count, 0, most);
    // "At least three" may be more than three.
    const bool mayBeMore = count > 0 && waiters.certainty == WaiterCertainty::AtLeast;
    const quint64 waiting = static_cast<quint64>(2 * count + (mayBeMore ? 1 : 0));
    const quint64 fewer = (quint64(1) << waiterBits) - 1 - waiting;
    const quint64 since =
        (static_cast<quint64>(lock.heldSince.time_since_epoch().count()) ^ (quint64(1) << 63)) >>
        (64 - momentBits);
    return static_cast<quint64>(severityOf(lock, at)) << (64 - severityBits) | fewer << momentBits | since;
}

} // namespace lockscope

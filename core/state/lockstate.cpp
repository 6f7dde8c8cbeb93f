// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/lockstate.h"

#include "core/base/enumnames.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/family/renewalhealth.h"
#include "core/family/weaktoken.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr Problems corruption = Problems(Problem::BadCount) | Problem::SeveralOwners | Problem::WrongType;
/// The last fifth of a lease.
constexpr int expiringPart = 5;
/// A watchdog renews at a third of the lease gone; with less than a third left it has missed two.
constexpr double renewedAbove = 1.0 / 3;

constexpr std::array names{
    Named<LockState>{LockState::Deadlock, "deadlock"},
    Named<LockState>{LockState::Corrupt, "corrupt"},
    Named<LockState>{LockState::Orphaned, "orphaned"},
    Named<LockState>{LockState::NoExpiry, "no-expiry"},
    Named<LockState>{LockState::Stalled, "stalled"},
    Named<LockState>{LockState::Expiring, "expiring"},
    Named<LockState>{LockState::Renewed, "renewed"},
    Named<LockState>{LockState::Held, "held"},
    Named<LockState>{LockState::Ended, "ended"},
    Named<LockState>{LockState::Unreadable, "unreadable"},
    Named<LockState>{LockState::NoQuorum, "no-quorum"},
    Named<LockState>{LockState::QuorumUnknown, "quorum-unknown"},
};
static_assert(names.size() == lockStates);

/// The longest TTL seen: the lease, as far as it is known, and no longer than what a deadline can say.
milliseconds wholeLease(const WatchedLock &lock)
{
    const milliseconds longest =
        std::max({lock.maxObservedTtl, lock.lock.ttl.value_or(milliseconds(0)), milliseconds(1)});
    return std::min(longest, Deadline::horizon);
}

} // namespace

LockState lastingState(const WatchedLock &lock)
{
    const Problems problems = lock.problems();
    if (problems.testFlag(Problem::Unreadable))
        return LockState::Unreadable;
    if (problems.testFlag(Problem::Deadlock))
        return LockState::Deadlock;
    if (problems & corruption)
        return LockState::Corrupt;
    if (problems.testFlag(Problem::Orphaned))
        return LockState::Orphaned;
    if (problems.testFlag(Problem::NoQuorum))
        return LockState::NoQuorum;
    if (lock.lock.quorum && !lock.lock.quorum->isHeld && !lock.lock.owners.isEmpty() && !isHidden(lock.lock))
        return LockState::QuorumUnknown;
    if (lock.lock.deadline)
        return LockState::Held;
    // Where a library gives its locks no expiry by default, and where it is not known whether this is a lock, or whether
    // its fields have an expiry, that is said in the time left, but is no alarm.
    const bool isOpen = certaintyOf(lock) == Certainty::Ambiguous || lock.lock.leaseOf == LeaseOf::Unknown;
    const bool isNormal = isOpen || specOf(lock.lock.family).canLackExpiry;
    return isNormal && !problems.testFlag(Problem::NoExpiry) ? LockState::Held : LockState::NoExpiry;
}

TimePoint stalledAfter(const WatchedLock &lock)
{
    return lastingState(lock) == LockState::Held ? overdueAfter(lock) : TimePoint::max();
}

bool isProblem(LockState state)
{
    switch (state) {
    case LockState::Deadlock:
    case LockState::Corrupt:
    case LockState::Orphaned:
    case LockState::NoQuorum:
    case LockState::NoExpiry:
    case LockState::Stalled:
    case LockState::Unreadable:
        return true;
    case LockState::QuorumUnknown: // which it is for a moment while somebody acquires it
    case LockState::Expiring:
    case LockState::Renewed:
    case LockState::Held:
    case LockState::Ended:
        break;
    }
    return false;
}

Problems unsaidProblems(const WatchedLock &lock, LockState state)
{
    switch (state) {
    case LockState::Unreadable: // what else was wrong may be mended
        return {};
    case LockState::Deadlock:
        return lock.problems() & ~Problems(Problem::Deadlock);
    case LockState::Corrupt:
        return lock.problems() & ~corruption;
    case LockState::Orphaned:
        return lock.problems() & ~(Problems(Problem::Orphaned) | Problem::NoExpiry);
    case LockState::NoQuorum:
        return lock.problems() & ~Problems(Problem::NoQuorum);
    case LockState::NoExpiry:
        return lock.problems() & ~Problems(Problem::NoExpiry);
    default:
        return lock.problems();
    }
}

double leaseLeft(const WatchedLock &lock, TimePoint now)
{
    if (!lock.lock.deadline)
        return 0;
    const auto left = static_cast<double>(lock.lock.deadline->remaining(now).count());
    return std::clamp(left / static_cast<double>(wholeLease(lock).count()), 0.0, 1.0);
}

milliseconds expiringTime(const WatchedLock &lock)
{
    return wholeLease(lock) / expiringPart;
}

LockState passingState(const WatchedLock &lock, TimePoint now)
{
    if (!lock.lock.deadline)
        return LockState::Held;
    const milliseconds left = lock.lock.deadline->remaining(now);
    if (left <= milliseconds::zero())
        return LockState::Ended;
    if (isRenewalOverdue(lock, now))
        return LockState::Stalled;
    if (left < expiringTime(lock))
        return LockState::Expiring;
    const bool isRenewed = lock.renewals > 0 && leaseLeft(lock, now) > renewedAbove && !mayRepeat(lock.lock);
    return isRenewed ? LockState::Renewed : LockState::Held;
}

LockState stateOf(const WatchedLock &lock, TimePoint now)
{
    const LockState lasting = lastingState(lock);
    return lasting == LockState::Held ? passingState(lock, now) : lasting;
}

std::optional<LockState> stateFromName(QByteArrayView name)
{
    return valueIn(names, name);
}

QByteArray stateName(LockState state)
{
    return nameIn(names, state);
}

} // namespace lockscope

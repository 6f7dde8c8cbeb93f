// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/state/lockstate.h"

#include "core/family/certainty.h"
#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/renewalhealth.h"
#include "core/family/weaktoken.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr Problems corruption = Problems(Problem::BadCount) | Problem::SeveralOwners | Problem::WrongType;
constexpr int expiringPart = 5;
/// A watchdog renews when a third of the lease is gone; with a third left it has missed two.
constexpr double renewedAbove = 1.0 / 3;

/// The longest TTL seen: the lease, as far as known, limited to a deadline's range.
milliseconds wholeLease(const WatchedLock &lock)
{
    const milliseconds longest =
        std::max({lock.maxObservedTtl, lock.lock.ttl.value_or(milliseconds(0)), milliseconds(1)});
    return std::min(longest, Deadline::horizon);
}

/// The time since its owner acquired the lock, or began to try.
HeldTime storedHeldTime(const Lock &lock, qint64 wallMs)
{
    if (lock.owners.size() != 1)
        return {};
    const StoredBegin begin = storedBegin(lock, lock.owners.front(), wallMs);
    if (!begin.ms)
        return {};
    const milliseconds held(std::min<qint64>(wallMs - *begin.ms, Deadline::horizon.count()));
    return {begin.isTry ? std::nullopt : std::optional(held), held};
}

} // namespace

LockState lastingState(const WatchedLock &lock)
{
    const Problems problems = lock.problems();
    if (problems.testFlag(Problem::Unreadable))
        return LockState::Unreadable;
    if (isPossible(lock.lock))
        return LockState::Possible;
    if (problems.testFlag(Problem::Deadlock))
        return LockState::Deadlock;
    if (problems & corruption)
        return LockState::Corrupt;
    if (problems.testFlag(Problem::Orphaned))
        return LockState::Orphaned;
    if (problems.testFlag(Problem::NoQuorum))
        return LockState::NoQuorum;
    if (lacksMajority(lock.lock) && !lock.lock.owners.isEmpty() && !isNoLock(lock.lock))
        return LockState::QuorumUnknown;
    return noExpiryOf(lock.lock) == NoExpiry::Problem ? LockState::NoExpiry : LockState::Held;
}

NoExpiry noExpiryOf(const Lock &lock)
{
    const bool isThere = isPossible(lock) || (!isHidden(lock) && !lock.owners.isEmpty());
    if (lock.deadline || lock.leaseOf == LeaseOf::Unknown || !isThere)
        return NoExpiry::None;
    if (lock.problems.testFlag(Problem::NoExpiry))
        return NoExpiry::Problem;
    if (certaintyOf(lock) == Certainty::Ambiguous)
        return NoExpiry::Open;
    return specOf(lock.family).canLackExpiry ? NoExpiry::Usual : NoExpiry::Problem;
}

bool lacksMajority(const Lock &lock)
{
    return lock.quorum && !lock.quorum->isHeld;
}

TimePoint stalledAfter(const WatchedLock &lock)
{
    return lastingState(lock) == LockState::Held ? overdueAfter(lock) : TimePoint::max();
}

bool isProblem(LockState state)
{
    // QuorumUnknown is what it is for a moment while somebody acquires it.
    constexpr std::array problems{LockState::Deadlock,  LockState::Corrupt,  LockState::Orphaned,
                                  LockState::NoQuorum,  LockState::NoExpiry, LockState::Stalled,
                                  LockState::Unreadable};
    return std::ranges::find(problems, state) != problems.end();
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

HeldTime heldTime(const WatchedLock &lock, TimePoint now)
{
    if (lock.heldSince == TimePoint::max() || isNoLock(lock.lock))
        return {};
    const auto held =
        std::chrono::duration_cast<milliseconds>(std::max(now, lock.heldSince) - lock.heldSince);
    HeldTime known;
    if (!mayRepeat(lock.lock)) // else the next holder writes the same
        known.atLeast = held;
    if (lock.hasSeenAcquisition)
        known.atMost = held;
    return known;
}

HeldTime heldTime(const WatchedLock &lock, TimePoint now, qint64 wallMs)
{
    if (lock.lock.owners.isEmpty() || isNoLock(lock.lock) || lock.lock.problems.testFlag(Problem::Orphaned))
        return {};
    return lock.heldSince == TimePoint::max() ? storedHeldTime(lock.lock, wallMs) : heldTime(lock, now);
}

void useStoredBegin(WatchedLock &lock, qint64 wallMs)
{
    const auto held = lock.hasSeenAcquisition ? std::nullopt : storedHeldTime(lock.lock, wallMs).atLeast;
    if (held)
        lock.heldSince = std::min(lock.heldSince, lock.lock.readAt - *held);
}

WatchedLock readOnce(const Lock &lock, TimePoint now, qint64 wallMs)
{
    WatchedLock read;
    read.lock = lock;
    read.maxObservedTtl = lock.ttl.value_or(milliseconds(0));
    const auto held = storedHeldTime(lock, wallMs).atLeast;
    read.heldSince = held ? now - *held : TimePoint::max();
    read.hasSeenAcquisition = held.has_value();
    read.isReadOnce = true;
    return read;
}

} // namespace lockscope

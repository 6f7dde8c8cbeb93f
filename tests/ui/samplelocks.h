// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "tests/support/familyliteral.h"

namespace lockscope::sample {

using namespace std::chrono_literals;

/// The moment at which the samples were read.
inline const TimePoint now = TimePoint(24h);

/// A counted lock of one owner, read now, acquired `held` ago, with `ttl` left of `longest`.
inline WatchedLock reentrant(const QByteArray &key, milliseconds ttl = 20s,
                             const QByteArray &owner = "web-1:7", qint64 holds = 1, milliseconds held = 5s)
{
    WatchedLock watched;
    watched.lock.address.key = LockKey(key);
    watched.lock.family = "reentrant"_family;
    watched.lock.type = KeyType::Hash;
    watched.lock.owners = {{OwnerId(owner), QByteArray::number(holds), holds}};
    watched.lock.ttl = ttl;
    watched.lock.deadline = Deadline{now + ttl, now + ttl};
    watched.lock.readAt = now;
    watched.heldSince = now - held;
    watched.hasSeenAcquisition = true;
    watched.maxObservedTtl = std::max(ttl, milliseconds(30s));
    return watched;
}

inline WatchedLock token(const QByteArray &key, milliseconds ttl = 20s,
                         const QByteArray &owner = "f47ac10b-58cc")
{
    WatchedLock watched = reentrant(key, ttl, owner);
    watched.lock.family = "token"_family;
    watched.lock.type = KeyType::String;
    watched.lock.owners.first().rawHoldCount.clear();
    return watched;
}

inline WatchedLock endless(WatchedLock watched)
{
    watched.lock.ttl.reset();
    watched.lock.deadline.reset();
    watched.lock.problems |= Problem::NoExpiry;
    return watched;
}

inline WatchedLock withProblem(WatchedLock watched, Problem problem)
{
    watched.lock.problems |= problem;
    return watched;
}

inline WatchedLock renewed(WatchedLock watched, int times = 3)
{
    watched.renewals = times;
    watched.lastRenewal = now - 1s;
    return watched;
}

/// One instance of Redisson, whose threads are "CLIENT:1" and so on.
inline const QByteArray client = "3b2c1a09-8f7e-4d6c-9b5a-493827160504";
inline const QByteArray otherClient = "77777777-8f7e-4d6c-9b5a-493827160504";

inline WatchedLock redisson(const QByteArray &key, const QByteArray &owner = client + ":12",
                            Family family = "redisson"_family)
{
    WatchedLock watched = reentrant(key, 20s, owner);
    watched.lock.family = family;
    watched.lock.evidence = {Evidence::Content, Evidence::Lease};
    return watched;
}

/// A lock with these in its queue; one whose id begins with "!" is dead.
inline WatchedLock queued(WatchedLock watched, const QList<QByteArray> &ids)
{
    CompanionState companions;
    companions.implied.insert("redisson-fair"_family);
    companions.waiters.certainty = WaiterCertainty::Exact;
    companions.waiters.count = ids.size();
    for (const QByteArray &id : ids) {
        const bool isDead = id.startsWith('!');
        companions.waiters.queue.append({OwnerId(isDead ? id.mid(1) : id),
                                         {},
                                         isDead ? SubscriptionState::No : SubscriptionState::Yes,
                                         isDead});
        if (isDead)
            watched.setProblem(Problem::DeadWaiter, true);
    }
    watched.lock.companions = CompanionStatePtr(companions);
    return watched;
}

/// A lock to whose channel so many processes listen.
inline WatchedLock listenedTo(WatchedLock watched, qint64 processes)
{
    CompanionState companions;
    companions.waiters.certainty = WaiterCertainty::AtLeast;
    companions.waiters.count = processes;
    watched.lock.companions = CompanionStatePtr(companions);
    return watched;
}

/// Its watchdog has renewed it at two thirds of its thirty seconds, and now it has less than that.
inline WatchedLock stalled(const QByteArray &key, milliseconds ttl = 12s)
{
    WatchedLock watched = renewed(redisson(key));
    watched.lock.ttl = ttl;
    watched.lock.deadline = Deadline{now + ttl, now + ttl};
    watched.minRenewalShare = 170;
    return watched;
}

/// With a problem that only watching tells.
inline WatchedLock seenWith(WatchedLock watched, Problem problem)
{
    watched.setProblem(problem, true);
    return watched;
}

inline LockDiff changes(const QList<WatchedLock> &changed, const QList<QByteArray> &removed = {})
{
    LockDiff diff;
    diff.changed = changed;
    for (const QByteArray &key : removed)
        diff.removed.append(LockKey(key));
    return diff;
}

} // namespace lockscope::sample

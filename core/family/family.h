// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/evidence.h"
#include "core/model/family.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace lockscope {

/// Which evidence makes a family certain, and which likely: each set does by itself, with all that is in it. What meets
/// none of them is ambiguous.
struct Proof
{
    EvidenceSets certain{};
    EvidenceSets likely{};
};

/// How those who wait for a lock learn that it is free.
enum class WaitMechanism : quint8 {
    Polling,          ///< they try again by themselves: nothing to send, and nobody to count
    Message,          ///< Redisson: a message on the lock's channel
    QueueHeadChannel, ///< Redisson's fair lock: a message on the channel of the first in the queue
    Handoff,          ///< the lock is given to the first in the queue
    ListPush,         ///< python-redis-lock and sidekiq-unique-jobs: an element pushed to a list
    KeyMessage,       ///< Spring: a message named like the key
};

/// What becomes of an owner whose lock was ended by force.
enum class OwnerImpact : quint8 {
    Unaware,         ///< learns nothing until it releases, or never
    FailsRelease,    ///< its release fails, with an exception or a result that says so
    JobReassigned,   ///< its job is given to another worker while it may still run
    FailsRenewal,    ///< its next renewal fails
    RewritesLock,    ///< its next renewal writes the lock anew, unless somebody has taken it meanwhile
    DeletesNextLock, ///< its release deletes whatever is there, the next owner's lock included
};

/// Why the tool does not take such a lock for an operator, or that it does.
enum class AcquireSupport : quint8 {
    Supported,
    BypassesQueue, ///< a queue stands there: it would be jumped
    IsJob,         ///< the lock belongs to a job in a queue: taking it would stall that job
    NoOwners,      ///< a counter without owners: what was taken could not be told from the rest
    NoScript,      ///< no script of ours writes this form
};

/// What is known of a family.
struct FamilyFacts
{
    Family family;
    const char *name; ///< as programs read it
    Proof proof;
    WaitMechanism wake;
    OwnerImpact oldOwner;
    AcquireSupport taking;
    bool severalOwners; ///< more than one at a time is no problem
    bool canLackExpiry; ///< no expiry is what its users get by default
    bool renews;        ///< by default its holder renews the lease while it lives
};

const FamilyFacts &factsOf(Family family);

/// As programs read it: JSON, command line, settings. Never translated.
QByteArray familyName(Family family);
std::optional<Family> familyFromName(QByteArrayView name);

/// Whether a lock of this family that never ends by itself is a fault, and not what its users get by default.
inline bool needsExpiry(Family family)
{
    return !factsOf(family).canLackExpiry;
}

/// Redisson's locks kept as a hash with one owner: plain, fair and fenced ones.
constexpr bool isRedissonLock(Family family)
{
    return family == Family::Redisson || family == Family::RedissonFair || family == Family::RedissonFenced;
}
/// A hash with a field an owner and its holds as the value.
constexpr bool isCounted(Family family)
{
    return family == Family::Reentrant || family == Family::Handoff || isRedissonLock(family) ||
           family == Family::RedissonReadWrite;
}

} // namespace lockscope

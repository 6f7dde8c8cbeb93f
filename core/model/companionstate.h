// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/sharedvalue.h"
#include "core/base/taggedbytes.h"
#include "core/model/family.h"
#include "core/model/lockowner.h"
#include "core/model/silence.h"

#include <QList>
#include <QMetaType>

#include <algorithm>

namespace lockscope {

/// How far a number of waiters can be trusted.
enum class WaiterCertainty : quint8 {
    Unknown, ///< they poll, or may not be asked for
    AtLeast, ///< so many processes listen, each for one waiting thread or more
    Exact,   ///< each stands in a queue
};

/// Whether a waiter that stands in a queue is still there to be woken.
enum class SubscriptionState : quint8 {
    Unknown,
    Yes,
    No,       ///< nobody subscribes to its channel: its process is gone, or has not come so far yet
    NotHeard, ///< nobody does on this server, which proves nothing: see Waiters::silence
};

/// One that waits, as its queue names it.
struct Waiter
{
    OwnerId id;
    CompactOptional<qint64>
        timeoutAtMs; ///< epoch ms by the clock of the waiters: from then on others may skip it
    SubscriptionState listening = SubscriptionState::Unknown;
    bool isDead = false; ///< did not listen at several looks in a row

    friend bool operator==(const Waiter &, const Waiter &) = default;
};

/// Those that wait for a lock.
struct Waiters
{
    /// Waiters read of a queue; the count is of all.
    static constexpr int most = 64;

    WaiterCertainty certainty = WaiterCertainty::Unknown;
    qint64 count = 0;
    QList<Waiter> queue;                 ///< in order; empty where only the number is known
    Silence silence = Silence::NotAsked; ///< what it proves of those in the queue when nobody listens

    friend bool operator==(const Waiters &, const Waiters &) = default;
};

/// One of Redisson's semaphore, as it was given out.
struct Permit
{
    OwnerId id; ///< raw bytes
    CompactOptional<qint64>
        expiresAtMs; ///< epoch ms by the clock of its holder: then the next to ask takes it; absent: never

    friend bool operator==(const Permit &, const Permit &) = default;
};

/// What the heartbeats of a lock's holders tell, where its family says how they are kept.
struct Heartbeat
{
    enum class State : quint8 {
        Unknown, ///< there is none, it may not be read, or it is nothing that could be one
        Alive,   ///< of all holders
        Dead,    ///< of one at least
    };
    State state = State::Unknown;
    CompactOptional<qint64>
        untilMs; ///< epoch ms: from then on, without another, the first of them counts as dead

    friend bool operator==(const Heartbeat &, const Heartbeat &) = default;
};

/// What this login may not learn of a lock, since it may not read what stands beside it.
enum class Unread : quint8 {
    Nothing,
    Waiters, ///< who waits, or how many
    Kind,    ///< and of what kind the lock is
};

/// What stands beside a lock under names of its own, and on channels.
struct CompanionState
{
    Waiters waiters;
    /// Families whose companions were there, now or since the lock is known: a fair queue, a counter of fencing tokens,
    /// the job whose lock it is.
    FamilySet implied;
    bool hasListeners = false; ///< somebody listened on the channel on which Redisson's locks are told free
    QList<Permit> permits;     ///< sorted by id, at most mostPermits
    bool morePermits = false;  ///< than are kept here
    QByteArray freePermits;    ///< how many are left, as stored
    QByteArray fencingToken;   ///< the last one given
    QByteArray worker;         ///< BullMQ: the name of the worker that runs the job
    CompactOptional<qint64> startedMs; ///< BullMQ: when it began to, epoch ms
    SharedValue<OwnerFacts> facts;     ///< what a record beside the lock says of its owners
    Heartbeat heartbeat;
    Unread unread = Unread::Nothing;

    static constexpr qsizetype mostPermits = 64;
    const Permit *permitOf(const OwnerId &id) const
    {
        const auto at = std::ranges::find(permits, id, &Permit::id);
        return at == permits.end() ? nullptr : &*at;
    }

    /// What told the kind of the lock once tells it as long as the lock is known.
    void keepKindOf(const CompanionState &before)
    {
        implied.insert(before.implied);
        hasListeners = hasListeners || before.hasListeners;
    }

    friend bool operator==(const CompanionState &, const CompanionState &) = default;
};

/// Most locks have none.
using CompanionStatePtr = SharedValue<CompanionState>;

} // namespace lockscope

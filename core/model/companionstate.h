// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/compactoptional.h"
#include "core/base/sharedvalue.h"
#include "core/base/taggedbytes.h"
#include "core/model/family.h"
#include "core/model/lockowner.h"
#include "core/model/nosubscribersmeaning.h"

#include <QList>
#include <QMetaType>

#include <algorithm>

namespace lockscope {

enum class WaiterCertainty : quint8 {
    Unknown, ///< they poll, or may not be read
    AtLeast, ///< number of subscribed processes, each with one or more waiting threads
    Exact,   ///< from a queue
};

/// Whether a queued waiter can still be woken.
enum class SubscriptionState : quint8 {
    Unknown,
    Yes,
    No,       ///< no subscription to its channel: its process is gone, or not subscribed yet
    NotHeard, ///< no subscription on this server, which proves nothing: see Waiters::silence
};

struct Waiter
{
    OwnerId id;
    CompactOptional<qint64> timeoutAtMs; ///< epoch ms by the waiters' clock, after which others may skip it
    SubscriptionState listening = SubscriptionState::Unknown;
    bool isDead = false; ///< not subscribed at several readings in a row

    friend bool operator==(const Waiter &, const Waiter &) = default;
};

struct Waiters
{
    /// Limit of waiters read; the count includes all.
    static constexpr int most = 64;

    WaiterCertainty certainty = WaiterCertainty::Unknown;
    qint64 count = 0;
    QList<Waiter> queue; ///< in order; empty if only the number is known
    NoSubscribersMeaning silence = NoSubscribersMeaning::NotAsked; ///< meaning of a missing subscription

    friend bool operator==(const Waiters &, const Waiters &) = default;
};

struct Permit
{
    OwnerId id; ///< raw bytes
    CompactOptional<qint64>
        expiresAtMs; ///< epoch ms by the holder's clock, after which the next request takes it; absent: never

    friend bool operator==(const Permit &, const Permit &) = default;
};

/// A holder whose heartbeats have stopped.
struct GoneHolder
{
    OwnerId owner;
    CompactOptional<qint64>
        untilMs; ///< epoch ms when its last heartbeat ended; absent: nothing is left of it
    qint64 holds = 1;
    bool isProven =
        true; ///< false: only its record is missing, which an old version of the library leaves too

    friend bool operator==(const GoneHolder &, const GoneHolder &) = default;
};

/// The heartbeats of a lock's holders, if its family has them.
struct Heartbeat
{
    enum class State : quint8 {
        Unknown, ///< none, unreadable, or invalid
        Alive,   ///< all holders
        Dead,    ///< at least one holder
    };
    State state = State::Unknown;
    CompactOptional<qint64>
        untilMs; ///< epoch ms when the first holder counts as dead without another heartbeat
    QList<GoneHolder> gone{};
    bool areAllGone = false; ///< no other holder is known
    /// Dead says nothing: of a replica, or the server refuses writes, or neither could be asked.
    bool isDoubtful = false;

    friend bool operator==(const Heartbeat &, const Heartbeat &) = default;
};

/// What is unknown about a lock because its companion keys may not be read.
enum class Unread : quint8 {
    Nothing,
    Heartbeat, ///< whether the holders live
    Waiters,   ///< waiters or their number
    Kind,      ///< also the family
};

/// The state of a lock's companion keys and channels.
struct CompanionState
{
    Waiters waiters;
    /// Families whose companions exist, or did since the lock is known: a fair queue, a counter of fencing
    /// tokens, the job of the lock.
    FamilySet implied;
    bool hasListeners = false; ///< on the wake-up channel of Redisson's locks
    QList<Permit> permits;     ///< sorted by ID, at most maxPermits
    bool morePermits = false;
    QByteArray freePermits;            ///< number of free permits, as stored
    QByteArray fencingToken;           ///< last one issued
    QByteArray worker;                 ///< BullMQ: name of the job's worker
    CompactOptional<qint64> startedMs; ///< BullMQ: start of the job, epoch ms
    SharedValue<OwnerFacts> facts;     ///< facts about the owners in a companion record
    Heartbeat heartbeat;
    Unread unread = Unread::Nothing;

    static constexpr qsizetype maxPermits = 64;
    const Permit *permitOf(const OwnerId &id) const
    {
        const auto at = std::ranges::find(permits, id, &Permit::id);
        return at == permits.end() ? nullptr : &*at;
    }

    /// Keeps the lock's family once companions have shown it, while the lock is known.
    void keepKindOf(const CompanionState &before)
    {
        implied.insert(before.implied);
        hasListeners = hasListeners || before.hasListeners;
    }

    friend bool operator==(const CompanionState &, const CompanionState &) = default;
};

/// Null for most locks.
using CompanionStatePtr = SharedValue<CompanionState>;

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/companionstate.h"
#include "core/model/family.h"
#include "core/redis/command.h"
#include "core/redis/reply.h"

#include <span>
#include <vector>

namespace lockscope {

struct Lock;

/// What is known of one lock's companions so far: the keys and channels that its library keeps for it.
struct PartialCompanionState
{
    CompanionState state;
    FamilySet read;                  ///< families whose companions were read or are known to be missing
    Family queueOf;                  ///< unknown: no queue was found
    qint64 listeners = -1;           ///< -1: unknown
    QList<LockOwner> holders{};      ///< named by a companion key
    qsizetype heartbeats = 0;        ///< number of holders whose heartbeats were requested
    bool isBeatMissing = false;      ///< no heartbeat was found for at least one of them
    bool isHolderUnreadable = false; ///< there may be others
    bool queueRead = false;          ///< true also if the queue is empty
    bool isOutOfReach = false;       ///< stored on another cluster node that could not be read
    bool isLonger = false; ///< the queue is longer than what was read, and its length was not requested
    bool isOfTwin = false; ///< the queue belongs to the other lock of sameCompanions()
};

struct CompanionQuery;
using CompanionQueries = std::vector<const CompanionQuery *>;

/// A batch of commands about a lock's companions, and how their replies are read.
struct CompanionQuery
{
    std::span<const QByteArrayView> commands; ///< names of the commands that append() adds, in lower case
    int weight = 1;                           ///< server cost, in reads of a key
    int apart = 0; ///< 1 or 2: its refusal says nothing about the family's queries of another number
    void (*append)(CommandBatch &batch, const Lock &lock, const PartialCompanionState &reading) = nullptr;
    /// Reads one reply per command, none of them a refusal. A key that is missing, of another type or on
    /// another node counts as missing. Returns the follow-up queries. `self`: the declaring family.
    CompanionQueries (*take)(const Lock &lock, PartialCompanionState &reading, std::span<const Reply> replies,
                             Family self) = nullptr;
    /// Returns a glob of the keys that it reads, for an ACL rule; nullptr: it reads only the lock's own key.
    QByteArray (*pattern)(const Lock &lock) = nullptr;
};

/// The companion keys of a family, and how they are read.
struct Companions
{
    /// True if the lock is of the family, or if companions may show that it is. nullptr: no companions.
    bool (*mayHave)(const Lock &lock) = nullptr;
    /// Keys of which at least one exists if there is any companion; read first, for several families at once.
    QByteArrayList (*signs)(const LockKey &lock) = nullptr;
    /// Sent if a sign exists or companions existed before; at once if signs is nullptr.
    std::span<const CompanionQuery *const> queries{};
    /// Returns further queries for some locks only; nullptr: none.
    CompanionQueries (*more)(const Lock &lock) = nullptr;
    std::span<const CompanionQuery *const> later{}; ///< queries that a take() or `more` may return
    bool decideKind = false;                        ///< the family is unknown until companions are read
    bool needOneServer = false;                     ///< they cannot be read on a cluster
    bool tellWaiters = true;                        ///< waiters are known only after companions are read
    /// The list of waiters; nullptr: none.
    QByteArray (*queue)(const LockKey &lock) = nullptr;
    bool (*isWaiter)(QByteArrayView member) = nullptr; ///< a predicate for queue elements; nullptr: all are
};

// For the queries of families.
constexpr QByteArrayView lastWaiterAsked = "63";  // index, for at most Waiters::most waiters
constexpr QByteArrayView lastByteOfToken = "31";  // index; a number of 64 bits has 20 digits
constexpr QByteArrayView lastByteOfOwner = "511"; // index; owner IDs are shorter

/// Reads epoch ms as libraries write them, with an optional fraction; absent for anything else.
CompactOptional<qint64> epochMsIn(const QByteArray &text);
/// The text of the reply; empty for other replies.
QByteArray textIn(const Reply &reply);
/// Reads the counter of fencing tokens, a companion of this family only.
void takeFencingToken(PartialCompanionState &reading, const Reply &reply, Family self);
/// True if the reply to EXISTS counts at least one key.
bool isThere(const Reply &reply);
/// Reads the members of a queue, unless a queue of another family was found.
void takeQueue(PartialCompanionState &reading, const Reply &members, Family self);
/// The waiters in the reply to LRANGE on this family's queue.
QList<Waiter> waitersIn(const Reply &members, Family family);
/// Sets each waiter's timeout from the members and scores in a reply to ZRANGE.
void takeTimeouts(QList<Waiter> &queue, const Reply &scores);

} // namespace lockscope

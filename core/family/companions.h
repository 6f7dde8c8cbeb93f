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
struct CompanionReading
{
    CompanionState state;
    FamilySet read;             ///< whose companions were read, or are known not to be there
    Family queueOf;             ///< whose queue was found; unknown: none was
    qint64 listeners = -1;      ///< -1: not known
    QList<LockOwner> holders{}; ///< whom a key beside the lock names
    qsizetype heartbeats = 0;   ///< holders whose heartbeats were asked for
    bool isBeatMissing = false; ///< of one of them nothing is known
    bool queueRead = false;     ///< there may be none
    bool isOutOfReach = false;  ///< on another node of the cluster, which could not be asked
    bool isLonger = false;      ///< the queue has more than are kept, and how many was not asked
    bool isOfTwin = false;      ///< the queue belongs to another lock, whose companions have the same names
};

struct CompanionQuery;
using CompanionQueries = std::vector<const CompanionQuery *>;

/// One question about a lock's companions: some commands in one batch, and what their replies mean.
struct CompanionQuery
{
    std::span<const QByteArrayView> commands; ///< the names of those that append() adds, in lower case
    int weight = 1;                           ///< what they cost the server, in reads of a key
    int apart = 0; ///< 1 or 2: refused, it says nothing about the family's queries of another number
    void (*append)(CommandBatch &batch, const Lock &lock, const CompanionReading &reading) = nullptr;
    /// As many replies as commands, none of them a refusal. What is missing, of another type or on another node is not
    /// there. Returns what else is to be asked. `self`: the family that declares the query.
    CompanionQueries (*take)(const Lock &lock, CompanionReading &reading, std::span<const Reply> replies,
                             Family self) = nullptr;
    /// A glob of keys like those that it reads, for a rule that permits them; nullptr: of the lock's own key alone.
    QByteArray (*pattern)(const Lock &lock) = nullptr;
};

/// What a family keeps beside its locks, and how that is read.
struct Companions
{
    /// Whether such a lock may have them: its family, or one that what is read here may turn out to be. nullptr: none.
    bool (*mayHave)(const Lock &lock) = nullptr;
    /// Keys of which one is there where there is anything at all: asked first, for several families at once.
    QByteArrayList (*signs)(const LockKey &lock) = nullptr;
    /// Asked where there is a sign, or they were there before; at once where signs is nullptr.
    std::span<const CompanionQuery *const> queries{};
    /// For what is asked of some locks alone; nullptr: nothing.
    CompanionQueries (*more)(const Lock &lock) = nullptr;
    std::span<const CompanionQuery *const> later{}; ///< what answers, and `more`, may bring up
    bool decideKind = false;    ///< without them it is not known which family the lock is of
    bool needOneServer = false; ///< a cluster has none
    bool tellWaiters = true;    ///< who waits is known only where they were read
    /// The list in which waiters stand; nullptr: none.
    QByteArray (*queue)(const LockKey &lock) = nullptr;
    bool (*isWaiter)(QByteArrayView member) = nullptr; ///< an element of the queue; nullptr: each is
};

// For the queries of families.
constexpr QByteArrayView lastWaiterAsked = "63";  // of Waiters::most
constexpr QByteArrayView lastByteOfToken = "31";  // a number of 64 bits has 20
constexpr QByteArrayView lastByteOfOwner = "511"; // longer ones are none

/// Epoch ms as libraries write them, with a fraction or not; absent for anything else.
CompactOptional<qint64> epochMsIn(const QByteArray &text);
/// Empty where the reply is no text.
QByteArray textIn(const Reply &reply);
/// The counter of fencing tokens, which only this family has.
void takeFencingToken(CompanionReading &reading, const Reply &reply, Family self);
/// EXISTS found one at least.
bool isThere(const Reply &reply);
/// Takes the members of a queue, unless another kind of queue was there.
void takeQueue(CompanionReading &reading, const Reply &members, Family self);
/// The waiters in the reply to LRANGE of this family's queue.
QList<Waiter> waitersIn(const Reply &members, Family family);
/// Of the members and scores in a reply to ZRANGE: until when each of the waiters waits.
void takeTimeouts(QList<Waiter> &queue, const Reply &scores);

} // namespace lockscope

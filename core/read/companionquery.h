// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/read/companionaccess.h"
#include "core/redis/command.h"
#include "core/redis/reply.h"

#include <span>
#include <vector>

namespace lockscope {

/// What is asked about one lock at once; who listens on channels is asked for many locks together.
enum class CompanionQuery : quint8 {
    AnyProbe, ///< whether there is anything at all beside a counted hash: most have nothing
    RedissonProbe,
    RedissonQueue,
    RedissonFence,
    Twin, ///< of a queue without its lock: whether it is another lock's, for Redisson names both queues alike
    HandoffProbe,
    HandoffQueue,
    HandoffWaiters,
    HandoffFence,
    Permits,
    Job,
    DigestQueue,
    WaitingWriter, ///< which stands where the next writer's hold will
    Length,        ///< of a queue that was not read whole
};

/// What is known of one lock so far.
struct PartialCompanionState
{
    CompanionState beside;
    qint64 listeners = -1;     ///< -1: not known
    bool redissonRead = false; ///< its queue, or that there is none
    bool handoffRead = false;
    bool permitsRead = false;
    bool isLonger = false;  ///< the queue has more than are kept, and how many may not be asked
    bool queueRead = false; ///< there may be none
    bool isHandoff = false; ///< the queue is of lua/handoff/
    bool isOfTwin = false;  ///< or of the other lock with such companions
};

namespace besides {

/// A hash that a class of Redisson's with a queue or a fence may have written, or lua/handoff/.
bool isCounted(const Lock &lock);
bool isJob(const Lock &lock);
bool isOfDigest(const Lock &lock);
/// A bare number: only who listens to it tells of what.
bool isCounter(const Lock &lock);
/// One of Redisson's, maybe: then its permits stand beside it.
bool mayHavePermits(const Lock &lock);
/// The readers of madelson's read-write lock.
bool isReaders(const Lock &lock);

/// The first questions about a lock, as far as the scope lets them be asked. What was there before is asked for at once;
/// else it is looked first whether there is anything.
std::vector<CompanionQuery> firstQuestions(const Lock &lock, const CompanionAccess &scope);
/// Adds its commands,
void append(CommandBatch &batch, CompanionQuery question, const Lock &lock,
            const PartialCompanionState &seen);
/// so many,
int commandCount(CompanionQuery question);
/// which take the server so long, in reads of a key.
int weightOf(CompanionQuery question);
/// Takes their replies, and says what else is to be asked. What is missing, of another type or on another node is not
/// there.
std::vector<CompanionQuery> takeAnswer(CompanionQuery question, const Lock &lock, PartialCompanionState &seen,
                                       std::span<const Reply> replies);
/// They were refused: what is to be asked instead.
std::vector<CompanionQuery> takeRefusal(CompanionQuery question, const Lock &lock, CompanionAccess &scope,
                                        const Error &why);
/// What is not known of the lock, since this login may not ask.
Unread unreadOf(const Lock &lock, const PartialCompanionState &seen, const CompanionAccess &scope);

/// They were answered: the scope learns that they may be asked.
void noteAnswer(CompanionQuery question, const Lock &lock, CompanionAccess &scope);

/// The command that reads the queue of a lock that has one, and what it said.
void appendQueue(CommandBatch &batch, const Lock &lock);
QList<Waiter> queueFrom(const Lock &lock, const Reply &members);

} // namespace besides

} // namespace lockscope

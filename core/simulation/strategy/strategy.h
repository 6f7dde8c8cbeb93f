// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <memory>
#include <stop_token>

namespace lockscope {

class WorkerConnections;
class SubscriptionHub;

/// What an attempt to acquire came to.
struct AcquireResult
{
    enum class Verdict : quint8 {
        Acquired,
        Reentered,
        Refused, ///< another holds it; the caller is not in any queue
        Queued,  ///< another holds it, and the lock is going to be handed to the caller
        Lost,    ///< re-entry of a lock that the caller no longer holds
        Died,    ///< a simulated crash in the middle of the attempt
    };

    Verdict verdict = Verdict::Refused;
    std::optional<milliseconds>
        ttl;           ///< refused or queued: what is left of the holder's lease, where it was told
    qint64 fence = -1; ///< a fencing token, where the algorithm has one

    bool holds() const { return verdict == Verdict::Acquired || verdict == Verdict::Reentered; }
};

/// How a release ended, as the worker was told.
struct ReleaseResult
{
    enum class Verdict : quint8 {
        Released,
        Unwound, ///< one level less
        NotHeld, ///< gone, or another's: nothing was changed
        Died,    ///< a simulated crash in the middle
    };

    Verdict verdict = Verdict::NotHeld;
    bool deleted = false;                    ///< the server deleted a key, whosever lock it was
    bool execRefused = false;                ///< a transaction did not run, since the key had changed
    bool isPublished = false;                ///< waiters were sent a message about it
    std::optional<milliseconds> handedFor{}; ///< the lock was handed to a waiter, for so long
};

/// A message that came while a worker waited for it.
struct WakeMessage
{
    TimePoint readAt; ///< by this program
    TimePoint
        sentAfter; ///< it was published after this moment; where a worker is named, the moment at which that one sent it
    int worker = -1; ///< who published it, as the message says; -1: it does not say
};

/// Why a waiting worker goes on.
struct WakeResult
{
    bool byMessage = false;             ///< false: its own timer ended, or it polls
    std::optional<AcquireResult> grant; ///< the lock was handed over: no further attempt is needed
    std::optional<WakeMessage>
        message{}; ///< absent with byMessage: one may have been missed, so a look is due
};

/// What one attempt is for.
struct AcquireRequest
{
    milliseconds lease;
    std::optional<TimePoint> patience; ///< absent: tries once and never waits
};

/// Called by a strategy between two commands that belong together, where a client can die or stand still.
class FaultHook
{
public:
    enum class Moment : quint8 {
        BeforeExpire, ///< token-setnx: SETNX succeeded, EXPIRE is next
        BeforeDelete, ///< of a release that hasGap(): the comparison succeeded, the delete is next
    };
    virtual ~FaultHook() = default;
    /// False: the client dies here; the strategy sends nothing more and answers Died.
    virtual bool pass(Moment moment) = 0;
};

/// What a worker has for one lock. All referred to outlive the strategy.
struct StrategyContext
{
    WorkerConnections &links;
    SubscriptionHub
        &hub; ///< shared by the workers of a process, as the threads of a Redisson client share theirs
    FaultHook &faultHook;
    std::mt19937 &random;
    std::stop_token stop;
    LockKey key;
    OwnerId
        owner; ///< reentrant families: process and worker; token families draw a new token for each acquisition
    int worker = -1; ///< its number in the run
};

/// How one worker takes one lock and gives it back: linear, blocking code on the worker's thread, as real
/// clients are. Remembers what it believes to hold. An Error means that the outcome is not known, or that
/// nothing was sent; after OutcomeUnknown the worker asks storedHolds() and says believe(), unless the algorithm
/// retries blindly.
class LockStrategy
{
public:
    virtual ~LockStrategy() = default;

    /// One attempt; a further level where it believes to hold the lock already.
    virtual Result<AcquireResult> acquire(const AcquireRequest &request) = 0;
    /// After Refused or Queued: blocks until there is reason to try again, at most until `until` (a stop ends it
    /// within 50 ms). Where wake-ups can be lost with their connection or their sender, it ends by itself when
    /// the holder's lease, as last told, has ended.
    virtual Result<WakeResult> await(TimePoint until) = 0;
    /// Ends the waiting: leaves a queue. An Attempt that holds means: the lock had been handed over already.
    virtual Result<AcquireResult> giveUp() = 0;
    /// One level. Without a belief to hold it: NotHeld, and nothing is sent.
    virtual Result<ReleaseResult> release() = 0;
    /// Sets the lease anew; false: not held any more.
    virtual Result<bool> renew(milliseconds lease) = 0;

    /// How many levels of this owner the server has: what is true after an unknown outcome.
    virtual Result<int> storedHolds() = 0;
    int localHoldCount() const { return m_localHoldCount; }
    void setLocalHoldCount(int holds) { m_localHoldCount = holds; }
    /// Whether it relies on being woken, so that a wake-up can be lost.
    virtual bool isWoken() const = 0;

protected:
    int m_localHoldCount = 0;
};

std::unique_ptr<LockStrategy> makeStrategy(const Algorithm &algorithm, const StrategyContext &context);

/// Every key that an algorithm may write for a lock, itself first: to look for foreign ones, and to clean up.
QList<QByteArray> keysOf(StrategyKind kind, const LockKey &key);

} // namespace lockscope

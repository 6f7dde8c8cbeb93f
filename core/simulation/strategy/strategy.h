// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"
#include "core/simulation/strategy/workerconnections.h"

#include <memory>
#include <stop_token>

namespace lockscope {

class RetryPolicy;
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
        ttl{};         ///< refused or queued: what is left of the holder's lease, where it was told
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
    bool byMessage = false;               ///< false: its own timer ended, or it polls
    std::optional<AcquireResult> grant{}; ///< the lock was handed over: no further attempt is needed
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

/// A way to end a lock by its key and at most its token, whichever algorithm acquired it.
using LockReleaser = Result<ReleaseResult> (*)(const StrategyContext &context, const QByteArray &token);
/// Null for ReleaseMethod::Usual: a script of the strategy's own.
LockReleaser releaserOf(ReleaseMethod form);

/// How one worker takes one lock and gives it back: linear, blocking code on the worker's thread, as real
/// clients are. Made of three parts: how a lock is taken, which is the subclass, how it is given back and how a refused
/// worker comes to try again. Remembers what it believes to hold. An Error means that the outcome is not known, or that
/// nothing was sent; after OutcomeUnknown the worker asks storedHolds() and says setLocalHoldCount(), unless the
/// algorithm retries blindly.
class LockStrategy
{
public:
    LockStrategy(const Algorithm &algorithm, const StrategyContext &context);
    virtual ~LockStrategy();

    /// One attempt; a further level where it believes to hold the lock already.
    Result<AcquireResult> acquire(const AcquireRequest &request);
    /// After Refused or Queued: blocks until there is reason to try again, at most until `until` (a stop ends it
    /// within 50 ms). Where wake-ups can be lost with their connection or their sender, it ends by itself when
    /// the holder's lease, as last told, has ended.
    virtual Result<WakeResult> await(TimePoint until);
    /// Ends the waiting: leaves a queue. An Attempt that holds means: the lock had been handed over already.
    virtual Result<AcquireResult> giveUp();
    /// One level. Without a belief to hold it: NotHeld, and nothing is sent.
    Result<ReleaseResult> release();
    /// Sets the lease anew; false: not held any more.
    Result<bool> renew(milliseconds lease);

    /// How many levels of this owner the server has: what is true after an unknown outcome.
    virtual Result<int> storedHolds() = 0;
    int localHoldCount() const { return m_localHoldCount; }
    void setLocalHoldCount(int holds) { m_localHoldCount = holds; }
    /// Whether it relies on being woken, so that a wake-up can be lost.
    virtual bool isWoken() const;

protected:
    /// One attempt. Reads the belief and leaves it alone.
    virtual Result<AcquireResult> take(const AcquireRequest &request) = 0;
    /// One level, by the algorithm's own script; only where ReleaseMethod::Usual is one.
    virtual Result<ReleaseResult> releaseLevel() { return ReleaseResult{}; }
    virtual Result<bool> extend(milliseconds lease) = 0;
    /// What the stored value must be for a release that compares it.
    virtual QByteArray token() const { return {}; }

    BlockingConnection &connection() { return m_context.links.commands(); }
    const QByteArray &key() const { return m_context.key.bytes; }
    /// When the holder's lease ends, as the last attempt was told.
    std::optional<TimePoint> holdersEnd() const { return m_holdersEnd; }

    StrategyContext m_context;
    int m_localHoldCount = 0;

private:
    const LockReleaser m_releaser; ///< null: releaseLevel()
    std::unique_ptr<RetryPolicy> m_retryPolicy;
    std::optional<TimePoint> m_holdersEnd;
};

std::unique_ptr<LockStrategy> makeStrategy(const Algorithm &algorithm, const StrategyContext &context);

/// For StrategySpec::make.
template <typename Strategy>
std::unique_ptr<LockStrategy> makeStrategyOf(const Algorithm &algorithm, const StrategyContext &context)
{
    return std::make_unique<Strategy>(algorithm, context);
}

/// The count of an owner in a lock that is a hash; 0: none.
Result<int> countInHash(const StrategyContext &context);

/// A lease as the scripts take it; kept, since it hardly ever changes.
class LeaseText
{
public:
    const QByteArray &inSeconds(milliseconds lease);
    const QByteArray &inSeconds() const { return m_text; } ///< as last given

private:
    milliseconds m_lease{0};
    QByteArray m_text;
};

/// Every key that an algorithm may write for a lock, itself first: to look for foreign ones, and to clean up.
QList<QByteArray> keysOf(StrategyKind kind, const LockKey &key);

} // namespace lockscope

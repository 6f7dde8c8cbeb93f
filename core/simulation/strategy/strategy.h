// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"
#include "core/simulation/strategy/workerconnections.h"

#include <memory>
#include <stop_token>

namespace lockscope {

class RetryPolicy;
class SubscriptionHub;

struct AcquireResult
{
    enum class Verdict : quint8 {
        Acquired,
        Reentered,
        Refused, ///< held by another; the caller is not in a queue
        Queued,  ///< held by another; a handoff to the caller follows
        Lost,    ///< re-entry of a lock that the caller no longer holds
        Died,    ///< a simulated crash during the attempt
    };

    Verdict verdict = Verdict::Refused;
    std::optional<milliseconds> ttl{}; ///< Refused or Queued: time left of the holder's lease, if known
    qint64 fence = -1;                 ///< if the algorithm has one

    bool holds() const { return verdict == Verdict::Acquired || verdict == Verdict::Reentered; }
};

struct ReleaseResult
{
    enum class Verdict : quint8 {
        Released,
        Unwound,
        NotHeld, ///< missing, or another owner's: unchanged
        Died,    ///< a simulated crash during the release
    };

    Verdict verdict = Verdict::NotHeld;
    bool deleted = false;                    ///< the server deleted a key, of any owner
    bool execRefused = false;                ///< a transaction did not run because the key had changed
    bool isPublished = false;                ///< waiters were sent a message
    std::optional<milliseconds> handedFor{}; ///< the lease of a handoff to a waiter
};

/// A message that a waiting worker received.
struct WakeMessage
{
    TimePoint readAt;    ///< by this program
    TimePoint sentAfter; ///< earliest time of publication; if it names a worker, when that one sent it
    int worker = -1;     ///< its publisher, if named; otherwise -1
};

/// Why a waiting worker continues.
struct WakeResult
{
    bool byMessage = false;               ///< false: its own timer ended, or it polls
    std::optional<AcquireResult> grant{}; ///< a handoff: no further attempt is needed
    std::optional<WakeMessage>
        message{}; ///< absent with byMessage: one may have been missed, so read the lock
};

struct AcquireRequest
{
    milliseconds lease;
    std::optional<TimePoint> patience; ///< absent: a single attempt without waiting
};

/// Called by a strategy between two related commands, where a client can crash or pause.
class FaultHook
{
public:
    enum class Moment : quint8 {
        BeforeExpire, ///< token-setnx: between SETNX and EXPIRE
        BeforeDelete, ///< in a release with hasGap(): between comparison and delete
    };
    virtual ~FaultHook() = default;
    /// False: the client crashes; the strategy sends nothing more and returns Died.
    virtual bool pass(Moment moment) = 0;
};

/// A worker's context for one lock. All references must outlive the strategy.
struct StrategyContext
{
    WorkerConnections &links;
    SubscriptionHub &hub; ///< shared by the workers of a process, like a Redisson client's
    FaultHook &faultHook;
    std::mt19937 &random;
    std::stop_token stop;
    LockKey key;
    OwnerId
        owner; ///< reentrant families: process and worker; token families draw a token for each acquisition
    int worker = -1;
};

/// Ends a lock by its key and at most its token, independent of the algorithm that acquired it.
using LockReleaser = Result<ReleaseResult> (*)(const StrategyContext &context, const QByteArray &token);
/// Null for ReleaseMethod::Usual: the strategy's own script.
LockReleaser releaserOf(ReleaseMethod form);

/// How one worker acquires and releases one lock: linear, blocking code on the worker's thread, like real
/// clients. Has three parts: the acquisition in a subclass, the release, and the retry policy. Remembers its
/// believed holds. An Error means that the outcome is unknown, or nothing was sent; after OutcomeUnknown the
/// worker calls storedHolds() and setLocalHoldCount(), unless the algorithm retries blindly.
class LockStrategy
{
public:
    LockStrategy(const Algorithm &algorithm, const StrategyContext &context);
    virtual ~LockStrategy();

    /// One attempt; adds a level if it believes to hold the lock.
    Result<AcquireResult> acquire(const AcquireRequest &request);
    /// After Refused or Queued: blocks until a retry is worthwhile, at most until `until` (a stop ends it
    /// within 50 ms). If wake-ups can be lost with a connection or sender, it ends when the holder's lease,
    /// as last known, has ended.
    virtual Result<WakeResult> await(TimePoint until);
    /// Ends the wait: leaves a queue. An acquired result means that a handoff had already happened.
    virtual Result<AcquireResult> giveUp();
    /// Releases one level. NotHeld, without sending, if it does not believe to hold the lock.
    Result<ReleaseResult> release();
    /// Sets the lease; false: not held any more.
    Result<bool> renew(milliseconds lease);

    /// The number of this owner's levels on the server, after an unknown outcome.
    virtual Result<int> storedHolds() = 0;
    int localHoldCount() const { return m_localHoldCount; }
    void setLocalHoldCount(int holds) { m_localHoldCount = holds; }
    /// True if it relies on being woken: a wake-up can be lost.
    virtual bool isWoken() const;

protected:
    /// One attempt. Does not change the believed holds.
    virtual Result<AcquireResult> take(const AcquireRequest &request) = 0;
    /// Releases one level by the algorithm's own script; only if ReleaseMethod::Usual is one.
    virtual Result<ReleaseResult> releaseLevel() { return ReleaseResult{}; }
    virtual Result<bool> extend(milliseconds lease) = 0;
    /// The expected value for a release that compares it.
    virtual QByteArray token() const { return {}; }

    BlockingConnection &connection() { return m_context.links.commands(); }
    const QByteArray &key() const { return m_context.key.bytes; }
    /// The end of the holder's lease, by the last attempt.
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

/// The hold count of an owner in a hash; 0: none.
Result<int> countInHash(const StrategyContext &context);

/// A lease in the scripts' format.
QByteArray leaseInSeconds(milliseconds lease);

/// All keys that an algorithm may write for a lock, the lock's first: to detect foreign ones, and clean up.
QList<QByteArray> keysOf(StrategyKind kind, const LockKey &key);

} // namespace lockscope

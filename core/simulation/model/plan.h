// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/base/taggedbytes.h"
#include "core/base/time.h"
#include "core/redis/error.h"

#include <QByteArrayList>
#include <QList>

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <span>

namespace lockscope {

using std::chrono::microseconds;

/// The algorithms of a simulated worker; see StrategySpec.
enum class StrategyKind : quint8 {
    Reentrant,
    TokenSet,
    TokenLua,
    TokenSetnx,
    TokenCounted,
    TokenFenced,
    Redisson,
    Handoff
};

/// How a worker releases its lock.
enum class ReleaseMethod : quint8 {
    Usual,                ///< defined by the strategy
    CheckThenDelete,      ///< GET, compare in the worker, DEL: not atomic
    CompareAndDelete,     ///< one script; a missing lock counts as not released
    CompareAndDeleteDone, ///< one script; a missing lock counts as released
    WatchedTransaction,
    UncheckedDelete, ///< DEL, even of another owner's lock
};

/// How a refused worker retries.
enum class WakeMethod : quint8 {
    Usual, ///< defined by the strategy: polling, Redisson's subscription, handoff
    Poll,
    Backoff,      ///< exponential with full jitter, 1 to 20 ms
    Subscription, ///< each release is published, and wakes all waiters
};

enum class WaitMode : quint8 { Try, Timeout, Block };

struct Algorithm
{
    StrategyKind strategy = StrategyKind::Reentrant;
    ReleaseMethod release = ReleaseMethod::Usual;
    WakeMethod wake = WakeMethod::Usual;
    milliseconds poll{1};
    bool blindRetry = false; ///< after a lost reply, acquires again without checking the state

    friend bool operator==(const Algorithm &, const Algorithm &) = default;
};

/// A random number from 0 to below 1. The standard library's distributions are implementation-defined, but a
/// seed must always give the same.
double drawShare(std::mt19937 &random);

/// The time of a worker in its critical section.
struct HoldTime
{
    enum class Shape : quint8 { Fixed, Uniform, Exponential };

    Shape shape = Shape::Fixed;
    microseconds low{1000};  ///< Fixed: the time; Exponential: the mean
    microseconds high{1000}; ///< Uniform: the maximum

    /// Reads "5", "0.5", "uniform:1..20", "exp:5", in milliseconds.
    static std::optional<HoldTime> parse(QByteArrayView text);
    QByteArray toText() const;
    microseconds draw(std::mt19937 &random) const; ///< exponential: at most ten times the mean

    friend bool operator==(const HoldTime &, const HoldTime &) = default;
};

enum class Fault : quint8 {
    None,
    CrashHolding, ///< the worker crashes in its critical section; another one replaces it after the lease
    CrashBeforeExpiry, ///< token-setnx: crashes between SETNX and EXPIRE
    PauseHolding,      ///< pauses with its clock in the critical section
    PauseInRelease,    ///< pauses in its release: between separate check and delete, or before it
    WatchdogStopped,   ///< renewals stop while it continues
    AcquireReplyLost,  ///< the server acquired the lock, but the reply was lost
    ReleaseReplyLost,
};

/// Faults of the private server, at equal intervals over the run.
enum class ServerFault : quint8 { Pause, Restart, FlushAll };

/// A worker's iteration, from the first attempt to the think time.
struct Iteration
{
    std::optional<milliseconds> startAt; ///< since the start of the run or round; absent: at once
    QList<int> locks{0};                 ///< acquired in this order, each while the previous ones are held
    std::optional<Algorithm> algorithm;  ///< instead of the plan's
    QByteArray owner;                    ///< instead of the worker's own
    WaitMode mode = WaitMode::Block;
    milliseconds timeout{0}; ///< WaitMode::Timeout, per lock
    milliseconds lease{10'000};
    int levels = 1;       ///< number of acquisitions per lock, re-entrant
    milliseconds step{0}; ///< time between locks or levels, up and down
    microseconds hold{0};
    milliseconds renew{0}; ///< interval of the watchdog; 0: none
    Fault fault = Fault::None;
    milliseconds pause{0}; ///< for Fault::Pause…
    milliseconds rest{0};  ///< think time afterwards

    friend bool operator==(const Iteration &, const Iteration &) = default;
};

/// A run: contenders, locks, algorithms and faults. A value; equal plans with equal seeds make equal choices,
/// regardless of the server's replies. For properties of the fields see planfields.cpp.
struct Plan
{
    QByteArray name = "run"; ///< part of the keys: letters, digits and '-'
    Algorithm algorithm;
    static constexpr int maxWorkers = 256;
    static constexpr int maxLevels = 64;
    int workers = 8;
    int processes = 1; ///< above 1, the workers are distributed over processes of lockscope-cli
    int locks = 1;
    std::optional<int> rounds;   ///< one iteration of all workers together per round; absent: free run
    milliseconds duration{5000}; ///< free run; limit for a script
    milliseconds lease{2000};
    HoldTime hold;
    milliseconds rest{0}; ///< average think time, randomized
    WaitMode mode = WaitMode::Block;
    milliseconds timeout{1000};
    int reentry = 1;
    bool watchdog = false; ///< renews every third of the lease
    double crashRate = 0;  ///< share of iterations that crash while holding
    double pauseRate = 0;
    milliseconds pause{0}; ///< default: 1.5 leases
    double splitCrashRate = 0;
    double watchdogStopRate = 0;
    double replyLossRate = 0; ///< half for acquisitions, half for releases
    double releasePauseRate = 0;
    double longHoldRate = 0; ///< share of iterations that hold ten times as long
    QList<ServerFault> serverFaults;
    quint32 seed = 1;
    QList<QByteArray> keys;         ///< one per lock, also below sim:; empty: named after the run
    QList<QList<Iteration>> script; ///< by worker: iterations instead of random ones

    /// Why the plan is invalid, as advice for the user; absent: valid.
    std::optional<Phrase> validationError() const;

    friend bool operator==(const Plan &, const Plan &) = default;
};

/// A value that users choose, with its names.
template <typename Kind>
struct Choice
{
    Kind kind;
    const char *name;    ///< for the command line, never translated; empty: the strategy's own
    const char *title;   ///< a phrase: the name in the window
    const char *meaning; ///< a phrase
};

template <typename Kind>
std::span<const Choice<Kind>> choicesOf(); ///< in the order of the help

template <typename Kind>
const Choice<Kind> &choiceOf(Kind kind)
{
    return *std::ranges::find(choicesOf<Kind>(), kind, &Choice<Kind>::kind);
}

template <typename Kind>
QByteArray nameOf(Kind kind)
{
    return choiceOf(kind).name;
}

template <typename Kind>
QByteArrayList namesOf()
{
    QByteArrayList names;
    for (const Choice<Kind> &choice : choicesOf<Kind>())
        names.append(choice.name);
    names.removeAll(QByteArray(""));
    return names;
}

template <typename Kind>
std::optional<Kind> fromName(QByteArrayView name)
{
    for (const Choice<Kind> &choice : choicesOf<Kind>()) {
        if (!name.isEmpty() && name == choice.name)
            return choice.kind;
    }
    return std::nullopt;
}

/// The actual release; Usual for strategies with a script of their own.
ReleaseMethod releaseOf(const Algorithm &algorithm);
/// True if other commands can run between its check of the lock and its delete.
bool hasGap(ReleaseMethod form);
bool releaseFits(StrategyKind kind, ReleaseMethod form);
bool wakeFits(StrategyKind kind, WakeMethod form);
/// All algorithms of its workers, each once.
QList<Algorithm> algorithmsOf(const Plan &plan);

} // namespace lockscope

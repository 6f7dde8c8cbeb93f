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

/// The algorithms of a simulated worker; StrategySpec says all of each.
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

/// How a worker gives its lock back.
enum class ReleaseMethod : quint8 {
    Usual,                ///< the strategy's own
    CheckThenDelete,      ///< GET, compare here, DEL: not atomic
    CompareAndDelete,     ///< one script; a lock that is gone already counts as not released
    CompareAndDeleteDone, ///< the same, but a lock that is gone already counts as done
    WatchedTransaction,   ///< WATCH, GET, MULTI, DEL, EXEC
    UncheckedDelete,      ///< DEL: whoever's lock is there
};

/// How a worker that was refused comes to try again.
enum class WakeMethod : quint8 {
    Usual, ///< the strategy's own: polling, Redisson's subscription, hand-off
    Poll,
    Backoff,      ///< exponential with full jitter, 1 to 20 ms
    Subscription, ///< every release is published, every waiter wakes
};

enum class WaitMode : quint8 { Try, Timeout, Block };

/// Everything that makes up one way of locking.
struct Algorithm
{
    StrategyKind strategy = StrategyKind::Reentrant;
    ReleaseMethod release = ReleaseMethod::Usual;
    WakeMethod wake = WakeMethod::Usual;
    milliseconds poll{1};    ///< WakeMethod::Poll
    bool blindRetry = false; ///< an acquisition whose reply was lost: again, without looking what is true

    friend bool operator==(const Algorithm &, const Algorithm &) = default;
};

/// From 0 to below 1. The distributions of the standard library differ between its makers, and a seed is to mean the
/// same everywhere.
double drawShare(std::mt19937 &random);

/// The time that a worker stays in its critical section.
struct HoldTime
{
    enum class Shape : quint8 { Fixed, Uniform, Exponential };

    Shape shape = Shape::Fixed;
    microseconds low{1000};  ///< Fixed: the time; Exponential: the mean
    microseconds high{1000}; ///< Uniform: the longest

    /// "5", "0.5", "uniform:1..20", "exp:5", in milliseconds.
    static std::optional<HoldTime> parse(QByteArrayView text);
    QByteArray toText() const;
    microseconds draw(std::mt19937 &random) const; ///< an exponential is cut at ten times its mean

    friend bool operator==(const HoldTime &, const HoldTime &) = default;
};

/// What goes wrong in one visit.
enum class Fault : quint8 {
    None,
    CrashHolding,      ///< the worker dies in its critical section; another takes its place after the lease
    CrashBeforeExpiry, ///< token-setnx: dies between SETNX and EXPIRE
    PauseHolding,      ///< stands still, its clock too, in its critical section
    PauseInRelease, ///< stands still in its release: between check and delete where these are two steps, else before it
    WatchdogStopped,  ///< its renewals cease while it works on
    AcquireReplyLost, ///< the server acquired for it, the answer never came
    ReleaseReplyLost,
};

/// Faults of the private server itself, one after the other in equal distances over the run.
enum class ServerFault : quint8 { Pause, Restart, FlushAll };

/// One worker's way from wanting locks to the rest afterwards.
struct Iteration
{
    std::optional<milliseconds> startAt; ///< since the run's start, or the round's; absent: at once
    QList<int> locks{0};                 ///< taken in this order, each while the ones before are held
    std::optional<Algorithm> algorithm;  ///< instead of the plan's
    QByteArray owner;                    ///< instead of the worker's own
    WaitMode mode = WaitMode::Block;
    milliseconds timeout{0}; ///< WaitMode::Timeout, for each lock
    milliseconds lease{10'000};
    int levels = 1;        ///< acquisitions of each lock, one upon the other
    milliseconds step{0};  ///< between one lock or level and the next, up and down
    microseconds hold{0};  ///< at the highest level
    milliseconds renew{0}; ///< the watchdog's interval; 0: none
    Fault fault = Fault::None;
    milliseconds pause{0}; ///< of Fault::Pause…
    milliseconds rest{0};  ///< afterwards

    friend bool operator==(const Iteration &, const Iteration &) = default;
};

/// One run: who contends for what, how, and what goes wrong. A value; equal plans with equal seeds make equal
/// choices, whatever the server's answers and their timing. What else is said of its fields stands in planfields.cpp.
struct Plan
{
    QByteArray name = "run"; ///< part of the keys: letters, digits and '-'
    Algorithm algorithm;
    static constexpr int mostWorkers = 256;
    static constexpr int mostLevels = 64;
    int workers = 8;
    int processes = 1; ///< above 1 the workers run in as many processes of lockscope-cli
    int locks = 1;
    std::optional<int> rounds; ///< all workers begin each round together, one visit each; else: free running
    milliseconds duration{5000}; ///< free running; of a script: the longest
    milliseconds lease{2000};
    HoldTime hold;
    milliseconds rest{0}; ///< between visits: about so long, at random
    WaitMode mode = WaitMode::Block;
    milliseconds timeout{1000};
    int reentry = 1;
    bool watchdog = false; ///< renews every third of the lease
    double crashRate = 0;  ///< of visits that die holding
    double pauseRate = 0;
    milliseconds pause{0};       ///< default: 1.5 leases
    double splitCrashRate = 0;   ///< Fault::CrashBeforeExpiry
    double watchdogStopRate = 0; ///< Fault::WatchdogStopped
    double replyLossRate = 0;    ///< half of them of acquisitions, half of releases
    double releasePauseRate = 0; ///< Fault::PauseInRelease
    double longHoldRate = 0;     ///< of visits that hold ten times as long
    QList<ServerFault> serverFaults;
    quint32 seed = 1;
    QList<QByteArray> keys;         ///< one for each lock, below sim: as well; empty: named after the run
    QList<QList<Iteration>> script; ///< by worker: these visits instead of drawn ones

    /// What is wrong with it, as a sentence for the user that says what to do; nothing where it can run.
    std::optional<Phrase> validationError() const;

    friend bool operator==(const Plan &, const Plan &) = default;
};

/// A value that people choose, as they know it.
template <typename Kind>
struct Choice
{
    Kind kind;
    const char *name;    ///< on the command line, never translated; empty: the strategy's own
    const char *meaning; ///< a phrase
};

template <typename Kind>
std::span<const Choice<Kind>> choicesOf(); ///< of the enumerations above, in the order of the help

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

/// The one that is carried out; of strategies with a script of their own it stays Usual.
ReleaseMethod releaseOf(const Algorithm &algorithm);
/// Whether something can happen between its look at the lock and its delete.
bool hasGap(ReleaseMethod form);
bool releaseFits(StrategyKind kind, ReleaseMethod form);
bool wakeFits(StrategyKind kind, WakeMethod form);
/// All that its workers use, each once.
QList<Algorithm> algorithmsOf(const Plan &plan);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/linearization.h"

#include <functional>

namespace lockscope {

/// An event of a history: the invocation or the end of an operation.
struct OperationEvent
{
    size_t operation = 0; ///< in VerifiedLock::operations
    bool isEnd = false;

    friend bool operator==(const OperationEvent &, const OperationEvent &) = default;
};

/// What is known of one lock's history.
struct LockCheck
{
    enum class Verdict : quint8 { Holds, Violated, Undecided };
    enum class Reason : quint8 {
        None,
        Overlap,          ///< two owners at once
        AcquiredTwice,    ///< by an owner that held it
        NotHeld,          ///< released or extended without a hold
        ForeignRelease,   ///< succeeded while another owner held it
        StaleWrite,       ///< accepted although another owner had acquired it
        TokenNotRising,   ///< at an acquisition
        Overtaken,        ///< an owner acquired it before one that waited longer
        ReaderWithWriter, ///< or two writers
        TooManyPermits,
        // Undecided:
        UnknownOutcome, ///< consistent only if an operation of unknown outcome took effect
        ClockBound,     ///< consistent only with times that differ by the bound
        Unseen,         ///< a period in which operations may be missing
        TooComplex,
        ClockSetBack,
        Polled,
        SharedByDesign, ///< of a recording: what its owners exclude is not known
        NoCapacity,     ///< the number of permits is not known
    };

    size_t lock = 0; ///< in OperationHistory::locks
    LockModel model = LockModel::Mutex;
    Verdict verdict = Verdict::Holds;
    Reason reason = Reason::None;
    /// Violated: events that show it, by time; without any one of them they show nothing.
    std::vector<OperationEvent> events{};
    size_t stuckAt = 0; ///< Violated: the operation that can't have taken effect
};
inline constexpr EnumNames checkReasonName{
    Named<LockCheck::Reason>{LockCheck::Reason::Overlap, "overlap"},
    Named<LockCheck::Reason>{LockCheck::Reason::AcquiredTwice, "acquired-twice"},
    Named<LockCheck::Reason>{LockCheck::Reason::NotHeld, "not-held"},
    Named<LockCheck::Reason>{LockCheck::Reason::ForeignRelease, "foreign-release"},
    Named<LockCheck::Reason>{LockCheck::Reason::StaleWrite, "stale-write"},
    Named<LockCheck::Reason>{LockCheck::Reason::TokenNotRising, "token-not-rising"},
    Named<LockCheck::Reason>{LockCheck::Reason::Overtaken, "overtaken"},
    Named<LockCheck::Reason>{LockCheck::Reason::ReaderWithWriter, "reader-with-writer"},
    Named<LockCheck::Reason>{LockCheck::Reason::TooManyPermits, "too-many-permits"},
    Named<LockCheck::Reason>{LockCheck::Reason::UnknownOutcome, "unknown-outcome"},
    Named<LockCheck::Reason>{LockCheck::Reason::ClockBound, "clock-bound"},
    Named<LockCheck::Reason>{LockCheck::Reason::Unseen, "gap"},
    Named<LockCheck::Reason>{LockCheck::Reason::TooComplex, "too-complex"},
    Named<LockCheck::Reason>{LockCheck::Reason::ClockSetBack, "clock-set-back"},
    Named<LockCheck::Reason>{LockCheck::Reason::Polled, "polled"},
    Named<LockCheck::Reason>{LockCheck::Reason::SharedByDesign, "several-owners"},
    Named<LockCheck::Reason>{LockCheck::Reason::NoCapacity, "no-capacity"}};

/// Checks each lock by itself, in their order. Bounded in time: what takes too long is undecided. A lock with several
/// violations has one of the first. `model`: instead of the stated or apparent one.
std::vector<LockCheck> checkHistory(const OperationHistory &history, std::optional<LockModel> model = {});

/// Narrows events down, keeping what `shows` says of them true: without any one that remains it is false.
std::vector<OperationEvent>
minimalEvents(std::vector<OperationEvent> events,
              const std::function<bool(const std::vector<OperationEvent> &)> &shows);

/// The operations as far as these events show them. An event that is left out leaves its time unknown, between the events
/// of its process before and after it; without its end an operation may also have taken no effect. `bound`: of clocks.
std::vector<Candidate> weakened(const std::vector<LockOperation> &operations,
                                const std::vector<OperationEvent> &events, qint64 bound);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/state/lockstate.h"

#include <QHash>

#include <array>
#include <map>
#include <optional>

namespace lockscope {

/// How many locks there are of which kind, at one moment. Hidden ones are counted apart.
struct LockCounts
{
    enum State : quint8 {
        Held,
        Stalled, ///< its renewal is overdue
        Problem,
        Unknown, ///< in a Redlock group: whether an owner has it on a majority
    };
    static constexpr size_t states = 4;
    /// Seconds for which a lock has been held at least.
    static constexpr std::array<int, 8> heldSteps{1, 10, 60, 300, 900, 3600, 21'600, 86'400};

    std::map<Family, std::array<qint64, states>> byFamily; ///< those that there are
    std::map<lockscope::Problem, qint64> byProblem;        ///< a lock may have several
    std::array<qint64, heldSteps.size()> heldAtLeast{}; ///< by step: each has those of the longer ones, too
    std::optional<std::chrono::seconds> longestHold;    ///< at least; absent: none is held
    std::array<qint64, 3> byWaiterCertainty{};          ///< locks, by WaiterCertainty
    std::array<qint64, 3> waiters{};                    ///< likewise, what is counted of them
    qint64 deadWaiters = 0;
    qint64 withoutExpiry = 0; ///< whether that is a problem or not
    qint64 openExpiry = 0;    ///< of these, where that is not known: NoExpiry::Open
    qint64 possible = 0;      ///< keys that are not among the locks: isPossible()
    qint64 unreadBeside = 0;  ///< locks of which not all companion keys may be read
    qint64 hidden = 0;

    friend bool operator==(const LockCounts &, const LockCounts &) = default;
};

/// LockCounts of the known locks, kept by their changes: asking for them takes no longer with more locks, but for as many
/// different seconds in which they were acquired. Moments count in whole seconds, in favor of the shorter time held and the later
/// stall.
class LockTally
{
public:
    void apply(const LockDiff &diff);
    LockCounts at(TimePoint now) const;

private:
    using BySecond = std::map<qint64, qint64>; ///< locks, by second of the steady clock

    /// What one lock adds.
    struct Share
    {
        Family family;
        LockCounts::State state = LockCounts::Held; ///< whatever the time
        bool isHidden = false;
        bool isPossible = false;
        NoExpiry noExpiry = NoExpiry::None;
        WaiterCertainty certainty = WaiterCertainty::Unknown;
        Problems problems;
        bool isUnreadBeside = false;
        int deadWaiters = 0;
        qint64 waiters = 0;
        std::optional<qint64> heldSince;    ///< absent: nobody is known to hold it
        std::optional<qint64> stalledAfter; ///< absent: never
    };
    static Share shareOf(const WatchedLock &watched);
    void count(const Share &share, int sign);

    QHash<LockKey, Share> m_locks;
    LockCounts m_counts; ///< but for what time moves
    BySecond m_heldSince;
    std::map<Family, BySecond> m_stalledAfter;
};

} // namespace lockscope

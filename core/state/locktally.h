// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/state/lockstate.h"

#include <QHash>

#include <array>
#include <map>
#include <optional>

namespace lockscope {

/// The numbers of locks by kind at one moment. Hidden ones are counted separately.
struct LockCounts
{
    enum State : quint8 {
        Held,
        Stalled,
        Problem,
        Unknown, ///< Redlock group: unknown whether an owner has a majority
    };
    static constexpr size_t states = 4;
    /// Steps for the minimum time held, in seconds.
    static constexpr std::array<int, 8> heldSteps{1, 10, 60, 300, 900, 3600, 21'600, 86'400};

    std::map<Family, std::array<qint64, states>> byFamily; ///< only existing families
    std::map<lockscope::Problem, qint64> byProblem;        ///< a lock may have several
    std::array<qint64, heldSteps.size()> heldAtLeast{};    ///< by step: includes longer ones
    std::optional<std::chrono::seconds> longestHold;       ///< at least; absent: no lock is held
    std::array<qint64, 3> byWaiterCertainty{};             ///< locks, by WaiterCertainty
    std::array<qint64, 3> waiters{};                       ///< number of waiters, by WaiterCertainty
    qint64 deadWaiters = 0;
    qint64 withoutExpiry = 0;    ///< whether a problem or not
    qint64 openExpiry = 0;       ///< number with NoExpiry::Open
    qint64 possible = 0;         ///< keys that are not counted as locks: isPossible()
    qint64 unreadCompanions = 0; ///< locks with companion keys that may not be read
    qint64 hidden = 0;

    friend bool operator==(const LockCounts &, const LockCounts &) = default;
};

/// LockCounts of the known locks, updated by changes: the cost of a query does not grow with the locks, only
/// with the different seconds of their acquisition. Moments count in whole seconds, in favor of shorter times
/// held and later stalls.
class LockTally
{
public:
    void apply(const LockDiff &diff);
    LockCounts at(TimePoint now) const;

private:
    using BySecond = std::map<qint64, qint64>; ///< number of locks by second of the steady clock

    struct Share
    {
        Family family;
        LockCounts::State state = LockCounts::Held; ///< independent of time
        bool isHidden = false;
        bool isPossible = false;
        NoExpiry noExpiry = NoExpiry::None;
        WaiterCertainty certainty = WaiterCertainty::Unknown;
        Problems problems;
        bool isUnreadCompanion = false;
        int deadWaiters = 0;
        qint64 waiters = 0;
        std::optional<qint64> heldSince;    ///< absent: no known owner
        std::optional<qint64> stalledAfter; ///< absent: never
    };
    static Share shareOf(const WatchedLock &watched);
    void count(const Share &share, int sign);

    QHash<LockKey, Share> m_locks;
    LockCounts m_counts; ///< without time-dependent counts
    BySecond m_heldSince;
    std::map<Family, BySecond> m_stalledAfter;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/history/lengths.h"
#include "core/history/lockhistory.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

struct LengthFigures
{
    qint64 count = 0; ///< complete ones: 0 if only partial ones are known
    milliseconds p50{0};
    milliseconds p95{0};
    milliseconds longest{0};
    /// Durations only partly seen, or perhaps of several holds; not in the quantiles.
    qint64 unsure = 0;
    /// The longest of the unsure durations, at least; 0: unknown.
    milliseconds longestSeen{0};

    friend bool operator==(const LengthFigures &, const LengthFigures &) = default;
};

/// Statistics of one lock in a period, as far as it was seen.
struct LockStatistics
{
    LockKey key;
    Family family;
    milliseconds observed{0}; ///< without gaps and other unseen time
    milliseconds unseen{0};
    /// The time in which acquisitions were counted: observed time, and between two readings that differ,
    /// where one of several acquisitions is seen.
    milliseconds counted{0};
    /// At least: acquisitions between two readings, by a holder that writes the same value, or beyond the
    /// limit of rows are missed.
    qint64 acquisitions = 0;
    /// Acquisitions with a waiter seen before them: at least. A reading without waiters counts as none.
    qint64 contended = 0;
    /// False: waiters leave no trace or may not be read; zeros then mean unknown.
    bool tellsWaiters = false;
    qint64 reentries = 0;
    LengthFigures holds;    ///< ended in the period
    LengthFigures waits;    ///< ended in the period; each since first seen
    milliseconds waited{0}; ///< total of all waiters in the period, at least: the cost of the lock for others

    /// Acquisitions per second of counted time; absent below 1 ms.
    std::optional<double> perSecond() const;
    /// The share of contended acquisitions, 0 to 1, at least. Absent without any, or if waiters are unknown.
    std::optional<double> contendedShare() const;
    /// True if the lock was not held and had no events.
    bool isEmpty() const;
};

/// Computes the statistics of all locks of a history for a period, in steps, to not block a window; the
/// history may grow between steps. Agrees with HoldTimes: a hold's duration counts if its begin and end were
/// seen, it was not force-expired, and it was certainly one hold.
class StatisticsRun
{
public:
    /// Times on the history's axis. `history` must outlive this object.
    StatisticsRun(const LockHistory &history, qint64 fromMs, qint64 toMs);
    /// Of these locks alone. A hold or wait is counted in the period [from, to) in which it ends.
    StatisticsRun(const LockHistory &history, qint64 fromMs, qint64 toMs, std::vector<LockKey> keys);

    /// Receives the whole durations of each lock, once it is done.
    using TakeLengths =
        std::function<void(const LockStatistics &lock, const Lengths &holds, const Lengths &waits)>;
    void setTakeLengths(TakeLengths take) { m_takeLengths = std::move(take); }

    /// Continues for about `budget`. True: finished.
    bool work(milliseconds budget);
    /// The results so far: locks with events or holds, unsorted.
    const std::vector<LockStatistics> &result() const { return m_result; }
    std::vector<LockStatistics> take() { return std::move(m_result); }
    /// The time in the period covered by the history, without gaps of all lanes.
    milliseconds observed() const;

private:
    struct Lane;
    bool beginLane();
    bool workOnLane(const std::function<bool()> &isLate);
    void finishLane();

    const LockHistory &m_history;
    const qint64 m_from;
    const qint64 m_to;
    std::vector<LockKey> m_keys;
    size_t m_next = 0;
    std::shared_ptr<Lane> m_lane;
    std::vector<LockStatistics> m_result;
    TakeLengths m_takeLengths;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/history/lengths.h"
#include "core/history/lockhistory.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// Of lengths of time.
struct LengthFigures
{
    qint64 count = 0; ///< whole ones: 0 where nothing is known of the others
    milliseconds p50{0};
    milliseconds p95{0};
    milliseconds longest{0};
    /// Further ones, of which not all was seen, or of which it is not sure that they were one. They are in no quantile.
    qint64 unsure = 0;
    /// One of the further ones has lasted so long at least; 0: none was seen so long.
    milliseconds longestSeen{0};

    friend bool operator==(const LengthFigures &, const LengthFigures &) = default;
};

/// What happened to one lock in a time, as far as it was seen.
struct LockStatistics
{
    LockKey key;
    Family family;
    milliseconds observed{0}; ///< of that time: without gaps, and what else was not seen
    milliseconds unseen{0};   ///< the rest
    /// In so much of that time acquisitions were counted: observed, and between two readings that differ, where one of several is
    /// seen.
    milliseconds counted{0};
    /// At least: of what begins and ends between two readings nothing is seen, the next holder may write the same, and more may
    /// hold it than have a row.
    qint64 acquisitions = 0;
    /// Of these, behind a waiter that was seen: at least. Where a reading told of no waiters, or could not, none was.
    qint64 contended = 0;
    /// Whether anything is known of waiters: some leave no trace, or may not be read, and these are no zeros then.
    bool tellsWaiters = false;
    qint64 reentries = 0;
    LengthFigures holds;    ///< those that ended in that time
    LengthFigures waits;    ///< the same, each since it was first seen
    milliseconds waited{0}; ///< of all waiters together, in that time: what the lock costs others. At least

    /// Of the time in which they were counted. Absent where that is less than a millisecond.
    std::optional<double> perSecond() const;
    /// 0 to 1, at least. Absent where nothing is known of waiters, or there was no acquisition.
    std::optional<double> contendedShare() const;
    /// Nothing happened to it, and nobody held it.
    bool isEmpty() const;
};

/// Reckons the statistics of all locks of a history over a time, in parts: a million slices take longer than a window may stand
/// still. The history may grow between two parts. Agrees with HoldTimes: the length of a hold counts where both ends were seen,
/// it was not ended by force, and it is sure that it was one hold.
class StatisticsRun
{
public:
    /// Times as the history has them. `history` must outlive this.
    StatisticsRun(const LockHistory &history, qint64 fromMs, qint64 toMs);

    /// Goes on for about so long. True: all is reckoned.
    bool work(milliseconds budget);
    /// Of locks to which something happened, or that were held, in no order. Those that are reckoned so far.
    const std::vector<LockStatistics> &result() const { return m_result; }
    std::vector<LockStatistics> take() { return std::move(m_result); }
    /// Of that time, so much was seen of locks of which nothing else is unknown: what the history reaches, without gaps.
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
    std::shared_ptr<Lane> m_lane; ///< that is worked on
    std::vector<LockStatistics> m_result;
};

} // namespace lockscope

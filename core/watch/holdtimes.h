// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/model/lockevent.h"

#include <QCache>

#include <array>
#include <limits>
#include <numeric>
#include <optional>

namespace lockscope {

/// Previous hold times of one key, approximated by a sketch of a few bytes.
struct HoldTimeStats
{
    /// Fewer holds give no result.
    static constexpr int fewest = 50;
    /// The share of holds, in thousandths, not longer than `nearlyAll`; the longest of less than 500 holds.
    static constexpr int nearlyAllShare = 998;

    int holds = 0; ///< seen from begin to end
    // If isKnown():
    milliseconds from{0}; ///< 90% of the holds were at least this long
    milliseconds to{0};   ///< 90% of the holds were at most this long
    milliseconds median{0};
    milliseconds nearlyAll{0};
    milliseconds longest{0};

    bool isKnown() const { return holds >= fewest; }
    /// The length from which a hold is unusual: at least a second, longer than all seen, three times
    /// `nearlyAll`, and `times` the median. Absent if too few were seen.
    std::optional<milliseconds> unusualFrom(int times) const;
    /// A hold's length as a multiple of the median. Absent if not unusual by five times the median.
    std::optional<qint64> timesUsual(milliseconds held) const;
};

/// True if the lock is held, by one hold as far as known.
bool isOneHold(const WatchedLock &lock);

/// Hold times of each key, from events: holds whose begin and end were seen while changes were pushed,
/// without forced ends. Bounded: 64 bytes per key, and 2 MiB in total (some 12,000 keys); the least recently
/// used key is dropped first.
class HoldTimes
{
public:
    static constexpr qsizetype maxBytes = 2 * 1024 * 1024;

    explicit HoldTimes(qsizetype most = maxBytes) : m_keys(most) {}

    void add(const QList<LockEvent> &events);
    void clear() { m_keys.clear(); }
    HoldTimeStats of(const LockKey &key) const;
    /// When the present hold becomes long enough for HoldTimeStats::timesUsual(); max(): unknown. One table
    /// look-up.
    TimePoint unusualAfter(const WatchedLock &lock) const;
    qsizetype keys() const { return m_keys.size(); }

private:
    /// The number of holds by length, in ms. Each bucket ends at 1.6 times the previous length.
    struct Holds
    {
        quint32 shortest = std::numeric_limits<quint32>::max();
        quint32 longest = 0; ///< longer ones count as the maximum
        std::array<quint16, 28> counts{};

        void add(quint32 ms);
        int total() const { return std::accumulate(counts.begin(), counts.end(), 0); }
        milliseconds quantile(int thousandths) const;
        HoldTimeStats usual() const;
    };
    static_assert(sizeof(Holds) == 64);

    QCache<LockKey, Holds> m_keys;
};

} // namespace lockscope

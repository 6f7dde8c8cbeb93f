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

/// How long the locks of one key were held before, as far as that was seen: from a sketch of a few bytes, so nearly.
struct UsualHold
{
    /// Of fewer holds nothing is said.
    static constexpr int fewest = 50;
    /// This share of all holds, in thousandths, were not longer than `nearlyAll`; of fewer than 500 that is the longest.
    static constexpr int nearlyAllShare = 998;

    int holds = 0; ///< seen whole
    // Where isKnown():
    milliseconds from{0}; ///< nine of ten holds were as long as this or longer
    milliseconds to{0};   ///< nine of ten were as long as this or shorter
    milliseconds median{0};
    milliseconds nearlyAll{0};
    milliseconds longest{0};

    bool isKnown() const { return holds >= fewest; }
    /// From this length on a hold is unusual: a second at least, longer than any that was seen, three times `nearlyAll`, and
    /// `times` the median. Absent where too few were seen.
    std::optional<milliseconds> unusualFrom(int times) const;
    /// How many times the median a hold of this length is. Absent where that is nothing unusual, of five times the median.
    std::optional<qint64> timesUsual(milliseconds held) const;
};

/// Somebody holds it, and it is one hold as far as can be told.
bool isOneHold(const WatchedLock &lock);

/// The holds of each key, learned from events: of those whose beginning and end were both seen while changes were pushed.
/// Forced ends teach nothing. Bounded: 64 bytes a key, and 2 MiB in all, which is some 12,000 keys; the key that was neither
/// added to nor asked for the longest is dropped first.
class HoldTimes
{
public:
    static constexpr qsizetype mostBytes = 2 * 1024 * 1024;

    explicit HoldTimes(qsizetype most = mostBytes) : m_keys(most) {}

    void add(const QList<LockEvent> &events);
    /// Nothing was learned yet.
    void clear() { m_keys.clear(); }
    UsualHold of(const LockKey &key) const;
    /// When the hold that goes on has lasted as long as UsualHold::timesUsual() says something of; max(): that is not known. Costs one
    /// look in a table.
    TimePoint unusualAfter(const WatchedLock &lock) const;
    qsizetype keys() const { return m_keys.size(); }

private:
    /// How many holds were of which length, in ms. Each bucket ends at 1.6 times the length of the one before.
    struct Holds
    {
        quint32 shortest = std::numeric_limits<quint32>::max();
        quint32 longest = 0; ///< longer ones than fit count as the longest that does
        std::array<quint16, 28> counts{};

        void add(quint32 ms);
        int total() const { return std::accumulate(counts.begin(), counts.end(), 0); }
        milliseconds quantile(int thousandths) const;
        UsualHold usual() const;
    };
    static_assert(sizeof(Holds) == 64);

    QCache<LockKey, Holds> m_keys;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/model/lockevent.h"

#include <QCache>

#include <array>
#include <optional>

namespace lockscope {

/// How long the locks of one key were held before, as far as that was seen.
struct UsualHold
{
    /// Of fewer holds nothing is said.
    static constexpr int fewest = 5;

    int holds = 0; ///< seen whole, at most HoldTimes::mostHolds
    // Where isKnown():
    milliseconds from{0}; ///< nine of ten holds were as long as this or longer
    milliseconds to{0};   ///< nine of ten were as long as this or shorter
    milliseconds median{0};
    milliseconds longest{0};

    bool isKnown() const { return holds >= fewest; }
    /// From this length on a hold is unusual: a second at least, longer than any that was seen, and `times` the median. Absent
    /// where too few were seen.
    std::optional<milliseconds> unusualFrom(int times) const;
    /// How many times the median a hold of this length is. Absent where that is nothing unusual, of five times the median.
    std::optional<qint64> timesUsual(milliseconds held) const;
};

/// Somebody holds it, and it is one hold as far as can be told.
bool isOneHold(const WatchedLock &lock);

/// The last holds of each key, learned from events: of those whose beginning and end were both seen while changes were pushed.
/// Forced ends teach nothing. Bounded: 32 holds a key, and 2 MiB in all, which is some 6,000 keys; the key that was neither
/// added to nor asked for the longest is dropped first.
class HoldTimes
{
public:
    static constexpr int mostHolds = 32;
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
    struct Holds
    {
        std::array<quint32, mostHolds> ms{}; ///< longer ones than fit count as the longest that does
        quint32 seen = 0;                    ///< the oldest is overwritten
        std::optional<milliseconds> unusual; ///< from this length on
    };

    static UsualHold usualOf(const Holds &holds);

    QCache<LockKey, Holds> m_keys;
};

} // namespace lockscope

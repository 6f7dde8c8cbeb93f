// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockstore.h"
#include "core/monitor/pendingreads.h"
#include "core/monitor/readplanner.h"

namespace lockscope {

/// The age of the data: a full scan since the last gap, then pushed changes and reads.
class DataAge
{
public:
    /// Changes before `now` may have been missed, since heardSince() or `from`, whichever is earlier.
    /// `hurry`: worth more server time than usual, within limits: flushing another database every second must
    /// not double the load.
    void markGap(TimePoint now, bool hurry, std::optional<TimePoint> from = {})
    {
        const TimePoint since = std::min(heardSince(now), from.value_or(now));
        m_missedAt = now;
        m_missedSince = std::min(m_missedSince.value_or(since), since);
        m_isWhole = false;
        if (hurry && (!m_hurriedAt || now - *m_hurriedAt >= hurryEvery))
            m_hurriedAt = now;
        m_hurries = hurry && now - *m_hurriedAt < longestHurry;
    }
    /// The server has reported all changes until then; nullopt: it reports none.
    void setToldUntil(std::optional<TimePoint> at) { m_toldUntil = at; }
    /// The earliest time of a change that is reported now.
    TimePoint heardSince(TimePoint now) const { return std::min(now, m_toldUntil.value_or(now)); }
    void scanFinished(TimePoint startedAt)
    {
        m_isWhole = m_isWhole || startedAt >= m_missedAt;
        if (m_isWhole)
            m_missedSince.reset();
        else // what was missed before it began has been met
            m_missedSince = std::max(m_missedSince.value_or(startedAt), startedAt);
        m_hurries = m_hurries && !m_isWhole;
    }

    void connectionBegan() { m_rereadsSince.reset(); }
    /// Rereads without a scan began on this connection.
    void rereadsBegan(TimePoint now) { m_rereadsSince = m_rereadsSince.value_or(now); }

    /// True if a scan that began after the last gap has finished.
    bool isWhole() const { return m_isWhole; }
    bool isBoosted() const { return m_hurries; }

    /// True if all known locks were read since the last gap. `isIdle`: no read is in flight.
    bool isReread(Coverage coverage, bool isIdle, PendingReads &hints) const
    {
        if (coverage != Coverage::KnownOnly)
            return coverage == Coverage::Complete;
        return m_rereadsSince && isIdle && hints.oldest().value_or(TimePoint::max()) > *m_rereadsSince;
    }
    /// The data age; without scans, that of the known locks alone.
    TimePoint asOf(Coverage coverage, TimePoint now, const LockStore &locks, PendingReads &hints) const
    {
        return coverage == Coverage::KnownOnly ? asOfKnown(now, locks, hints) : asOf(now, locks, hints);
    }
    /// The age of the oldest polled read, the last pushed change or the oldest pending hint, whichever is
    /// oldest.
    TimePoint asOf(TimePoint now, const LockStore &locks, PendingReads &hints) const
    {
        if (m_isWhole)
            return asOfKnown(now, locks, hints);
        // What is new since the first of the misses is not known.
        return std::min({asOfKnown(now, locks, hints), locks.oldestRead().value_or(now),
                         m_missedSince.value_or(m_missedAt)});
    }
    /// The data age of the known locks, if all were read since the last gap.
    TimePoint asOfKnown(TimePoint now, const LockStore &locks, PendingReads &hints) const
    {
        return std::min(reported(now, hints), locks.oldestPolled().value_or(now));
    }
    /// All pushed changes until this time were received and read.
    TimePoint heardUntil(TimePoint now, PendingReads &hints) const
    {
        return m_isWhole ? reported(now, hints)
                         : std::min(reported(now, hints), m_missedSince.value_or(m_missedAt));
    }

private:
    TimePoint reported(TimePoint now, PendingReads &hints) const
    {
        return std::min({now, hints.oldest().value_or(now), m_toldUntil.value_or(now)});
    }

    static constexpr std::chrono::seconds hurryEvery{60};
    static constexpr std::chrono::seconds longestHurry{20};

    TimePoint m_missedAt;
    std::optional<TimePoint> m_missedSince; ///< absent: no gap
    std::optional<TimePoint> m_hurriedAt;
    std::optional<TimePoint> m_toldUntil;
    std::optional<TimePoint> m_rereadsSince;
    bool m_isWhole = false;
    bool m_hurries = false;
};

} // namespace lockscope

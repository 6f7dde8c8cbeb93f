// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockstore.h"
#include "core/monitor/pendingreads.h"
#include "core/monitor/readplanner.h"

namespace lockscope {

/// Of which moment the picture is true: a whole scan since the last time when changes may have been missed, and from
/// then on what is told and what is read.
class DataAge
{
public:
    /// Changes before `now` may not have been told, from heardSince() on; from `since` on, where that is earlier. `hurry`:
    /// that is worth more of the server's time than usual; but not for ever, who flushes another database every second
    /// may not double our load.
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
    /// The server has told what had changed by then; nullopt: it tells nothing.
    void setToldUntil(std::optional<TimePoint> at) { m_toldUntil = at; }
    /// When what is told now can have happened at the earliest: what had happened before was told before.
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
    /// Without a scan, on this connection.
    void rereadsBegan(TimePoint now) { m_rereadsSince = m_rereadsSince.value_or(now); }

    /// A scan that began after the last miss is through.
    bool isWhole() const { return m_isWhole; }
    bool isBoosted() const { return m_hurries; }

    /// Of the locks that are shown there is nothing older than the last gap. `isIdle`: nothing is asked for just now.
    bool isReread(Coverage coverage, bool isIdle, PendingReads &hints) const
    {
        if (coverage != Coverage::KnownOnly)
            return coverage == Coverage::Complete;
        return m_rereadsSince && isIdle && hints.oldest().value_or(TimePoint::max()) > *m_rereadsSince;
    }
    /// Where nothing can be swept since the last gap, of what is known: that new locks are not found is said beside it.
    TimePoint asOf(Coverage coverage, TimePoint now, const LockStore &locks, PendingReads &hints) const
    {
        return coverage == Coverage::KnownOnly ? asOfKnown(now, locks, hints) : asOf(now, locks, hints);
    }
    /// The picture is as old as what was read longest ago, of what has to be asked; as what was told last, of the
    /// rest; and as what was told longest ago and is not read yet.
    TimePoint asOf(TimePoint now, const LockStore &locks, PendingReads &hints) const
    {
        if (m_isWhole)
            return asOfKnown(now, locks, hints);
        // What is new since the first of the misses is not known.
        return std::min({asOfKnown(now, locks, hints), locks.oldestRead().value_or(now),
                         m_missedSince.value_or(m_missedAt)});
    }
    /// The same, of the known locks alone, all of which were read since the last miss.
    TimePoint asOfKnown(TimePoint now, const LockStore &locks, PendingReads &hints) const
    {
        return std::min(told(now, hints), locks.oldestPolled().value_or(now));
    }
    /// Whatever had changed by then has been told and is read, of keys whose changes are told.
    TimePoint heardUntil(TimePoint now, PendingReads &hints) const
    {
        return m_isWhole ? told(now, hints) : std::min(told(now, hints), m_missedSince.value_or(m_missedAt));
    }

private:
    TimePoint told(TimePoint now, PendingReads &hints) const
    {
        return std::min({now, hints.oldest().value_or(now), m_toldUntil.value_or(now)});
    }

    static constexpr std::chrono::seconds hurryEvery{60};
    static constexpr std::chrono::seconds longestHurry{20};

    TimePoint m_missedAt;                   ///< the last time
    std::optional<TimePoint> m_missedSince; ///< absent: nothing is missing
    std::optional<TimePoint> m_hurriedAt;   ///< since when, the last time
    std::optional<TimePoint> m_toldUntil;
    std::optional<TimePoint> m_rereadsSince;
    bool m_isWhole = false;
    bool m_hurries = false;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/readplanner.h"
#include "core/monitor/scanbackoff.h"

#include <chrono>

namespace lockscope {

/// When and how fast is read: the tick of changes, coverage, pace and pauses of scans, and who had the last turns. One
/// function for each event that changes it. Sends nothing.
class ReadSchedule
{
public:
    static constexpr std::chrono::milliseconds tick{16};
    /// Scans after one that read all until the next, since that costs half as much again.
    static constexpr int scansBetweenAll = 9;

    /// Another connection, of which nothing is known. A scan at full speed that was requested before stays requested.
    void connectionBegan();

    /// Changes are read at once, not with the next tick.
    void requestRush() { m_isRush = true; }
    /// Changes are read now; others are gathered for a tick.
    void changesTaken(TimePoint now);
    /// A turn was given to this.
    void turnGiven(ReadReason reason);
    /// Nothing is read before.
    void pauseUntil(TimePoint at) { m_pausedUntil = at; }

    void requestScan() { m_nextScanAt = {}; }
    /// The user wants everything read again: no pause counts any more.
    void requestFullScan();
    /// The next scan, or what is left of this one, is no longer paced.
    void requestFullSpeed() { m_pace = ScanPace::FullSpeed; }
    void scanFinished(TimePoint nextScanAt);
    /// `isFull`: for too many locks; those that are held are kept up to date.
    void scanFailed(TimePoint now, bool isFull);
    void scanForbidden() { m_pace = ScanPace::Budgeted; }

    ScanPace pace() const { return m_pace; }
    bool isFullSpeed() const { return m_pace == ScanPace::FullSpeed; }
    Coverage coverage(bool canScan) const;
    /// The pass that begins now is the first of this connection, or it is time again: it looks at all names, and reads what is
    /// known as no lock.
    bool shouldReadAll() const { return isFullSpeed() || m_scansUntilAll <= 0; }
    /// A scan has failed lately.
    bool isBackingOff(TimePoint now) const { return now < m_backoff.until(); }

    /// What it knows of the facts for a plan.
    ReadFacts facts(bool canScan) const;

private:
    bool m_isComplete = false; ///< a scan was, on this connection
    ScanPace m_pace = ScanPace::Budgeted;
    bool m_isRush = false;
    ReadTurns m_turns;
    TimePoint m_nextTickAt;
    TimePoint m_pausedUntil;
    TimePoint m_nextScanAt;
    ScanBackoff m_backoff;
    int m_scansUntilAll = 0;
};

} // namespace lockscope

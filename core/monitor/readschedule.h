// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/readplanner.h"
#include "core/monitor/scanbackoff.h"

#include <chrono>

namespace lockscope {

/// The state that decides when and how fast to read: the tick of changes, coverage, pace and pauses of scans,
/// last turns. One function for each event. Sends nothing.
class ReadSchedule
{
public:
    static constexpr std::chrono::milliseconds tick{16};
    /// Number of scans between two that read all keys, which cost half as much again.
    static constexpr int scansBetweenAll = 9;

    /// Starts for a new connection. A requested scan at full speed stays requested.
    void connectionBegan();

    /// Reads changes at once, without waiting for the tick.
    void requestRush() { m_isRush = true; }
    /// Notes that changes are read now; later ones are gathered for a tick.
    void changesTaken(TimePoint now);
    void turnGiven(ReadReason reason);
    /// Reads nothing before `at`.
    void pauseUntil(TimePoint at) { m_pausedUntil = at; }

    void requestScan() { m_nextScanAt = {}; }
    /// Requests that everything is read again without pauses.
    void requestFullScan();
    /// Makes the next scan, or the rest of the current one, unpaced.
    void requestFullSpeed() { m_pace = ScanPace::FullSpeed; }
    void scanFinished(TimePoint nextScanAt);
    /// `isFull`: stopped because of too many locks; known ones are kept up to date.
    void scanFailed(TimePoint now, bool isFull);
    void scanForbidden() { m_pace = ScanPace::Budgeted; }

    ScanPace pace() const { return m_pace; }
    bool isFullSpeed() const { return m_pace == ScanPace::FullSpeed; }
    Coverage coverage(bool canScan) const;
    /// True if the next pass reads all: it is the first of this connection, or due again. It includes all
    /// names and keys known as no locks.
    bool shouldReadAll() const { return isFullSpeed() || m_scansUntilAll <= 0; }
    /// True if a scan has failed recently.
    bool isBackingOff(TimePoint now) const { return now < m_backoff.until(); }

    ReadFacts facts(bool canScan) const;

private:
    bool m_isComplete = false; ///< a scan was finished on this connection
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/internpool.h"
#include "core/base/time.h"
#include "core/history/coveredtime.h"
#include "core/history/lockhistory.h"

#include <QList>

#include <vector>

namespace lockscope {

/// A slice within the period, in ms from its begin.
struct WaitSpan
{
    quint32 from = 0;
    quint32 to = 0;
    quint32 value = 0;      ///< number of the owner, or of waiters
    bool isDead = false;    ///< a waiter
    bool isCut = false;     ///< it began or ended unseen, or outside of the period
    bool isAtLeast = false; ///< more of it may be in the period; a count: there may be more
};

/// What is needed of a lock that somebody waits for.
struct WaitLane
{
    using Row = std::vector<WaitSpan>; ///< sorted and disjoint

    LockKey key;
    Family family;
    bool holdsManyRows = false;
    std::vector<Row> holds;
    Row heads; ///< waits at the head of the queue
    std::vector<WaitSpan> waits;
    std::vector<WaitSpan> counts;
    CoveredTime unseen;
};

/// A copy of the waits in a period of a history, with the holds of the locks that were waited for. A window copies in
/// steps, in which the history may grow, and leaves the rest to another thread.
class WaitCopy
{
public:
    /// Times on the history's axis. `history` must outlive the copying.
    WaitCopy(const LockHistory &history, qint64 fromMs, qint64 toMs);

    /// Copies for about `budget`. True: finished.
    bool work(milliseconds budget);

    qint64 fromMs() const { return m_fromMs; }
    const std::vector<WaitLane> &lanes() const { return m_lanes; }
    const InternPool<OwnerId> &owners() const { return m_owners; }
    const QList<LockKey> &silent() const { return m_silent; } ///< as Blame::silent
    /// True if the begin of the period is no longer in the history.
    bool isShortened() const { return m_isShortened; }

private:
    void copy(const SliceLane &source);
    WaitSpan cutOff(WaitSpan span, const SliceRecord &record, const SliceLane &lane,
                    const std::vector<HistoryGap> &gaps) const;
    size_t firstOf(const SliceTrack &track) const;
    quint32 fromBegin(qint64 axisMs) const;
    quint32 ownerNumber(const SliceRecord &record);

    const LockHistory *m_history;
    qint64 m_fromMs;
    quint32 m_to; ///< the length of the period
    bool m_isShortened;
    size_t m_next = 0; ///< lane to be copied
    std::vector<WaitLane> m_lanes;
    InternPool<OwnerId> m_owners;
    QList<LockKey> m_silent;
};

} // namespace lockscope

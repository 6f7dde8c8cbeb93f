// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/historyclock.h"
#include "core/history/historygaps.h"
#include "core/history/slicestore.h"
#include "core/model/lockevent.h"
#include "core/model/moment.h"

#include <QString>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope {

/// What happened to the server or to the watching, or to several locks at once.
struct HistoryMoment
{
    MomentKind kind = MomentKind::Disconnected;
    qint64 atMs = 0;
    LockKey key;
    QString text;
};

/// What happened to all locks, as slices of time in a lane for each: holds, waits, leases, and what was not seen. Bounded, see
/// SliceStore.
/// A lost node of a cluster is a gap in the lanes of its slots alone. Gaps of all lanes are: a lost server of a Redlock group, as any
/// lock may have had its majority there; a gap of the change feed, which is told without its node.
/// One thread. All times given out are on the axis of a HistoryClock, those taken are this machine's epoch ms.
class LockHistory
{
public:
    static constexpr qint64 usualMost = 1'000'000;
    static constexpr qint64 usualBytes = 64 * 1024 * 1024;
    /// Places of a queue, and owners at once, that have a row. Of the further waiters there is a count; further owners have none.
    static constexpr int mostRows = 8;

    /// `mostBytes`: of keys, owners and texts, each counted once.
    explicit LockHistory(qint64 most = usualMost, qint64 mostBytes = usualBytes);

    /// Takes all back: what is told from here on is of another time.
    void clear();
    /// `wallMs`: now, which may be long after its events where the thread was busy.
    void apply(const LockDiff &diff, qint64 wallMs);
    /// Before the diffs that came after it.
    void add(const Moment &moment);
    /// From now on, until this is told again, changes of the locks of these slots may be missed; absent: of none.
    /// ClusterStatus::unknownSlots.
    void setUnknownSlots(const SharedSlots &unknown, qint64 wallMs)
    {
        m_gaps.setUnknownSlots(unknown, m_clock.now(wallMs));
    }
    /// All that is known was true at that moment: a gap of all lanes that began before ends there, but not while something is disconnected.
    void confirm(qint64 wallMs);
    /// What was lost before it came here makes a gap.
    void addLost(qint64 wallMs) { add({MomentKind::FeedGap, {}, wallMs, {}}); }

    /// Destroys a part of it; nothing else may be asked of it any more. False: little is left.
    bool shed() { return m_store.shed(); }

    const HistoryClock &clock() const { return m_clock; }
    bool isEmpty() const { return m_store.laneCount() == 0; }
    /// Before that nobody looked, or it was dropped.
    qint64 firstMs() const { return std::max(m_store.firstMs(), m_gaps.forgottenMs()); }
    /// The lanes as they are kept, for whoever reckons with each of their slices. What it gives is valid until the next change.
    const SliceStore &store() const { return m_store; }

    /// Of all lanes, in order; none overlaps the next.
    const std::deque<HistoryGap> &gaps() const { return m_gaps.ofAll(); }
    /// Of a lane: those of all, and those of its slot. In order; none overlaps the next.
    std::vector<HistoryGap> gapsOf(const LockKey &key) const { return m_gaps.of(key); }
    /// The same of any lane: what concerns several locks may have been missed then.
    std::vector<HistoryGap> gapsOfAny() const { return m_gaps.ofAny(); }
    const std::deque<HistoryMoment> &moments() const { return m_moments; }

    using Take = std::function<void(const HistorySlice &)>;
    /// Calls `take` with the slices of a lane in a time, by kind and row, each in order. Slices shorter than `stepMs` become
    /// one with those that begin in the same step, so that it costs by steps and not by slices. `nowMs`: where what goes on
    /// ends.
    /// Gaps of its slot are Unknown, those of all lanes are not among them.
    void visit(const LockKey &key, qint64 fromMs, qint64 toMs, qint64 nowMs, qint64 stepMs,
               const Take &take) const;
    /// Holds and waits of all lanes in a time, each lane's together, as they are. False: there were more than `most`, and the
    /// rest was left out.
    using TakeStay = std::function<void(const LockKey &, const HistorySlice &)>;
    bool visitStays(qint64 fromMs, qint64 toMs, qint64 nowMs, qint64 most, const TakeStay &take) const;
    LaneState stateAt(const LockKey &key, qint64 atMs, qint64 nowMs) const;
    /// It was held or waited for in that time, or something of it was not seen, as in a gap.
    bool isTouched(const LockKey &key, qint64 fromMs, qint64 toMs) const;

private:
    explicit LockHistory(SliceStore store) : m_store(std::move(store)) {}

    void take(const LockEvent &event);
    void begin(SliceLane &lane, const LockOwner &owner, quint32 at, SliceBegin how);
    void beginHolds(SliceLane &lane, const LockEvent &event, quint32 at, SliceBegin how);
    void changeDepth(SliceLane &lane, const LockEvent &event, quint32 at, SliceBegin how);
    void setLease(SliceLane &lane, const LockEvent &event, quint32 at, SliceBegin how);
    void endHolds(SliceLane &lane, const LockEvent &event, quint32 at, SliceEnd how);
    void endAll(SliceLane &lane, quint32 at, SliceEnd how);
    static SliceRecord *goingOn(const SliceLane &lane, SliceTrack &track);
    void end(SliceLane &lane, SliceTrack &track, quint32 at, SliceEnd how);
    void tellWithoutRow(SliceLane &lane, int others, quint32 at);
    void mark(SliceLane &lane, quint32 at, SliceEnd how);
    void endUnwatched(SliceLane &lane, quint32 at);
    void takeWaiters(const WatchedLock &watched, qint64 axisMs);
    void takeCount(SliceLane &lane, const Waiters &waiters, bool hadRows, quint32 at);
    SliceTrack *holdOf(SliceLane &lane, const LockOwner &owner);
    quint32 momentIn(const SliceLane &lane, qint64 axisMs) const;
    quint32 sureUntil(const SliceLane &lane, const LockEvent &event, quint32 at) const;
    void addUnknown(SliceLane &lane, quint32 from, quint32 to);

    HistorySlice sliceOf(const SliceTrack &track, const SliceRecord &record, qint64 nowMs) const;
    void visitTrack(const SliceTrack &track, quint32 from, quint32 to, qint64 nowMs, qint64 stepMs,
                    const Take &take) const;

    HistoryClock m_clock;
    SliceStore m_store;
    HistoryGaps m_gaps;
    std::deque<HistoryMoment> m_moments;
};

} // namespace lockscope

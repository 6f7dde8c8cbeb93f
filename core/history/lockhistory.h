// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/historyclock.h"
#include "core/history/historygaps.h"
#include "core/history/slicestore.h"
#include "core/model/lockevent.h"
#include "core/model/monitorevent.h"

#include <QString>

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace lockscope {

/// An event of the server, the connection, or several locks at once.
struct HistoryEvent
{
    MonitorEventKind kind = MonitorEventKind::Disconnected;
    qint64 atMs = 0;
    LockKey key;
    QString text;
};

/// The history of all locks, as slices in one lane per lock: holds, waits, leases, and unseen periods.
/// Bounded, see SliceStore. A lost cluster node is a gap in the lanes of its slots only. Gaps of all lanes
/// are a lost server of a Redlock group, where any lock may have had its majority, and a gap of the change
/// feed, which is reported without its node. One thread. Returned times are on the axis of a HistoryClock,
/// arguments are this machine's epoch ms.
class LockHistory
{
public:
    static constexpr qint64 usualMost = 1'000'000;
    static constexpr qint64 usualBytes = 64 * 1024 * 1024;
    /// Limit of rows for places in a queue and for simultaneous owners. Others are only counted, or omitted.
    static constexpr int maxRows = 8;

    /// `maxBytes`: limit for keys, owners and texts, each counted once.
    explicit LockHistory(qint64 most = usualMost, qint64 maxBytes = usualBytes);

    /// Removes everything, before changes of another time.
    void clear();
    /// `wallMs`: now, which may be long after the events if the thread was busy.
    void apply(const LockDiff &diff, qint64 wallMs);
    /// Adds a moment; before the diffs that follow it.
    void add(const MonitorEvent &moment);
    /// Changes of locks in these slots may be missed until the next call; absent: none. See
    /// ClusterStatus::unknownSlots.
    void setUnknownSlots(const SharedSlots &unknown, qint64 wallMs)
    {
        m_gaps.setUnknownSlots(unknown, m_clock.now(wallMs));
    }
    /// All data was current at that moment: ends a gap of all lanes, unless disconnected.
    void confirm(qint64 wallMs);
    /// Records a gap for changes that were lost before they reached the history.
    void addLost(qint64 wallMs) { add({MonitorEventKind::FeedGap, {}, wallMs, {}}); }

    /// Destroys a part of the history, which must not be used afterwards. False: little is left.
    bool shed() { return m_store.shed(); }

    const HistoryClock &clock() const { return m_clock; }
    bool isEmpty() const { return m_store.laneCount() == 0; }
    /// The begin of the history: earlier times were not monitored, or were dropped.
    qint64 firstMs() const { return std::max(m_store.firstMs(), m_gaps.forgottenMs()); }
    /// The stored lanes. References are valid until the next change.
    const SliceStore &store() const { return m_store; }

    /// Gaps of all lanes, sorted and disjoint.
    const std::deque<HistoryGap> &gaps() const { return m_gaps.ofAll(); }
    /// Gaps of a lane: those of all lanes and of its slot. Sorted and disjoint.
    std::vector<HistoryGap> gapsOf(const LockKey &key) const { return m_gaps.of(key); }
    /// Gaps of any lane, in which events of several locks may have been missed.
    std::vector<HistoryGap> gapsOfAny() const { return m_gaps.ofAny(); }
    const std::deque<HistoryEvent> &moments() const { return m_moments; }

    using Take = std::function<void(const HistorySlice &)>;
    /// Calls `take` with the slices of a lane in a period, by kind and row, each in order. Slices shorter
    /// than `stepMs` are merged with those that begin in the same step, which limits the cost to the number
    /// of steps. `nowMs`: the end of open slices. Gaps of its slot appear as Unknown, gaps of all lanes do
    /// not.
    void visit(const LockKey &key, qint64 fromMs, qint64 toMs, qint64 nowMs, qint64 stepMs,
               const Take &take) const;
    /// Calls `take` with holds and waits of all lanes in a period, lane by lane. False: there were more than
    /// `most`, and the rest was left out.
    using TakeStay = std::function<void(const LockKey &, const HistorySlice &)>;
    bool visitStays(qint64 fromMs, qint64 toMs, qint64 nowMs, qint64 most, const TakeStay &take) const;
    LaneState stateAt(const LockKey &key, qint64 atMs, qint64 nowMs) const;
    /// True for the first readings of a lane, or those after one of `gaps`, which are its own: who waits then may have
    /// waited before.
    bool isFirstReading(const SliceLane &lane, const std::vector<HistoryGap> &gaps, quint32 at) const;
    /// True if the lock was held or waited for in that period, or if part of it was unseen.
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
    std::deque<HistoryEvent> m_moments;
};

} // namespace lockscope

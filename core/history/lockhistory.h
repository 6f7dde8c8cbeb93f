// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/internpool.h"
#include "core/history/historyclock.h"
#include "core/history/slicetrack.h"
#include "core/model/lockevent.h"
#include "core/model/moment.h"
#include "core/redis/deployment/slot.h"

#include <QHash>
#include <QString>

#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace lockscope {

/// A time in which changes may have been missed.
struct HistoryGap
{
    qint64 fromMs = 0;
    std::optional<qint64> toMs; ///< absent: it goes on
    SharedSlots slotSet{};      ///< of the locks of these alone; absent: of all
};

/// What happened to the server or to the watching, or to several locks at once.
struct HistoryMoment
{
    MomentKind kind = MomentKind::Disconnected;
    qint64 atMs = 0;
    LockKey key;
    QString text;
};

/// What happened to all locks, as slices of time in a lane for each: holds, waits, leases, and what was not seen. Bounded in
/// slices and bytes: the oldest are dropped, but not what goes on. About 25 bytes a slice; keys and owners are stored once.
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
    void setUnknownSlots(const SharedSlots &unknown, qint64 wallMs);
    /// All that is known was true at that moment: a gap of all lanes that began before ends there, but not while something is disconnected.
    void confirm(qint64 wallMs);
    /// What was lost before it came here makes a gap.
    void addLost(qint64 wallMs);

    /// Destroys a part of it; nothing else may be asked of it any more. False: little is left.
    bool shed();

    const HistoryClock &clock() const { return m_clock; }
    bool isEmpty() const { return m_lanes.isEmpty(); }
    /// Before that nobody looked, or it was dropped.
    qint64 firstMs() const { return m_firstMs; }
    bool hasDropped() const { return m_dropped > 0; }
    qint64 dropped() const { return m_dropped; }
    qint64 slices() const { return std::ssize(m_order) + m_open; }
    /// Another one whenever a slice has begun or ended since.
    quint64 revision() const { return m_revision; }

    /// Of all lanes, in order; none overlaps the next.
    const std::deque<HistoryGap> &gaps() const { return m_gaps; }
    /// Of a lane: those of all, and those of its slot. In order; none overlaps the next.
    std::vector<HistoryGap> gapsOf(const LockKey &key) const;
    /// The same of any lane: what concerns several locks may have been missed then.
    std::vector<HistoryGap> gapsOfAny() const;
    const std::deque<HistoryMoment> &moments() const { return m_moments; }

    /// A lane as it is kept, for whoever reckons with each of its slices; nullptr where there is none. Valid until the next change.
    const std::vector<SliceTrack> *tracks(const LockKey &key) const;
    qint64 baseMs() const { return m_baseMs; } ///< times of records count from here
    /// Nothing was seen of a lane before that: it begins with a lock that was found.
    std::optional<qint64> foundMs(const LockKey &key) const;
    /// Nothing was seen of a lane after that: it is watched no longer.
    std::optional<qint64> unwatchedMs(const LockKey &key) const;
    /// A reading in that time told who waits, or how many, if only that nobody does. Where those before and after it did, one
    /// that did not counts, too: each such time would cost a slice, and what depends on it says *at least* all the same.
    bool knewWaiters(const LockKey &key, qint64 fromMs, qint64 toMs) const;

    bool knows(const LockKey &key) const { return m_lanes.contains(key); }
    qsizetype lanes() const { return m_lanes.size(); }
    template <typename Take>
    void visitKeys(Take take) const
    {
        for (auto lane = m_lanes.keyBegin(); lane != m_lanes.keyEnd(); ++lane)
            take(*lane);
    }
    Family familyOf(const LockKey &key) const;
    /// When the last slice ended; nullopt while one goes on.
    std::optional<qint64> endedMs(const LockKey &key) const;
    /// Owners that held it at once, at most mostRows.
    int holdRows(const LockKey &key) const;
    /// Of its waiters, with one for their count where there is any.
    int waitRows(const LockKey &key) const;
    /// The longest time left that was told, in ms; 0: none.
    qint64 longestLease(const LockKey &key) const;
    const OwnerId &ownerOf(quint32 number) const { return m_owners.at(number); }

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
    struct Lane
    {
        LockKey key;
        Family family;
        quint32 number = 0;
        quint32 longestLease = 0;
        quint32 lastMs = 0;    ///< from the base: nothing that comes later lies before it
        quint32 watchedMs = 0; ///< where isUnwatched: what lastMs was before
        /// The first reading that told of its waiters, up to when one did, and whether that is so still.
        quint32 firstWaitersMs = SliceRecord::isOpen;
        quint32 lastWaitersMs = 0;
        bool tellsWaiters = false;
        bool missedWaiters = false; ///< the last reading did not tell of them, one before did
        bool isUnwatched = false;
        int holdRows = 1;
        std::vector<SliceTrack> tracks;
    };
    /// Where a slice ended, in order of all.
    struct Place
    {
        quint32 lane : 26;
        quint32 track : 6;
    };

    Lane &laneOf(const LockKey &key, Family family);
    Lane *find(const LockKey &key);
    const Lane *find(const LockKey &key) const;
    SliceTrack &track(Lane &lane, SliceKind kind, int row);
    static const SliceTrack *track(const Lane &lane, SliceKind kind, int row);
    static std::optional<quint32> foundAt(const Lane &lane);
    quint32 fromBase(qint64 axisMs) const;
    qint64 toAxis(quint32 ms) const { return m_baseMs + ms; }
    quint32 momentIn(Lane &lane, qint64 axisMs);

    void beginAt(qint64 axisMs);
    void beginGap(qint64 axisMs);
    void keepGaps(std::deque<HistoryGap> &gaps);
    std::vector<HistoryGap> slotGapsOf(const std::optional<LockKey> &key) const;
    std::optional<qint64> openGapOf(const Lane &lane) const;
    bool isInGap(const LockKey &key, qint64 fromMs, qint64 toMs) const;
    void take(const LockEvent &event);
    void begin(Lane &lane, const LockOwner &owner, quint32 at, SliceBegin how);
    void beginHolds(Lane &lane, const LockEvent &event, quint32 at, SliceBegin how);
    void changeDepth(Lane &lane, const LockEvent &event, quint32 at, SliceBegin how);
    void setLease(Lane &lane, const LockEvent &event, quint32 at, SliceBegin how);
    void endHolds(Lane &lane, const LockEvent &event, quint32 at, SliceEnd how);
    void endLate(Lane &lane, const LockEvent &event, quint32 at, SliceEnd how);
    void end(Lane &lane, SliceTrack &track, quint32 at, SliceEnd how);
    void endAll(Lane &lane, SliceKind kind, quint32 at, SliceEnd how);
    void tellWithoutRow(Lane &lane, int others, quint32 at);
    void mark(Lane &lane, quint32 at, SliceEnd how);
    void endUnwatched(Lane &lane, quint32 at);
    void takeWaiters(const WatchedLock &watched, qint64 axisMs);
    static void noteReading(Lane &lane, bool tellsWaiters, quint32 at);
    void takeCount(Lane &lane, const Waiters &waiters, bool hadRows, quint32 at);
    SliceTrack *holdOf(Lane &lane, const LockOwner &owner);
    quint32 sureUntil(const Lane &lane, const LockEvent &event, quint32 at) const;
    void addUnknown(Lane &lane, quint32 from, quint32 to);

    void append(Lane &lane, SliceTrack &track, SliceRecord record);
    void addToOrder(const Lane &lane, const SliceTrack &track);
    void keepBounds();
    void dropOldest();
    void dropLane();
    SliceRecord dropFirst(SliceTrack &track);
    void forget(Lane &lane);
    void releaseValue(SliceKind kind, quint32 value);
    quint32 ownerNumber(const OwnerId &owner);
    void rebase(qint64 axisMs);
    HistorySlice sliceOf(const SliceTrack &track, const SliceRecord &record, qint64 nowMs) const;
    void visitTrack(const SliceTrack &track, quint32 from, quint32 to, qint64 nowMs, qint64 stepMs,
                    const Take &take) const;

    qint64 m_most;
    qint64 m_mostBytes;
    HistoryClock m_clock;
    qint64 m_baseMs = 0;
    qint64 m_firstMs = 0;
    qint64 m_bytes = 0;
    qint64 m_dropped = 0;
    QHash<LockKey, quint32> m_lanes;
    std::deque<Lane> m_lanesByNumber;
    std::vector<quint32> m_freeLanes;
    InternPool<OwnerId> m_owners;
    std::deque<Place> m_order; ///< of what ended: the first place of a track is that of its first slice
    qint64 m_open = 0;         ///< slices that go on
    quint64 m_revision = 0;
    size_t m_nextDropped = 0;      ///< number of the lane that is looked at next where only such are left
    std::deque<HistoryGap> m_gaps; ///< of all lanes
    std::deque<HistoryGap>
        m_slotGaps; ///< each set of slots that was told, by begin and end; they may overlap
    std::deque<HistoryMoment> m_moments;
    qint64 m_confirmedMs = 0; ///< 0: never
    qint64 m_gapToldMs = 0;   ///< of the last gap, which began where all was known last
    qint64 m_slotsToldMs = 0; ///< the same of m_slotGaps
    bool m_isDisconnected = false;
    bool m_isAllUnknown = false; ///< every slot
};

} // namespace lockscope

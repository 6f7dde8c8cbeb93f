// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/internpool.h"
#include "core/history/slicetrack.h"
#include "core/model/lock.h"

#include <QHash>

#include <deque>
#include <optional>
#include <vector>

namespace lockscope {

/// The slices of one lock. Times are in ms from the base of its SliceStore.
struct SliceLane
{
    LockKey key;
    Family family;
    quint32 number = 0;
    quint32 longestLease = 0; ///< the longest time left that was told, in ms; 0: none
    quint32 lastMs = 0;       ///< nothing that comes later lies before it; 0: nothing has come
    quint32 watchedMs = 0;    ///< where isUnwatched: what lastMs was before
    /// The first reading that told of its waiters, up to when one did, and whether that is so still.
    quint32 firstWaitersMs = SliceRecord::isOpen;
    quint32 lastWaitersMs = 0;
    bool tellsWaiters = false;
    bool missedWaiters = false; ///< the last reading did not tell of them, one before did
    bool isUnwatched = false;   ///< it is watched no longer: nothing was seen after lastMs
    int holdRows = 1;           ///< of owners that held it at once
    std::vector<SliceTrack> tracks;

    bool isEmpty() const;
    /// Of its waiters, with one for their count where there is any.
    int waitRows() const;
    /// Made where it was not there.
    SliceTrack &track(SliceKind kind, int row);
    const SliceTrack *find(SliceKind kind, int row) const;
    /// Where it begins with what was found: before, nobody had looked.
    std::optional<quint32> foundAt() const;
    void noteReading(bool nowTellsWaiters, quint32 at);
    /// A reading in that time told who waits, or how many, if only that nobody does. Where those before and after it did, one
    /// that did not counts, too: each such time would cost a slice, and what depends on it says *at least* all the same.
    bool knewWaiters(quint32 from, quint32 to) const
    {
        return firstWaitersMs < to && (tellsWaiters || lastWaitersMs >= from);
    }
};

/// The slices of all locks as they are kept: bounded in slices and bytes, the oldest are dropped, but not what goes on. About 25
/// bytes a slice; keys and owners are stored once. One thread.
class SliceStore
{
public:
    /// `mostBytes`: of keys and owners, each counted once.
    SliceStore(qint64 most, qint64 mostBytes, quint64 revision = 0);

    /// One of the same bounds, at the next revision.
    SliceStore emptied() const { return {m_most, m_mostBytes, m_revision + 1}; }
    /// Destroys a part of it; nothing else may be asked of it any more. False: little is left.
    bool shed();

    qint64 slices() const { return std::ssize(m_order) + m_open; }
    qint64 dropped() const { return m_dropped; }
    /// Another one whenever a slice has begun or ended since.
    quint64 revision() const { return m_revision; }

    /// Before anything of that time is kept; the base may move.
    void reach(qint64 axisMs);
    qint64 baseMs() const { return m_baseMs; }
    /// What was before is not kept.
    qint64 firstMs() const { return m_firstMs; }
    quint32 fromBase(qint64 axisMs) const;
    qint64 toAxis(quint32 ms) const { return m_baseMs + ms; }

    qsizetype laneCount() const { return m_lanesByKey.size(); }
    template <typename Take>
    void visitKeys(Take take) const
    {
        for (auto lane = m_lanesByKey.keyBegin(); lane != m_lanesByKey.keyEnd(); ++lane)
            take(*lane);
    }
    const std::deque<SliceLane> &lanes() const { return m_lanes; } ///< forgotten ones too, which are empty
    SliceLane &lane(const LockKey &key, Family family);            ///< made where it was not there
    SliceLane *find(const LockKey &key);
    const SliceLane *find(const LockKey &key) const { return const_cast<SliceStore *>(this)->find(key); }
    const SliceLane &at(const LockKey &key) const; ///< an empty one where it is not there

    const OwnerId &owner(quint32 number) const { return m_owners.at(number); }
    /// For a slice: counts a use, which ends where the slice is dropped.
    quint32 use(const OwnerId &owner);

    void append(SliceLane &lane, SliceTrack &track, SliceRecord record);
    /// Nothing where none is open.
    void end(SliceLane &lane, SliceTrack &track, quint32 at, SliceEnd how);
    void endAll(SliceLane &lane, SliceKind kind, quint32 at, SliceEnd how);
    /// As if the slice that is open had not been; one without an owner.
    void takeBack(SliceTrack &track);
    void forgetIfEmpty(SliceLane &lane);
    /// Not while lanes are changed.
    void keepBounds();

private:
    /// Where a slice ended, in order of all.
    struct Place
    {
        quint32 lane : 26;
        quint32 track : 6;
    };

    void addToOrder(const SliceLane &lane, const SliceTrack &track);
    void dropOldest();
    void dropLane();
    SliceRecord dropFirst(SliceTrack &track);
    void rebase(qint64 axisMs);

    qint64 m_most;
    qint64 m_mostBytes;
    quint64 m_revision;
    qint64 m_baseMs = 0;
    qint64 m_firstMs = 0;
    qint64 m_bytes = 0;
    qint64 m_dropped = 0;
    qint64 m_open = 0; ///< slices that go on
    QHash<LockKey, quint32> m_lanesByKey;
    std::deque<SliceLane> m_lanes;
    std::vector<quint32> m_freeLanes;
    InternPool<OwnerId> m_owners;
    std::deque<Place> m_order; ///< of what ended: the first place of a track is that of its first slice
    size_t m_nextDropped = 0;  ///< number of the lane that is looked at next where only such are left
};

} // namespace lockscope

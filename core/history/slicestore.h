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
    quint32 longestLease = 0; ///< longest time left, in ms; 0: none
    quint32 lastMs = 0;       ///< later slices do not begin before it; 0: none
    quint32 watchedMs = 0;    ///< if isUnwatched: the previous lastMs
    /// The first and last readings with known waiters, and whether they still are.
    quint32 firstWaitersMs = SliceRecord::isOpen;
    quint32 lastWaitersMs = 0;
    bool tellsWaiters = false;
    bool countsAtLeast = false; ///< the last reading with known waiters could not show all of them
    bool missedWaiters = false; ///< the last reading did not show waiters, an earlier one did
    bool isUnwatched = false;   ///< no longer watched: nothing was seen after lastMs
    int holdRows = 1;           ///< number of simultaneous owners
    std::vector<SliceTrack> tracks;

    bool isEmpty() const;
    /// The number of rows for waiters, including one for their count if it exists.
    int waitRows() const;
    /// The track, created if missing.
    SliceTrack &track(SliceKind kind, int row);
    const SliceTrack *find(SliceKind kind, int row) const;
    /// The begin of a lane that begins with a found lock: earlier times were not monitored.
    std::optional<quint32> foundAt() const;
    void noteReading(bool nowTellsWaiters, quint32 at);
    /// True if readings in that period showed the waiters, even if none. A single reading without them
    /// between two others counts too: its own slice would change little.
    bool knewWaiters(quint32 from, quint32 to) const
    {
        return firstWaitersMs < to && (tellsWaiters || lastWaitersMs >= from);
    }
};

/// The stored slices of all locks: bounded in slices and bytes; the oldest ended ones are dropped. About 25
/// bytes per slice; keys and owners are stored once. One thread.
class SliceStore
{
public:
    /// `maxBytes`: limit for keys and owners, each counted once.
    SliceStore(qint64 most, qint64 maxBytes, quint64 revision = 0);

    /// An empty store with the same bounds, at the next revision.
    SliceStore emptied() const { return {m_most, m_mostBytes, m_revision + 1}; }
    /// Destroys a part of the store, which must not be used afterwards. False: little is left.
    bool shed();

    qint64 slices() const { return std::ssize(m_order) + m_open; }
    qint64 dropped() const { return m_dropped; }
    /// Changes whenever a slice has begun or ended.
    quint64 revision() const { return m_revision; }

    /// Call before storing slices of that time; the base may move.
    void reach(qint64 axisMs);
    qint64 baseMs() const { return m_baseMs; }
    /// The begin of what is stored.
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
    const std::deque<SliceLane> &lanes() const { return m_lanes; } ///< forgotten ones are empty
    SliceLane &lane(const LockKey &key, Family family);            ///< created if missing
    SliceLane *find(const LockKey &key);
    const SliceLane *find(const LockKey &key) const { return const_cast<SliceStore *>(this)->find(key); }
    const SliceLane &at(const LockKey &key) const; ///< empty if missing

    const OwnerId &owner(quint32 number) const { return m_owners.at(number); }
    /// The owner's number for a slice; counts a use, until the slice is dropped.
    quint32 use(const OwnerId &owner);

    void append(SliceLane &lane, SliceTrack &track, SliceRecord record);
    void end(SliceLane &lane, SliceTrack &track, quint32 at, SliceEnd how);
    void endAll(SliceLane &lane, SliceKind kind, quint32 at, SliceEnd how);
    /// Removes the open slice, which must have no owner.
    void takeBack(SliceTrack &track);
    void forgetIfEmpty(SliceLane &lane);
    /// Drops slices beyond the bounds. Not while lanes are being changed.
    void keepBounds();

private:
    /// A place of an ended slice, in the order of all ends.
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
    qint64 m_open = 0;
    QHash<LockKey, quint32> m_lanesByKey;
    std::deque<SliceLane> m_lanes;
    std::vector<quint32> m_freeLanes;
    InternPool<OwnerId> m_owners;
    std::deque<Place> m_order; ///< ended slices: the first place of a track is that of its first slice
    size_t m_nextDropped = 0;  ///< number of the next lane to search when only open slices are left
};

} // namespace lockscope

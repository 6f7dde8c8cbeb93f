// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/lockcolumns.h"

#include <Qt>

namespace lockscope {

/// A total order of locks; keys decide last. Compares moments, never the time left: time only changes which
/// locks are stalled or held unusually long, and moment() decides that. The State column sorts by damage.
class LockOrder
{
public:
    LockOrder() = default;
    LockOrder(LockColumn column, Qt::SortOrder direction, TimePoint moment = {})
        : m_column(&specOf(column)), m_direction(direction), m_moment(moment)
    {
    }

    void setCluster(const ClusterStatus &cluster) { m_cluster = cluster; }
    /// Sets the index of waits, which must outlive this. Without it no lock has waiters behind it.
    void setWaits(const WaitIndex &waits) { m_waits = &waits; }
    TimePoint moment() const { return m_moment; }
    void setMoment(TimePoint moment) { m_moment = moment; }
    bool follows(CellChange change) const { return m_column->changes.testFlag(change); }

    /// Returns the sort rank, to be stored with the lock: most comparisons need nothing else.
    quint64 rank(const WatchedLock &lock) const
    {
        return m_column->rank ? m_column->rank({lock, m_moment, m_cluster, *m_waits}) : 0;
    }
    /// True if `a` sorts before `b`; the ranks are those of rank().
    bool isBefore(quint64 rankA, const WatchedLock &a, quint64 rankB, const WatchedLock &b) const
    {
        return rankA != rankB ? (rankA < rankB) == isAscending() : isBefore(a, b);
    }
    /// True if two readings of a lock sort in the same place.
    bool isSame(const WatchedLock &before, const WatchedLock &after) const
    {
        return rank(before) == rank(after) &&
               (!m_column->bytes || m_column->bytes(before) == m_column->bytes(after));
    }

private:
    bool isAscending() const { return m_direction == Qt::AscendingOrder; }
    bool isBefore(const WatchedLock &a, const WatchedLock &b) const
    {
        const int bytes = m_column->bytes ? m_column->bytes(a).compare(m_column->bytes(b)) : 0;
        return bytes != 0 ? (bytes < 0) == isAscending() : a.key().bytes.compare(b.key().bytes) < 0;
    }

    const LockColumnSpec *m_column = &specOf(LockColumn::State);
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    TimePoint m_moment;
    ClusterStatus m_cluster;
    const WaitIndex *m_waits = &WaitIndex::none();
};

} // namespace lockscope

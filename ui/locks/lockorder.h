// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/lockcolumns.h"

#include <Qt>

namespace lockscope {

/// In which order locks stand. By moments, never by what is left of them: time changes nothing but which locks are stalled or
/// held unusually long, and those as of the moment of the order. Total: keys have the last word.
/// By state ascending: by damage.
class LockOrder
{
public:
    LockOrder() = default;
    LockOrder(LockColumn column, Qt::SortOrder direction, TimePoint moment = {})
        : m_column(&specOf(column)), m_direction(direction), m_moment(moment)
    {
    }

    /// By which nodes are told apart.
    void setCluster(const ClusterStatus &cluster) { m_cluster = cluster; }
    /// What is known of waits, which must outlive this: without it nobody waits behind any lock.
    void setWaits(const WaitIndex &waits) { m_waits = &waits; }
    TimePoint moment() const { return m_moment; }
    void setMoment(TimePoint moment) { m_moment = moment; }
    /// Whether a lock may stand elsewhere after such a change.
    bool follows(CellChange change) const { return m_column->changes.testFlag(change); }

    /// The part that fits a number, to be kept beside the lock: most comparisons end there.
    quint64 rank(const WatchedLock &lock) const
    {
        return m_column->rank ? m_column->rank({lock, m_moment, m_cluster, *m_waits}) : 0;
    }
    /// Whether `a`, whose rank is given, stands before `b`.
    bool isBefore(quint64 rankA, const WatchedLock &a, quint64 rankB, const WatchedLock &b) const
    {
        return rankA != rankB ? (rankA < rankB) == isAscending() : isBefore(a, b);
    }
    /// Whether two readings of one lock stand in the same place, as far as these alone tell.
    bool isSame(const WatchedLock &before, const WatchedLock &after) const
    {
        return rank(before) == rank(after) &&
               (!m_column->bytes || m_column->bytes(before) == m_column->bytes(after));
    }

private:
    bool isAscending() const { return m_direction == Qt::AscendingOrder; }
    /// Of the same rank.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/watch/clusterstatus.h"

#include <Qt>

namespace lockscope {

class WaitIndex;

/// What is shown of a lock, from left to right.
enum class LockColumn : quint8 {
    State,
    Key,
    Family,
    Owner,
    Holds,
    Waiters,
    Blocks,   ///< those that wait behind it, for other locks too
    WaitsFor, ///< the locks in whose queues its owner stands
    Ttl,
    Held,
    Node,
    Problem
};
constexpr int lockColumns = 12;

/// In which order locks stand. By moments, never by what is left of them: time changes nothing but which locks are stalled or
/// held unusually long, and those as of the moment of the order. Total: keys have the last word.
/// By state ascending: by damage.
class LockOrder
{
public:
    LockOrder() = default;
    LockOrder(LockColumn column, Qt::SortOrder direction, TimePoint moment = {})
        : m_column(column), m_direction(direction), m_moment(moment)
    {
    }

    /// By which nodes are told apart.
    void setCluster(const ClusterStatus &cluster) { m_keepers = cluster.keepers; }
    /// What is known of waits, which must outlive this: without it nobody waits behind any lock.
    void setWaits(const WaitIndex &waits) { m_waits = &waits; }
    /// Whether a lock may stand elsewhere when other locks have changed.
    bool countsWaits() const { return m_column == LockColumn::Blocks || m_column == LockColumn::WaitsFor; }
    bool countsNodes() const { return m_column == LockColumn::Node; }
    TimePoint moment() const { return m_moment; }
    void setMoment(TimePoint moment) { m_moment = moment; }
    /// Whether a lock stands elsewhere once it is stalled, or held unusually long.
    bool countsStalled() const { return m_column == LockColumn::State || m_column == LockColumn::Problem; }

    /// The part that fits a number, to be kept beside the lock: most comparisons end there.
    quint64 rank(const WatchedLock &lock) const;
    /// Whether `a`, whose rank is given, stands before `b`.
    bool isBefore(quint64 rankA, const WatchedLock &a, quint64 rankB, const WatchedLock &b) const
    {
        return rankA != rankB ? (rankA < rankB) == isAscending() : isBefore(a, b);
    }
    /// Whether two readings of one lock stand in the same place, as far as these alone tell.
    bool isSame(const WatchedLock &before, const WatchedLock &after) const;

private:
    bool isAscending() const { return m_direction == Qt::AscendingOrder; }
    bool isBefore(const WatchedLock &a, const WatchedLock &b) const; ///< of the same rank

    LockColumn m_column = LockColumn::State;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    TimePoint m_moment;
    std::shared_ptr<const ClusterStatus::Keepers> m_keepers;
    const WaitIndex *m_waits = nullptr;
};

} // namespace lockscope

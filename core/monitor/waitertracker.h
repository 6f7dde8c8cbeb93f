// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/deadlockdetector.h"
#include "core/monitor/deadwaiterdetector.h"
#include "core/monitor/lockstore.h"
#include "core/read/companionreader.h"

#include <QSet>

#include <deque>
#include <optional>
#include <utility>

namespace lockscope {

/// Reads companion keys of the known locks in turns: visible locks and those with waiters at the last reading
/// first, then the others; finds dead waiters and deadlocks in the queues. Builds batches, takes replies,
/// writes into the store; sends nothing.
class WaiterTracker
{
public:
    WaiterTracker(LockStore &locks, milliseconds interval) : m_locks(locks), m_interval(interval) {}

    /// Starts for a new connection.
    void begin(const ServerInfo &server, int database);
    void setVisible(const QList<LockKey> &keys);

    /// The companions of a known lock come next when one of its keys has changed.
    void takeChange(const LockKey &key);

    /// The time of the next batch; not before the replies to the last one are taken or lost.
    TimePoint next() const;
    /// The next batch; empty if there is nothing to read.
    CommandBatch ask(TimePoint now);
    /// The server cost of the last batch, in reads of a key.
    int weight() const { return m_weight; }
    /// An Error: the server cannot answer at the moment.
    Result<void> take(std::span<const Reply> replies, TimePoint asked, TimePoint heard);
    /// The connection was lost. `isOurs`: a reply exceeded the codec's limits, with no other in flight.
    void lost(bool isOurs);

    /// The deadlocks, if changed since the last call.
    std::optional<QList<Deadlock>> takeDeadlocks();

    /// For a cluster node: cycles may include waits of other nodes, and are found by the DeploymentMonitor.
    void setIsPart(bool isPart) { m_isPart = isPart; }
    /// All waits; once per turn.
    std::optional<QList<WaitEdge>> takeWaits() { return std::exchange(m_waits, std::nullopt); }
    /// Sets the deadlocks found by the DeploymentMonitor.
    void setDeadlocks(const QList<Deadlock> &deadlocks) { tellDeadlocks(deadlocks); }

    /// Retries forbidden reads: a few commands, or all.
    void retryForbidden(bool isAll);
    QList<CompanionAccess::Forbidden> forbidden() const;

private:
    QList<Lock> nextLocks(TimePoint now);
    bool mayLookAt(const WatchedLock &watched) const;
    void beginTurn(TimePoint now);
    void finishReading(TimePoint now);
    void forgetCompanions(const LockKey &key);
    void buildWaitForGraph();
    CommandBatch askForPicture();
    void noteTransaction(const Reply &multi);
    void takeSecondPicture(const Reply &picture, TimePoint asked, TimePoint heard);
    void tellDeadlocks(const QList<Deadlock> &deadlocks);

    LockStore &m_locks;
    const milliseconds m_interval;
    int m_database = 0;
    CompanionAccess m_scope;
    QList<LockKey> m_visible;  ///< the selected one first
    QSet<LockKey> m_waitedFor; ///< at the last reading
    QSet<LockKey> m_suspects;  ///< a reply for one of them exceeded the codec's limits: read one by one
    QSet<LockKey> m_tooBig;    ///< never read again
    std::deque<LockKey> m_first;
    QSet<LockKey> m_requested;  ///< before them
    bool m_hadRequests = false; ///< the last batch: the next one is of others, so that each turn ends
    bool m_inTurn = false;      ///< the snapshot of this turn is still to be made
    bool m_looksAtLeft = false; ///< reads queues of locks that are gone in this turn
    TimePoint m_nextTurn;
    size_t m_place = 0; ///< place in the store for the others
    bool m_walks = false;
    bool m_hasWalked = false;
    TimePoint m_nextWalk;
    std::optional<CompanionReader> m_reading;
    int m_weight = 0;
    DeadWaiterDetector m_dead;
    DeadlockDetector m_deadlocks;
    QList<Lock> m_inDoubt; ///< locks of suspected deadlocks, for the second snapshot
    bool m_mayTransact = true;
    std::optional<CompanionAccess::Forbidden> m_noTransaction;
    QList<Deadlock> m_told;
    bool m_haveChanged = false;
    bool m_isPart = false;
    std::optional<QList<WaitEdge>> m_waits;
};

} // namespace lockscope

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

/// Looks in turns at what stands beside the known locks: first at those that are looked at and those that were waited for
/// the last time, then on through the rest; and from their queues tells dead waiters and deadlocks. Says what is to be
/// asked, takes the replies, writes into the store; sends nothing.
class WaiterTracker
{
public:
    WaiterTracker(LockStore &locks, milliseconds interval) : m_locks(locks), m_interval(interval) {}

    /// A new connection.
    void begin(const ServerInfo &server, int database);
    void setVisible(const QList<LockKey> &keys);

    /// When there is something to ask. Not before the replies to what was asked last are taken, or lost.
    TimePoint next() const;
    /// Empty where there is nothing to ask after all.
    CommandBatch ask(TimePoint now);
    /// What that costs the server, in reads of a key.
    int weight() const { return m_weight; }
    /// An Error: the server can't answer at the moment.
    Result<void> take(std::span<const Reply> replies, TimePoint asked, TimePoint heard);
    /// The connection went. `isOurs`: a reply broke the limits of the codec, and nothing else had been asked for.
    void lost(bool isOurs);

    /// Where they have changed since the last call.
    std::optional<QList<Deadlock>> takeDeadlocks();

    /// Of a cluster's node: waits may form a cycle with those at other nodes, and whoever sees all finds it.
    void setIsPart(bool isPart) { m_isPart = isPart; }
    /// All waits, once for each turn.
    std::optional<QList<WaitEdge>> takeWaits() { return std::exchange(m_waits, std::nullopt); }
    /// As found by whoever sees all.
    void setDeadlocks(const QList<Deadlock> &deadlocks) { tellDeadlocks(deadlocks); }

    /// What may not be asked is asked again: a few commands, or all.
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
    QList<LockKey> m_visible;    ///< the chosen one first
    QSet<LockKey> m_waitedFor;   ///< the last time that they were looked at
    QSet<LockKey> m_suspects;    ///< a reply to one of them broke the codec's limits: asked for one at a time
    QSet<LockKey> m_tooBig;      ///< that one: never asked for again
    std::deque<LockKey> m_first; ///< of this turn
    bool m_inTurn = false;       ///< the picture of this turn is still to be made
    bool m_looksAtLeft = false;  ///< in this turn, at queues whose locks are gone
    TimePoint m_nextTurn;
    size_t m_place = 0; ///< in the walk through the rest
    bool m_walks = false;
    bool m_hasWalked = false; ///< since the last turn
    TimePoint m_nextWalk;
    std::optional<CompanionReader> m_reading;
    int m_weight = 0;
    DeadWaiterDetector m_dead;
    DeadlockDetector m_deadlocks;
    QList<Lock> m_inDoubt; ///< the locks of suspected deadlocks, while a second picture of them is asked for
    bool m_mayTransact = true;
    std::optional<CompanionAccess::Forbidden> m_noTransaction; ///< why not, where that is forbidden
    QList<Deadlock> m_told;
    bool m_haveChanged = false;
    bool m_isPart = false;
    std::optional<QList<WaitEdge>> m_waits;
};

} // namespace lockscope

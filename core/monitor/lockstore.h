// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/companionremnants.h"
#include "core/monitor/diffcollector.h"
#include "core/monitor/evidencememory.h"
#include "core/monitor/expiryqueue.h"
#include "core/monitor/forcedexpiries.h"
#include "core/monitor/knownlock.h"
#include "core/monitor/ownerpool.h"
#include "core/monitor/readorder.h"
#include "core/read/inspector.h"

#include <optional>
#include <unordered_set>
#include <utility>

namespace lockscope {

/// The known locks as last read, and the changes between readings. Separate classes keep the reading order,
/// expiries, diffs and remnants. Sends nothing, knows no server. One look-up per reading: a scan makes
/// 100,000.
class LockStore
{
public:
    LockStore() = default;
    LockStore(const LockStore &) = delete; // its entries point to each other
    LockStore &operator=(const LockStore &) = delete;

    /// Begins a gap (start, reconnection): changes of a key before its next reading are unknown.
    void beginGap();
    /// Begins a gap of the feed: changes may have been missed, or the modes have changed. `isScanning`: the
    /// current scan began before that.
    void beginFeedGap(bool isScanning);
    /// Ends the gap after a full scan: new locks from here on were acquired, not just found.
    void endGap();

    /// All changes of pushed keys until then have been reported; applies to later readings.
    void setHeardUntil(TimePoint at) { m_heardUntil = at; }
    /// `isPushed`: changes of this key are pushed, it is not polled. `wasHidden`: it was unreadable until
    /// now, and earlier changes are unknown.
    void apply(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden = false);
    /// Applies a reading of companion keys. A family that they show stays while the lock is known. False if
    /// the lock is no longer known.
    bool applyCompanions(const LockKey &key, const CompanionState &companions, TimePoint now);
    /// The lock, if it has a wait queue that was read; otherwise nullptr.
    const Lock *queued(const LockKey &key) const;
    /// Applies a queue that was read along with the lock.
    void applyQueue(const LockKey &key, const QList<Waiter> &queue, TimePoint now);
    void setProblem(const LockKey &key, Problem problem, bool on);
    /// Records a forced expiry of these owners' holds: an owner that writes the lock again is then detected.
    void recordForceExpire(const LockKey &key, const QList<LockOwner> &ended, TimePoint now);
    /// Ends all locks at once for a common cause.
    void endAll(EventKind how, TimePoint now);
    /// The number of Vanished events so far.
    qint64 vanished() const { return m_diff.vanished(); }
    /// Drops a lock without an event, because it is not watched any more.
    void forget(const LockKey &key);

    /// Removes locks that match, without events, for takeOver() of another store.
    template <typename IsSo>
    QList<MigratedLock> handOver(IsSo isSo)
    {
        QList<MigratedLock> left;
        for (auto known = m_locks.begin(); known != m_locks.end();) {
            const auto next = std::next(known);
            if (isSo(known->first)) {
                left.append({known->second.watched, known->second.isOrphan});
                drop(known);
            }
            known = next;
        }
        return left;
    }
    /// False if it is known already.
    bool takeOver(const MigratedLock &handed);

    const WatchedLock *find(const LockKey &key) const;
    qsizetype size() const { return static_cast<qsizetype>(m_locks.size()); }
    /// The number of locks ever known, without keys that are isNoLock(); metHidden() counts those.
    qsizetype met() const { return m_forgotten + size() - m_hidden; }
    qsizetype metHidden() const { return m_forgottenHidden + m_hidden; }
    /// The size of names and owners, as if no lock shared its owner's.
    qint64 bytes() const { return m_bytes; }
    QList<LockKey> keys() const;
    /// Some locks that match and may have companion keys, from a place that starts at 0 and is 0 again at the end.
    /// Locks that come or go in the meantime may be missed.
    template <typename IsSo>
    QList<Lock> someToAsk(size_t &place, qsizetype most, IsSo isSo) const
    {
        QList<Lock> found;
        for (; place < m_walked.bucket_count() && found.size() < most; ++place) {
            for (auto at = m_walked.begin(place); at != m_walked.end(place); ++at) {
                const auto known = m_locks.find(*at);
                if (known != m_locks.end() && isSo(known->second.watched))
                    found.append(known->second.watched.lock);
            }
        }
        if (place >= m_walked.bucket_count())
            place = 0;
        return found;
    }

    bool hasChanges() const { return !m_diff.isEmpty() || m_beginsAnew; }
    /// The changes since the last call. Without `keepsLocks`, only the number of locks is kept.
    LockDiff takeChanges(bool keepsLocks = true)
    {
        const bool beginsAnew = std::exchange(m_beginsAnew, false) && !keepsLocks;
        if (beginsAnew)
            forgetBefore();
        LockDiff diff = m_diff.take(m_locks);
        if (keepsLocks)
            return diff;
        if (beginsAnew)
            diff.withdrawn = [](const LockKey &) { return true; };
        m_forgotten += size() - m_hidden;
        m_forgottenHidden += m_hidden;
        clear();
        return diff;
    }

    template <typename IsPushed>
    void classify(IsPushed isPushed)
    {
        for (auto &[key, known] : m_locks)
            known.isPushed = isPushed(key);
        m_order.rebuild(m_locks);
    }

    // Reading order: ReadOrder.
    /// True for a key that was read and is no lock: read again only in passes over all.
    bool isIdle(const LockKey &key) const;
    std::optional<TimePoint> oldestRead(bool all = false) const { return m_order.oldest(all); }
    std::optional<TimePoint> oldestPolled() const { return m_order.oldestPolled(); }
    QList<LockKey> takeDue(TimePoint until, TimePoint now, qsizetype max, bool all = false)
    {
        return m_order.takeDue(until, now, max, all);
    }
    QList<LockKey> takeDuePolled(TimePoint until, TimePoint now, qsizetype max)
    {
        return m_order.takeDuePolled(until, now, max);
    }

    // Expiries: ExpiryQueue.
    std::optional<TimePoint> nextExpiry() { return m_expiries.next(); }
    QList<LockKey> takeExpired(TimePoint now, qsizetype max) { return m_expiries.takeExpired(now, max); }

    // Queues of fair locks that are gone: CompanionRemnants.
    /// Records the queue of a fair lock, found by a scan; the lock may have gone before.
    void recordQueue(const LockAddress &lock, Family family, TimePoint now);
    QList<Lock> orphanCandidates(qsizetype max) const { return m_remnants.orphanCandidates(max); }
    /// A queue that still exists without its lock becomes a lock without owners, until its lock is acquired
    /// or the queue is empty.
    void applyRemnant(const LockKey &key, const CompanionState &companions, TimePoint now)
    {
        m_remnants.apply(key, companions, now);
    }
    QList<LockKey> takeSuspectedOrphans() { return m_remnants.takeSuspectedOrphans(); }
    void forgetRemnant(const LockKey &key) { m_remnants.forget(key); }

private:
    using Locks = KnownLocks;

    struct How
    {
        bool isPushed = false;
        bool wasHidden = false;
    };
    void update(Locks::iterator known, const Inspection &inspection, TimePoint now, How how);
    KnownLock *change(Locks::iterator known, const Inspection &inspection, TimePoint now, How how);
    void keepFamily(Locks::iterator known, Lock lock, CompanionStatePtr companions, TimePoint now, How how);
    CompanionStatePtr keptCompanions(Locks::const_iterator known, const Lock &read);
    const Lock *lockOf(Locks::const_iterator known) const;
    void addEvents(const std::optional<Lock> &before, const std::optional<Lock> &after,
                   const QList<LockChange> &changes, EventFacts facts, bool watching, TimePoint now);
    void addOrphan(const LockKey &key, TimePoint now);
    KnownLock &add(WatchedLock watched);
    void remove(Locks::iterator known);
    void drop(Locks::iterator known);
    /// Forgets locks that were last read before the gap.
    void forgetBefore()
    {
        std::erase_if(m_locks, [this](const auto &known) {
            const bool isOld = known.second.generation != m_generation;
            if (isOld)
                countHidden(known.second.watched.lock, -1);
            return isOld;
        });
        std::erase_if(m_walked, [this](const LockKey &key) { return !m_locks.contains(key); });
        m_forgotten = m_forgottenHidden = 0;
    }
    void clear()
    {
        m_gone += size();
        m_locks.clear();
        m_walked.clear();
        m_order.clear();
        m_expiries.clear();
        m_bytes = 0;
        m_hidden = 0;
    }
    void countHidden(const Lock &lock, int sign);
    void weigh(KnownLock &known);
    void noteCompanions(KnownLock &known);

    Locks m_locks;
    std::unordered_set<LockKey, TableHash<LockKey>> m_walked; ///< locks that may have companion keys: few
    ReadOrder m_order;
    ExpiryQueue m_expiries{m_locks};
    DiffCollector m_diff;
    CompanionRemnants m_remnants;
    ForcedExpiries m_forced;
    EvidenceMemory m_evidence;
    OwnerPool m_owners;
    CompanionStatePtr m_usualCompanions; ///< shared by all locks with the same state
    qint64 m_bytes = 0;
    qsizetype m_hidden = 0;
    qsizetype m_forgotten = 0; ///< reported and forgotten
    qsizetype m_forgottenHidden = 0;
    qsizetype m_gone = 0; ///< since OwnerPool::dropUnused()
    TimePoint m_heardUntil;
    int m_generation = 0;
    bool m_beginsAnew = false; ///< since the last takeChanges()
    int m_feedGaps = 0;        ///< number so far
    int m_scansUnheard = 1;    ///< scans until new holds count as reported by the feed
    bool m_complete = false;   ///< a full scan has passed since the gap
};

} // namespace lockscope

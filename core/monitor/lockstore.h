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
#include <utility>

namespace lockscope {

/// The known locks as last read, and what readings change about them. Keeps their order of reading, their expiries, the
/// diff since the last call, and what outlives them, each in a class of its own. Sends nothing, knows no server. One
/// look-up a reading: a scan makes 100,000 of them.
class LockStore
{
public:
    LockStore() = default;
    LockStore(const LockStore &) = delete; // its entries point to each other
    LockStore &operator=(const LockStore &) = delete;

    /// The watching has a gap from here on (start, reconnection): until each key is read again, what became
    /// of it is not known.
    void beginGap();
    /// Changes may have been missed, or are heard in another way from here on; `isScanning`: the scan that passes next began
    /// before that.
    void beginFeedGap(bool isScanning);
    /// A whole scan has passed since the gap: what is new from here on was acquired, not just found.
    void endGap();

    /// What had changed by then has been told, of keys whose changes are pushed: of the readings that follow.
    void setHeardUntil(TimePoint at) { m_heardUntil = at; }
    /// `isPushed`: changes of this key are pushed, so that it is not polled. `wasHidden`: it could not be read until now,
    /// so what became of it meanwhile is not known.
    void apply(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden = false);
    /// The companion keys of a lock were read. A family that was recognized by them stays recognized while the lock is
    /// known. False where the lock is not known any more.
    bool applyCompanions(const LockKey &key, const CompanionState &beside, TimePoint now);
    /// The lock, where those who wait for it stand in a queue that has been read. nullptr: they do not, as far as is known.
    const Lock *queued(const LockKey &key) const;
    /// Its queue was read along with it.
    void applyQueue(const LockKey &key, const QList<Waiter> &queue, TimePoint now);
    /// What only watching can tell.
    void setProblem(const LockKey &key, Problem problem, bool on);
    /// These owners' holds were force-expired: one of them that comes back does not know it, or does not care.
    void recordForceExpire(const LockKey &key, const QList<LockOwner> &ended, TimePoint now);
    /// All went at once, for a cause that is none of theirs.
    void endAll(EventKind how, TimePoint now);
    /// How many have vanished so far.
    qint64 vanished() const { return m_diff.vanished(); }
    /// Drops a lock without an event: nothing happened to it, it is only not watched any more.
    void forget(const LockKey &key);

    /// Takes out those that are so, without a word: another store takes them in, as if they had been there all the time.
    template <typename IsSo>
    QList<HandedOver> handOver(IsSo isSo)
    {
        QList<HandedOver> left;
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
    /// False where it is known already.
    bool takeOver(const HandedOver &handed);

    const WatchedLock *find(const LockKey &key) const;
    qsizetype size() const { return static_cast<qsizetype>(m_locks.size()); }
    /// Locks that were known at some time, without those that are isNoLock(); and these.
    qsizetype met() const { return m_forgotten + size() - m_hidden; }
    qsizetype metHidden() const { return m_forgottenHidden + m_hidden; }
    /// Of names and owners, as if no lock shared its owner's.
    qint64 bytes() const { return m_bytes; }
    QList<LockKey> keys() const;
    /// Some locks that are so, from a place on that begins with 0 and is 0 again when all have been passed. What comes or
    /// goes meanwhile may be passed over.
    template <typename IsSo>
    QList<Lock> some(size_t &place, qsizetype most, IsSo isSo) const
    {
        QList<Lock> found;
        for (; place < m_locks.bucket_count() && found.size() < most; ++place) {
            for (auto at = m_locks.begin(place); at != m_locks.end(place); ++at) {
                if (isSo(at->second.watched))
                    found.append(at->second.watched.lock);
            }
        }
        if (place >= m_locks.bucket_count())
            place = 0;
        return found;
    }

    bool hasChanges() const { return !m_diff.isEmpty() || m_beginsAnew; }
    /// What changed since the last call. Where none is kept, only how many there were is known from then on.
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

    /// Decides anew whose changes are pushed.
    template <typename IsPushed>
    void classify(IsPushed isPushed)
    {
        for (auto &[key, known] : m_locks)
            known.isPushed = isPushed(key);
        m_order.rebuild(m_locks);
    }

    // In which order they are read: ReadOrder.
    /// It was read, and is no lock: it has its turn where all is read.
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

    // When they expire: ExpiryQueue.
    std::optional<TimePoint> nextExpiry() { return m_expiries.next(); }
    QList<LockKey> takeExpired(TimePoint now, qsizetype max) { return m_expiries.takeExpired(now, max); }

    // Queues of fair locks that are gone: CompanionRemnants.
    /// A scan has met the queue of a fair lock, which may have gone before anybody watched.
    void recordQueue(const LockAddress &lock, Family family, TimePoint now);
    QList<Lock> orphanCandidates(qsizetype max) const { return m_remnants.orphanCandidates(max); }
    /// A queue that still stands there without its lock becomes a lock of its own, without owner, until its lock is acquired
    /// or it is empty.
    void applyRemnant(const LockKey &key, const CompanionState &beside, TimePoint now)
    {
        m_remnants.apply(key, beside, now);
    }
    QList<LockKey> takeSuspectedOrphans() { return m_remnants.takeSuspectedOrphans(); }
    void forgetRemnant(const LockKey &key) { m_remnants.forget(key); }

private:
    using Locks = KnownLocks;

    /// How a key was read.
    struct How
    {
        bool isPushed = false;
        bool wasHidden = false;
    };
    void update(Locks::iterator known, const Inspection &inspection, TimePoint now, How how);
    KnownLock *change(Locks::iterator known, const Inspection &inspection, TimePoint now, How how);
    void keepFamily(Locks::iterator known, Lock lock, CompanionStatePtr beside, TimePoint now, How how);
    CompanionStatePtr keptCompanions(Locks::const_iterator known, const Lock &read);
    const Lock *lockOf(Locks::const_iterator known) const;
    void addEvents(const std::optional<Lock> &before, const std::optional<Lock> &after,
                   const QList<LockChange> &changes, EventFacts facts, bool watching, TimePoint now);
    void addOrphan(const LockKey &key, TimePoint now);
    KnownLock &add(WatchedLock watched);
    void remove(Locks::iterator known);
    void drop(Locks::iterator known);
    /// What was read before the gap.
    void forgetBefore()
    {
        std::erase_if(m_locks, [this](const auto &known) {
            const bool isOld = known.second.generation != m_generation;
            if (isOld)
                countHidden(known.second.watched.lock, -1);
            return isOld;
        });
        m_forgotten = m_forgottenHidden = 0;
    }
    void clear()
    {
        m_gone += size();
        m_locks.clear();
        m_order.clear();
        m_expiries.clear();
        m_bytes = 0;
        m_hidden = 0;
    }
    void countHidden(const Lock &lock, int sign);
    void weigh(KnownLock &known);

    Locks m_locks;
    ReadOrder m_order;
    ExpiryQueue m_expiries{m_locks};
    DiffCollector m_diff;
    CompanionRemnants m_remnants;
    ForcedExpiries m_forced;
    EvidenceMemory m_evidence;
    OwnerPool m_owners;
    CompanionStatePtr m_usualBeside; ///< shared by all that have the same
    qint64 m_bytes = 0;
    qsizetype m_hidden = 0;
    qsizetype m_forgotten = 0; ///< locks that were told
    qsizetype m_forgottenHidden = 0;
    qsizetype m_gone = 0; ///< since the owners were looked through
    TimePoint m_heardUntil;
    int m_generation = 0;
    bool m_beginsAnew = false; ///< since the last changes were taken
    int m_feedGaps = 0;        ///< so far
    int m_scansUnheard = 1;    ///< that have to pass until what is new was heard to begin
    bool m_complete = false;   ///< a whole scan has passed since the gap
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/monitor/ownerpool.h"
#include "core/read/inspector.h"

#include <QSet>

#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockscope {

/// The known locks: as last read, in the order of their readings, and by their predicted ends; and what changed since
/// it was last asked. Sends nothing, knows no server. One look-up a reading: a sweep makes 100,000 of them.
class LockStore
{
public:
    LockStore() = default;
    LockStore(const LockStore &) = delete; // its entries point to each other
    LockStore &operator=(const LockStore &) = delete;

    /// The watching has a gap from here on (start, reconnection): until each key is read again, what became
    /// of it is not known.
    void beginGap();
    /// A whole sweep has passed since the gap: what is new from here on was acquired, not just found.
    void endGap();

    /// `isPushed`: changes of this key are told, so that it needs no turn of its own. `wasHidden`: it could not be read until
    /// now, so what became of it meanwhile is not known.
    void apply(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden = false);
    /// What stands beside a lock was looked at. A kind of lock that was recognized by it stays recognized while the lock is
    /// known. False where the lock is not known any more.
    bool applyBeside(const LockKey &key, const CompanionState &beside, TimePoint now);
    /// A fair lock's queue was met: it may have lost its lock before anybody watched.
    void noteQueue(const LockAddress &lock, TimePoint now);
    /// Fair locks that are gone, with somebody in their queues when these were looked at last.
    QList<Lock> orphanCandidates(qsizetype most) const;
    /// Those of them that look like orphans: so they are, if their keys are read now and hold no lock.
    QList<LockKey> takeSuspectedOrphans();
    void forgetLeft(const LockKey &key);
    /// They were looked at again. A queue that still stands there without its lock becomes a lock of its own, without owner,
    /// until its lock is taken or it is empty.
    void applyLeft(const LockKey &key, const CompanionState &beside, TimePoint now);
    /// What only watching can tell.
    void setProblem(const LockKey &key, Problem problem, bool on);
    /// These owners' holds were ended by force: one of them that comes back does not know it, or does not care.
    void recordForceExpire(const LockKey &key, const QList<LockOwner> &ended, TimePoint now);
    /// All went at once, for a cause that is none of theirs: each has vanished.
    void vanishAll(TimePoint now);
    /// How many have vanished so far.
    qint64 vanished() const { return m_vanished; }
    /// Drops a lock from the picture without an event: nothing happened to it, it is only not watched any more.
    void forget(const LockKey &key);

    const WatchedLock *find(const LockKey &key) const;
    qsizetype size() const { return static_cast<qsizetype>(m_locks.size()); }
    /// Of names and owners, as if no lock shared its owner's.
    qint64 bytes() const { return m_bytes; }
    /// Those of them that look like no locks: isHidden().
    qsizetype hidden() const { return m_hidden; }
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

    bool hasChanges() const { return !m_changed.isEmpty() || !m_removed.isEmpty() || !m_events.isEmpty(); }
    /// What changed since the last call.
    LockDiff takeChanges();

    /// Decides anew whose changes are told.
    template <typename IsTold>
    void classify(IsTold isPushed)
    {
        for (auto &[key, known] : m_locks)
            known.isPushed = isPushed(key);
        sortTurns();
    }
    /// When that one was read, or taken to be read, for which it is longest ago: of those whose changes are not told,
    std::optional<TimePoint> oldestAsked() const;
    /// or of all.
    std::optional<TimePoint> oldest() const;
    /// The ones of them for which it was until `before`. Their turn is over with that.
    QList<LockKey> takeAsked(TimePoint before, TimePoint now, qsizetype most);
    QList<LockKey> take(TimePoint before, TimePoint now, qsizetype most);

    /// The first moment at which a lock should have ended.
    std::optional<TimePoint> nextEnd();
    /// Those that should have ended by now; each once, until it is read again.
    QList<LockKey> takeEnded(TimePoint now, qsizetype most);

private:
    struct Known
    {
        WatchedLock watched;
        TimePoint turnAt;
        TimePoint endAt = TimePoint::max(); ///< for which it stands in m_ends
        Known *older = nullptr;
        Known *newer = nullptr;
        qint64 bytes = 0;
        int generation = 0; ///< of the gap after which it was last read
        bool isPushed = false;
        bool isOrphan = false; ///< there is no lock, only its queue
    };
    /// A list through its entries, by turnAt.
    struct ReadOrder
    {
        Known *oldest = nullptr;
        Known *newest = nullptr;
        void append(Known &known);
        void remove(Known &known);
    };
    /// Not noexcept: so the map keeps the hash with each key instead of computing it anew for its neighbours.
    struct HashOfKey
    {
        // NOLINTNEXTLINE(performance-noexcept-move-constructor)
        size_t operator()(const LockKey &key) const { return qHash(key, QHashSeed::globalSeed()); }
    };
    using End = std::pair<TimePoint, LockKey>;
    using Locks = std::unordered_map<LockKey, Known, HashOfKey>;

    ReadOrder &readOrderOf(const Known &known) { return known.isPushed ? m_pushed : m_polled; }
    void sortTurns();
    void take(ReadOrder &turns, TimePoint before, TimePoint now, qsizetype most, QList<LockKey> &into);
    /// How it is read.
    struct How
    {
        bool isPushed = false;
        bool wasHidden = false;
    };
    void take(Locks::iterator known, const Inspection &inspection, TimePoint now, How how);
    void change(Locks::iterator known, const Inspection &inspection, TimePoint now, How how);
    void leaveBeside(const Lock &lock, TimePoint now);
    void confirmLeft(const LockKey &key, TimePoint now);
    CompanionStatePtr keptBeside(Locks::const_iterator known, const Lock &read);
    bool isLearned(Locks::const_iterator known, const Lock &read) const;
    void keepEvidence(Locks::const_iterator known, Lock &read);
    void tell(const std::optional<Lock> &before, const std::optional<Lock> &after,
              const QList<LockChange> &changes, bool watching, TimePoint now);
    void addEvents(const QList<LockChange> &changes, const Lock &lock, TimePoint now);
    void leaveHidden(const Lock &lock);
    void countHidden(const Lock &lock, int sign);
    Known &add(WatchedLock watched);
    bool isReturn(const Lock &lock, TimePoint now);
    bool isForcedEnd(const Lock &before, const std::optional<Lock> &after);
    void remove(Locks::iterator known);
    void weigh(Known &known);
    void expectEnd(Known &known);
    void dropStaleEnds();

    Locks m_locks;
    ReadOrder m_pushed;
    ReadOrder m_polled;
    /// Some stand there earlier than they will end, or for an end that will never be.
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;
    qint64 m_bytes = 0;
    qint64 m_vanished = 0;
    int m_generation = 0;
    bool m_complete = false;
    QSet<LockKey> m_changed;
    QSet<LockKey> m_removed;
    QList<LockEvent> m_events;
    OwnerPool m_owners;
    CompanionStatePtr m_usualBeside; ///< shared by all that have the same
    /// What stood beside locks that went lately, and still does when they come back.
    struct Left
    {
        Lock lock;
        TimePoint at;
        int looks = 0; ///< at its queue, with somebody in it
        bool isDoubted = false;
    };
    QHash<LockKey, Left> m_left;
    QList<LockKey> m_doubted;
    TimePoint m_leftTidiedAt;
    struct Forced
    {
        QList<LockOwner> ended;
        TimePoint at;
        bool awaitsReading = true; ///< the next one shows what was told already
    };
    QHash<LockKey, Forced> m_forced;
    qsizetype m_hidden = 0;
    /// Values with a lease that looked like no locks and went: one that is taken anew is a lock as likely as not.
    QSet<LockKey> m_goneHidden;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <QList>

#include <optional>

namespace lockscope {

/// One thing that was observed in a run.
struct TraceEntry
{
    enum class Kind : quint8 {
        // As the referee was told, in its order.
        Entered, ///< into the critical section
        Left,
        DiedInside,
        // As a worker knows it.
        WaitBegan, ///< it wants the lock
        Refused,   ///< one attempt, sent at `since`; it may go on waiting
        Woken,     ///< a message ended its waiting: see `other`
        Acquired, ///< answered; the lease is not over before `until`. From now on it believes to hold the lock
        HandedOver,   ///< the same, by a holder's release; then the lease began after that one had left
        Reentered,    ///< one level more; `until`: as with Renewed, where the script sets the lease anew
        Renewed,      ///< the lease is not over before `until`
        Lost,         ///< it was told that the lock is not its own any more
        GaveUp,       ///< its one attempt was refused
        TimedOut,     ///< it waited as long as it wanted to
        ReleaseBegan, ///< of the last level
        Unwound,      ///< one level less; `until`: as with Reentered
        Released,     ///< answered; sent at `since`
        Published,    ///< the same, with a message to waiters
        NotHeld,      ///< the release found that the lock was gone, or another's
        NoReply,      ///< a command got no answer: its outcome was unknown
        PauseBegan,   ///< it stands still, and its clock
        PauseEnded,
        Died,         ///< as after kill -9: it sends nothing more
        LifeBegan,    ///< a worker begins; after Died: another one in its place
        Disconnected, ///< it cannot reach the server
        Connected,    ///< it can again
        Finished,
        NotTold, ///< its process was killed: what it did after `since` may be missing
        // As the run knows of the server, whose faults it orders.
        ServerPaused,
        ServerResumed,
        ServerStopping, ///< a restart, or a flush, is ordered: locks may go before their leases end
        ServerBack,     ///< it has answered since
        ProcessStalled, ///< nothing is heard of a process of workers
        ProcessResumed, ///< the last one
        // Of a lock, as looks at the server find it.
        Orphaned, ///< it has had the same value and no expiry since `since`, for longer than it takes to set one
        OrphanedNoMore, ///< at the last look: it is gone, or has an expiry, or is another's
    };

    Kind kind = Kind::Entered;
    qint16 worker = -1; ///< -1: none
    qint16 lock = -1;
    /// Woken: who published the message, which says so itself, at `since`; -1: it does not say so, and came after `since`.
    qint16 other = -1;
    microseconds at{0}; ///< since the run's start
    microseconds since{0};
    microseconds until{
        0}; ///< Published: at least until then the lock is that waiter's, to whom it was handed; 0: nobody's

    friend bool operator==(const TraceEntry &, const TraceEntry &) = default;
};

/// What was observed in a run, each source in its own order. A value, bounded.
class RunTrace
{
public:
    static constexpr qsizetype mostEntries = 200'000;

    RunTrace() = default;
    /// Half of `most` is the most of refused attempts, which can be many more than all the rest.
    explicit RunTrace(qsizetype most) : m_most(most) {}
    /// What another process kept.
    RunTrace(const QList<TraceEntry> &entries, qint64 leftOut, std::optional<microseconds> fullAt);

    /// What was before the run's start counts as of the start.
    void add(TraceEntry entry);
    void add(const RunTrace &more);
    /// As of this worker.
    void addAs(int worker, const RunTrace &more);
    /// In the order of their times. What a source told in one moment stays in its order.
    void sort();

    const QList<TraceEntry> &entries() const { return m_entries; }
    qint64 leftOut() const { return m_leftOut; } ///< beyond the bounds: observed and not kept
    /// More than refused attempts is missing from here on.
    const std::optional<microseconds> &fullAt() const { return m_fullAt; }
    bool isEmpty() const { return m_entries.isEmpty(); }

private:
    void addLoss(const RunTrace &other);

    qsizetype m_most = mostEntries;
    QList<TraceEntry> m_entries;
    qsizetype m_refusals = 0;
    qint64 m_leftOut = 0;
    std::optional<microseconds> m_fullAt;
};

} // namespace lockscope

Q_DECLARE_TYPEINFO(lockscope::TraceEntry, Q_RELOCATABLE_TYPE);

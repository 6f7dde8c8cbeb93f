// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/plan.h"

#include <QList>

#include <optional>

namespace lockscope {

struct TraceEntry
{
    enum class Kind : quint8 {
        // From the referee, in its order.
        Entered, ///< the critical section
        Left,
        DiedInside,
        // From a worker.
        WaitBegan,
        Refused,  ///< one attempt, sent at `since`; the wait may continue
        Woken,    ///< a message ended its wait: see `other`
        Acquired, ///< answered; the lease lasts at least until `until`. The worker believes to hold the lock
        MigratedLock, ///< acquired by a holder's release; the lease began after that holder left
        Reentered,    ///< one level more; `until`: as with Renewed, if the script sets the lease
        Renewed,      ///< the lease lasts at least until `until`
        Lost,         ///< an answer showed that the lock is no longer its own
        GaveUp,
        TimedOut,
        ReleaseBegan, ///< last level only
        Unwound,      ///< one level less; `until`: as with Reentered
        Released,     ///< answered; sent at `since`
        Published,    ///< released with a message to waiters
        NotHeld,      ///< the release found no lock, or another owner's
        NoReply,      ///< a command without reply: outcome unknown
        PauseBegan,   ///< with its clock
        PauseEnded,
        Died,         ///< like kill -9: it sends nothing more
        LifeBegan,    ///< a worker begins; after Died: its replacement
        Disconnected, ///< from the server
        Connected,    ///< to the server again
        Finished,
        NotTold, ///< its process was killed: actions after `since` may be missing
        // From the run, about the server, whose faults it orders.
        ServerPaused,
        ServerResumed,
        ServerStopping, ///< a restart or flush is ordered: locks may go before their leases end
        ServerBack,     ///< it has answered since
        ProcessStalled, ///< a process of workers does not respond
        ProcessResumed,
        // From reads of a lock.
        Orphaned,       ///< the same value without expiry since `since`, for longer than it takes to set one
        OrphanedNoMore, ///< at the last read: gone, with expiry, or another owner's
    };

    Kind kind = Kind::Entered;
    qint16 worker = -1; ///< -1: none
    qint16 lock = -1;
    /// Woken: the message's publisher, if named, at `since`; -1: not named, sent after `since`.
    qint16 other = -1;
    microseconds at{0}; ///< since the run's start
    microseconds since{0};
    microseconds until{
        0};            ///< Published: the lock is handed to that waiter at least until then; 0: no handoff
    qint64 fence = -1; ///< Entered: fencing token; -1: none

    friend bool operator==(const TraceEntry &, const TraceEntry &) = default;
};

/// Observations of a run, each source in its own order. A value, bounded.
class RunTrace
{
public:
    static constexpr qsizetype maxEntries = 200'000;

    RunTrace() = default;
    /// At most half of `most` is for refused attempts, which may outnumber all others.
    explicit RunTrace(qsizetype most) : m_most(most) {}
    /// The trace of another process.
    RunTrace(const QList<TraceEntry> &entries, qint64 leftOut, std::optional<microseconds> fullAt);

    /// Entries from before the run's start get its time.
    void add(TraceEntry entry);
    void add(const RunTrace &more);
    /// Adds entries of a worker.
    void addAs(int worker, const RunTrace &more);
    /// Sorts by time; entries of one source at one time keep their order.
    void sort();

    const QList<TraceEntry> &entries() const { return m_entries; }
    qint64 leftOut() const { return m_leftOut; } ///< number of entries beyond the bounds
    /// Entries other than refused attempts are missing from here on.
    const std::optional<microseconds> &fullAt() const { return m_fullAt; }
    bool isEmpty() const { return m_entries.isEmpty(); }

private:
    void addLoss(const RunTrace &other);

    qsizetype m_most = maxEntries;
    QList<TraceEntry> m_entries;
    qsizetype m_refusals = 0;
    qint64 m_leftOut = 0;
    std::optional<microseconds> m_fullAt;
};

} // namespace lockscope

Q_DECLARE_TYPEINFO(lockscope::TraceEntry, Q_RELOCATABLE_TYPE);

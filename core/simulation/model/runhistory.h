// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/runtrace.h"

#include <optional>
#include <vector>

namespace lockscope {

/// From one moment of a run to another. Without an end: it goes on.
struct RunSpan
{
    microseconds from{0};
    std::optional<microseconds> to{};

    bool contains(microseconds at) const { return from <= at && (!to || *to > at); }

    friend bool operator==(const RunSpan &, const RunSpan &) = default;
};

/// When a part of a history was.
inline const RunSpan &spanOf(const RunSpan &span)
{
    return span;
}
const RunSpan &spanOf(const auto &part)
{
    return part.time;
}

/// What the entries of a RunTrace come to: who was inside when, who believed to hold, who waited, who woke whom. Takes entries as they
/// come: in the order of each source, of which the referee is one and each worker one. Pure.
class RunHistory
{
public:
    static constexpr int mostRows =
        6; ///< of what is at the same time in one lane: what comes beyond shares the last

    /// In the critical section of a lock, as the referee saw it.
    struct Stay
    {
        int worker = -1;
        RunSpan time;
        int row = 0;
    };
    struct Section
    {
        std::vector<Stay> stays;       ///< by their beginning
        std::vector<RunSpan> overlaps; ///< more than one was inside
        std::vector<RunSpan> orphans;  ///< locked without expiry, as looks at the server found it
        std::vector<size_t> inside;    ///< of `stays`
        int rows = 1;
    };

    /// As a worker knows it: it waited for a lock, or believed to hold it.
    struct Part
    {
        int lock = -1;
        RunSpan time;
        int row = 0;
        int levels = 1; ///< at its beginning
        struct Change
        {
            microseconds at;
            int levels;
        };
        std::vector<Change> changes{};           ///< of the levels
        std::optional<microseconds> releasing{}; ///< since then, until its end
    };
    /// A lease as the worker knows it.
    struct Lease
    {
        int lock = -1;
        microseconds from{0};
        microseconds until{0};                 ///< it is not over before that
        std::optional<microseconds> endedAt{}; ///< released, or renewed: the next one goes on
        bool isRenewal = false;
        bool isOver = false;                         ///< it ran to its end while the worker believed to hold
        std::optional<microseconds> unwatchedFrom{}; ///< nobody was left to hear of its end: it may be sooner
        bool isFromLeave = false; ///< handed over: it begins where the referee saw the one before leave
    };
    struct Mark
    {
        TraceEntry::Kind kind = TraceEntry::Kind::Died;
        microseconds at{0};
        int lock = -1;
    };
    struct Worker
    {
        std::vector<Part> holds;
        std::vector<Part> waits;
        std::vector<Lease> leases;
        std::vector<RunSpan> pauses;
        std::vector<RunSpan> deaths;
        std::vector<RunSpan> absences; ///< not connected
        std::vector<RunSpan> gaps;     ///< what it did then may be missing
        std::vector<Mark> marks;
        std::vector<microseconds> refusals; ///< of single attempts
        int rows = 1;                       ///< of holds and waits
    };
    /// The message that ended a worker's waiting, and the release of which it told.
    struct Wake
    {
        int from = -1;
        int to = -1;
        int lock = -1;
        microseconds sentAt{0};
        microseconds at{0};
    };
    enum class ServerState : quint8 { Paused, Losing, ProcessStalled };
    struct ServerSpan
    {
        ServerState state = ServerState::Paused;
        RunSpan time;
    };

    RunHistory(int workers, int locks);

    /// What is not of this run's workers and locks is passed over.
    void take(const QList<TraceEntry> &entries);

    const std::vector<Worker> &workers() const { return m_workers; }
    const std::vector<Section> &sections() const { return m_sections; }
    const std::vector<ServerSpan> &server() const { return m_server; }
    microseconds end() const { return m_end; } ///< of the last entry
    /// Only where it is known: the message said so, or exactly one publishing release can have been it, and nothing else that may have
    /// published. Those of the last seconds may still become known, or unknown.
    std::vector<Wake> wakes() const;
    const std::vector<Wake> &settledWakes() const { return m_wakes; } ///< those of them that stay as they are
    std::vector<Wake> openWakes() const;                              ///< the others
    /// Every moment at which something happened, each once, in order.
    const std::vector<microseconds> &moments() const;

private:
    struct Release
    {
        int worker;
        microseconds sent;
        microseconds answered;
        microseconds handedUntil;
    };
    /// A release that was sent and is not answered yet, or never will be: its message may come at any time.
    struct PendingRelease
    {
        int worker;
        microseconds from;
        bool hadNoReply = false;
        std::optional<microseconds> diedAt{}; ///< whoever acquires the lock after that ends it
    };
    /// Of a lock, for who published when.
    struct Publishers
    {
        std::vector<Release> releases; ///< published, in the order of their sending
        std::vector<PendingRelease> pending;
        std::vector<RunSpan>
            doubtful; ///< when somebody else may have published; in order, none touches the next
    };

    void takeEntry(const TraceEntry &entry);
    void takeOfReferee(const TraceEntry &entry);
    void takeOfWorker(Worker &worker, const TraceEntry &entry);
    void takeOfServer(const TraceEntry &entry);
    void takeOfLock(const TraceEntry &entry);
    void beginHold(Worker &worker, const TraceEntry &entry);
    static void changeLevels(Worker &worker, const TraceEntry &entry, int by);
    static Lease *lastLease(Worker &worker, int lock);
    static void endWait(Worker &worker, const TraceEntry &entry);
    static void endHold(Worker &worker, int lock, microseconds at, bool isWatched = true);
    static void endParts(Worker &worker, microseconds at);
    void endLife(Worker &worker, const TraceEntry &entry);
    static void renewLease(Worker &worker, const TraceEntry &entry);
    void noteForeignEnd(Worker &worker, const TraceEntry &entry);
    void beginRelease(const TraceEntry &entry);
    bool endRelease(const TraceEntry &entry);
    void endLostReleases(const TraceEntry &entry);
    void noteGap(Worker &worker, const TraceEntry &entry);
    static void addDoubt(Publishers &publishers, RunSpan span);
    static bool isDoubtful(const Publishers &publishers, const TraceEntry &woken);
    int rowBesideHolds(Worker &worker) const;
    std::optional<Wake> known(const TraceEntry &woken) const;
    void settleWakes();

    std::vector<Worker> m_workers;
    std::vector<Section> m_sections;
    std::vector<Publishers> m_publishers; ///< by lock
    microseconds m_longestRelease{0};
    std::vector<TraceEntry> m_woken; ///< of which something may still become known
    std::vector<Wake> m_wakes;       ///< of those before
    std::vector<ServerSpan> m_server;
    mutable std::vector<microseconds> m_moments;
    mutable bool m_areMomentsInOrder = true;
    microseconds m_end{0};
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/runtrace.h"

#include <optional>
#include <vector>

namespace lockscope {

/// A period of a run. Without an end: not finished.
struct RunSpan
{
    microseconds from{0};
    std::optional<microseconds> to{};

    bool contains(microseconds at) const { return from <= at && (!to || *to > at); }

    friend bool operator==(const RunSpan &, const RunSpan &) = default;
};

/// The history of a run by its RunTrace: who was inside, believed to hold, waited, woke whom. Takes the
/// entries in each source's order; the referee and each worker are sources. Pure.
class RunHistory
{
public:
    static constexpr int maxRows = 6; ///< limit of simultaneous rows in a lane; further ones share the last

    /// A worker in a lock's critical section, by the referee.
    struct Stay
    {
        int worker = -1;
        RunSpan time;
        int row = 0;
    };
    struct Section
    {
        std::vector<Stay> stays;       ///< sorted by begin
        std::vector<RunSpan> overlaps; ///< more than one worker inside
        std::vector<RunSpan> orphans;  ///< locked without expiry, by reads of the server
        std::vector<size_t> inside;    ///< indexes in `stays`
        int rows = 1;
    };

    /// A wait for a lock, or a hold, as the worker believes.
    struct Part
    {
        int lock = -1;
        RunSpan time;
        int row = 0;
        int levels = 1; ///< at its begin
        struct Change
        {
            microseconds at;
            int levels;
        };
        std::vector<Change> changes{};
        std::optional<microseconds> releasing{}; ///< begin of the release, until its end
    };
    struct Lease
    {
        int lock = -1;
        microseconds from{0};
        microseconds until{0};
        std::optional<microseconds> endedAt{}; ///< released, or renewed: the next lease follows
        bool isRenewal = false;
        bool isOver = false;                         ///< it ended while the worker believed to hold
        std::optional<microseconds> unwatchedFrom{}; ///< its end was not monitored: may be earlier
        bool isFromLeave = false; ///< a handoff: begins when the referee saw the previous holder leave
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
        std::vector<RunSpan> absences;
        std::vector<RunSpan> gaps; ///< actions may be missing
        std::vector<Mark> marks;
        std::vector<microseconds> refusals;
        int rows = 1; ///< number for holds and waits
    };
    /// A message that ended a worker's wait, and the release that sent it.
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

    /// Ignores entries of other workers and locks.
    void take(const QList<TraceEntry> &entries);

    const std::vector<Worker> &workers() const { return m_workers; }
    const std::vector<Section> &sections() const { return m_sections; }
    const std::vector<ServerSpan> &server() const { return m_server; }
    microseconds end() const { return m_end; }
    /// Only known ones: the message named its release, or exactly one publishing release is possible, and no
    /// other sender. Recent ones may still change.
    std::vector<Wake> wakes() const;
    /// All distinct times of entries, sorted.
    const std::vector<microseconds> &moments() const;

private:
    struct Release
    {
        int worker;
        microseconds sent;
        microseconds answered;
        microseconds handedUntil;
    };
    /// A release without answer yet, or forever: its message may come at any time.
    struct PendingRelease
    {
        int worker;
        microseconds from;
        bool hadNoReply = false;
        std::optional<microseconds> diedAt{}; ///< the next acquisition of the lock after that ends it
    };
    /// The publishers of a lock's messages, by time.
    struct Publishers
    {
        std::vector<Release> releases; ///< published, in the order of sending
        std::vector<PendingRelease> pending;
        std::vector<RunSpan> doubtful; ///< other publishers are possible; sorted, disjoint
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
    std::vector<TraceEntry> m_woken; ///< may still change
    std::vector<Wake> m_wakes;       ///< earlier ones, constant from now on
    std::vector<ServerSpan> m_server;
    mutable std::vector<microseconds> m_moments;
    mutable bool m_areMomentsInOrder = true;
    microseconds m_end{0};
};

} // namespace lockscope

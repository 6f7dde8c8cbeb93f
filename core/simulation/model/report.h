// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/findings.h"
#include "core/simulation/model/plan.h"
#include "core/simulation/model/runtrace.h"

#include <QJsonObject>

namespace lockscope {

/// Counts of one or all workers. A value that merges.
struct WorkerStats
{
    /// Attempts with all their retries: acquired, refused, timed out, or crashed between SETNX and EXPIRE.
    /// Without those that a stop or kill ended.
    qint64 attempts = 0;
    qint64 acquired = 0;
    qint64 refused = 0;
    qint64 timedOut = 0;
    qint64 lost = 0;   ///< the lock was no longer its own at a renewal, re-entry or release: once per hold
    qint64 errors = 0; ///< commands without reply
    qint64 crashes = 0;
    qint64 pauses = 0;
    qint64 execsRefused = 0; ///< watched-transaction: the key had changed since it was read
    qint64 commands = 0;
    Histogram wait; ///< from the first attempt to the acquisition
    Histogram hold; ///< in the critical section

    void merge(const WorkerStats &other);
};

/// Counters of the workers with their names in JSON.
constexpr std::pair<const char *, qint64 WorkerStats::*> workerCounts[] = {
    {"attempts", &WorkerStats::attempts},
    {"acquired", &WorkerStats::acquired},
    {"refused", &WorkerStats::refused},
    {"timed_out", &WorkerStats::timedOut},
    {"lost", &WorkerStats::lost},
    {"errors", &WorkerStats::errors},
    {"crashes", &WorkerStats::crashes},
    {"pauses", &WorkerStats::pauses},
    {"exec_refused", &WorkerStats::execsRefused},
    {"commands", &WorkerStats::commands},
};

/// Counters of the referee with their names in JSON.
constexpr std::pair<const char *, qint64 Findings::*> findingCounts[] = {
    {"violations", &Findings::overlaps},
    {"unexplained_violations", &Findings::unexplainedOverlaps},
    {"foreign_releases", &Findings::foreignReleases},
    {"orphans", &Findings::orphans},
    {"lost_wakeups", &Findings::lostWakeUps},
    {"fence_violations", &Findings::fenceViolations},
    {"stale_writes", &Findings::staleWrites},
    {"rejected_writes", &Findings::rejectedWrites},
    {"leaks", &Findings::leaks},
};

struct Round
{
    int number = 0;
    int tried = 0;
    int winners = 0;
    microseconds firstTry{0}; ///< since the run's start
    microseconds lastTry{0};
    bool voided = false; ///< its attempts were too far apart to prove anything: repeated

    void merge(const Round &other);
};

struct LogLine
{
    enum class What : quint8 {
        Tried,
        Got,
        Refused,
        TimedOut,
        Released,
        NotHeld,
        Crashed,
        Paused,
        Resumed,
        Lost
    };

    What what = What::Tried;
    int worker = 0;
    int lock = 0;
    microseconds at{0}; ///< since the run's start
    qint64 wallMs = 0;  ///< epoch
};

struct Report
{
    Plan plan;
    QList<QByteArray> keys;
    WorkerStats total;
    std::vector<qint64> acquiredByWorker;
    Findings findings;
    QList<Round> rounds; ///< in order, including voided ones
    QList<LogLine> log;  ///< for scripts; otherwise empty
    RunTrace trace;      ///< by time, if traced; otherwise empty. Not in JSON
    microseconds duration{0};
    int serverFaults = 0;      ///< number executed, of those in the plan
    microseconds roundTrip{0}; ///< median of PINGs before the run, by the same code, 1 ms apart
    bool stopped = false;

    double commandsPerAcquisition() const;
    /// Jain's index over acquisitions per worker: 1 if all have the same, 1/n if one has all. 0: none.
    double fairness() const;
    qint64 fewestAcquired() const;
    qint64 maxAcquired() const;
    int validRounds() const;
    int fewestWinners() const; ///< over valid rounds
    int maxWinners() const;
};

/// The format of cli.md, with further fields at the end.
QJsonObject toJson(const Report &report);
/// At most `most` violations, sorted by time: the first of each kind before others, so that a hundred
/// overlaps do not hide their cause.
QList<Violation> worthTelling(const QList<Violation> &examples, qsizetype most);

} // namespace lockscope

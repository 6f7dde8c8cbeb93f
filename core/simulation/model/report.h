// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/findings.h"
#include "core/simulation/model/plan.h"
#include "core/simulation/model/runtrace.h"

#include <QJsonObject>

namespace lockscope {

/// What the workers counted, one or all of them. A value that merges.
struct WorkerStats
{
    /// Wishes for a lock, each with all its tries: acquired, refused, timed out, or ended by a crash between SETNX and
    /// EXPIRE. One that a stop or a kill ended is not counted.
    qint64 attempts = 0;
    qint64 acquired = 0;
    qint64 refused = 0;  ///< WaitMode::Try
    qint64 timedOut = 0; ///< WaitMode::Timeout
    qint64 lost =
        0; ///< found at a renewal, re-entry or release that the lock was no longer theirs: once each stay
    qint64 errors = 0; ///< commands without an answer
    qint64 crashes = 0;
    qint64 pauses = 0;
    qint64 execsRefused = 0; ///< watched-transaction: the key had changed since the look
    qint64 commands = 0;
    Histogram wait; ///< from wanting to having, of those acquired
    Histogram hold; ///< inside the critical section

    void merge(const WorkerStats &other);
};

/// What is counted, with its name in JSON.
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

/// The same of the referee.
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

/// The tries of one round, for one lock.
struct Round
{
    int number = 0;
    int tried = 0;
    int winners = 0;
    microseconds firstTry{0}; ///< since the run's start
    microseconds lastTry{0};
    bool voided = false; ///< its tries were too far apart to prove anything: repeated

    void merge(const Round &other);
};

/// One line of a run that is told step by step.
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

/// Everything that a run came to.
struct Report
{
    Plan plan;
    QList<QByteArray> keys; ///< of the plan's locks
    WorkerStats total;
    std::vector<qint64> acquiredByWorker;
    Findings findings;
    QList<Round> rounds; ///< in order, the voided ones too
    QList<LogLine> log;  ///< of scripts; else empty
    RunTrace trace;      ///< of a run that is traced, by time; else empty. Not part of the JSON
    microseconds duration{0};
    int serverFaults = 0;      ///< carried out, of those in the plan
    microseconds roundTrip{0}; ///< the median of PINGs before the run, by the same code, 1 ms apart
    bool stopped = false;      ///< ended before its time

    double commandsPerAcquisition() const;
    /// Jain's index over acquisitions per worker: 1 where all have the same, 1/n where one has all. 0: none at all.
    double fairness() const;
    qint64 fewestAcquired() const;
    qint64 mostAcquired() const;
    int validRounds() const;
    int fewestWinners() const; ///< of valid rounds
    int maxWinners() const;
};

/// As cli.md has it, with more fields behind.
QJsonObject toJson(const Report &report);
/// `most` stories at most, in the order of their times: the first of each sort before another of the same, so that a
/// hundred overlaps don't hide the delete that set them off.
QList<Violation> worthTelling(const QList<Violation> &examples, qsizetype most);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/budget.h"
#include "core/monitor/changefeed.h"
#include "core/monitor/clockjumps.h"
#include "core/monitor/dataage.h"
#include "core/monitor/keyspacescan.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/lockstore.h"
#include "core/monitor/pendingreads.h"
#include "core/monitor/permissiontracker.h"
#include "core/monitor/readplanner.h"
#include "core/monitor/readschedule.h"
#include "core/monitor/resetwatch.h"
#include "core/monitor/scancounttuner.h"
#include "core/monitor/swaps.h"
#include "core/monitor/waitertracker.h"

#include <QSet>
#include <QTimer>

#include <optional>

namespace lockscope {

/// The loop behind a LockMonitor: one batch at a time, and after each it is decided anew what goes next. What begins
/// and ends it, and what it tells, is in lockmonitor.cpp; what it sends and takes in lockmonitorloop.cpp, of what stands
/// beside locks in lockmonitorwaiters.cpp, what becomes of all locks at once in lockmonitorreset.cpp, and what is
/// forbidden in lockmonitorpermissions.cpp.
class LockMonitor::Private : public QObject
{
public:
    Private(LockMonitor *monitor, Connection &serverConnection, MonitorOptions monitorOptions);

    using Targets = QList<inspector::Target>;

    using Reason = ReadReason;

    /// From start() until locks are read.
    enum class Phase {
        Stopped,      ///< not started
        Disconnected, ///< begin() follows the next login
        Subscribing,  ///< the change feed chooses its modes first, so that no change falls between
        Reading,
    };

    /// What is on its way.
    struct Batch
    {
        Reason reason;
        Targets targets;
        bool paged;             ///< with a page of the sweep behind the reads
        bool sized = false;     ///< with DBSIZE behind the reads
        bool asksSwaps = false; ///< with the server's count of swaps behind the reads
        std::optional<TimePoint> asOf =
            std::nullopt; ///< the picture's age while what is read was still waiting
        TimePoint asked{};
        Clock::duration ownTime{}; ///< when it was asked
        int generation = 0;        ///< of the connection
    };

    void begin();
    void halt();
    void feedSettled();
    void feedMissed();
    void takeHints(const QList<LockKey> &keys);
    void listen();
    void startReading();
    void learnCost();
    void learnClock();
    void learnFieldLeases();
    inspector::Target targetOf(const LockKey &key, bool announced) const;
    void sweepAgain(bool hurry);
    void dropSweep();
    void reclassify();
    bool isPushed(const inspector::Target &target) const;

    void step();
    /// What is known at this moment, for a plan.
    ReadFacts facts();
    void askWaiters(TimePoint now);
    void takeWaiters(const Result<std::vector<Reply>> &replies, TimePoint asked, int ofGeneration);
    void tellWaiters();
    void sleepUntil(TimePoint next, TimePoint now);
    Targets targetsFor(Reason reason, TimePoint now);
    QList<LockKey> changesToRead(TimePoint now);
    /// `areThere`: SCAN has just met these names.
    Targets readable(const QList<LockKey> &keys, bool areThere = false);
    Batch next(Reason reason, TimePoint now);
    void send(Batch batch, TimePoint now);
    void received(const Batch &batch, const Result<std::vector<Reply>> &replies);
    bool takeReads(const Batch &batch, std::span<const Reply> replies, TimePoint heard);
    void takeReading(Reason reason, const inspector::Target &target, const Reading &reading, TimePoint now);
    void store(const Inspection &inspection, TimePoint now, bool told, bool wasHidden = false);
    bool takePage(std::span<const Reply> replies, TimePoint now);
    bool isSweepThrough();
    void finishSweep(TimePoint now);
    void account(const Batch &batch, TimePoint heard);
    ResetWatch::Locks knownLocks() const;
    void countKeys();
    bool takeKeyspace(qint64 keys, TimePoint now);
    bool takeSwaps(const Reply &stats);
    void dropUnmet(TimePoint now);
    void failSweep(const Error &why, TimePoint now);
    bool isFull() const;
    Error tooMany() const;
    void lostBatch(const Targets &targets);
    void refuse(const Error &why);
    void retryPermissions(TimePoint now);
    void retryOthers(bool isAll);
    void keepUnreadable(const inspector::Target &target, bool isThere, const std::optional<Error> &why,
                        TimePoint now);
    void dropUnreadable(TimePoint now);
    void takePermitted(TimePoint now);
    void takeFeedPermissions();
    void takeWaiterPermissions(TimePoint now);
    void forbidScan(const Error &why, TimePoint now);
    bool isReread();
    TimePoint asOf(TimePoint now);
    bool canFindLocks() const { return !permissions.isRefused(PermissionStatus::Use::Scan); }
    Coverage coverage() const { return schedule.coverage(canFindLocks()); }
    bool isConnected() const { return connection.state() == Connection::State::Ready; }
    void tellConfirmed(TimePoint now);
    void tellSoon();
    void flush();
    double share() const;

    LockMonitor *q;
    Connection &connection;
    MonitorOptions options;
    ChangeFeed feed;
    PermissionTracker permissions;
    LockStore locks;
    WaiterTracker waiters;
    DataAge freshness;
    PendingReads hints;
    QHash<LockKey, KeyType> readAs;             // what a name that is not read yet turned out to be
    QHash<LockKey, QByteArrayList> fieldsToAsk; // of hashes without a TTL, whose fields may have some
    FieldLeases fieldLeases = FieldLeases::Unknown;
    QSet<LockKey> suspects; // one of them broke the connection: read one at a time
    QSet<LockKey> tooBig;   // its reply breaks the codec's limits: only its presence is asked for
    QSet<LockKey> absent;   // no locks, and the server announces them all the same
    std::optional<KeyspaceScan> sweep;
    Targets pageTargets; // of the last page, read along with the next SCAN
    ScanCountTuner scanCount;
    ReadSchedule schedule;
    ResetWatch resets;
    Budget budget;
    Swaps swaps;
    ClockJumps clockJumps;
    std::optional<TimePoint> rereadsSince; // without a sweep: on this connection
    TimePoint askedAsOf;                   // the picture's age without what is in flight
    TimePoint toldConfirmed;
    TimePoint toldProgress;
    TimePoint lastHeard;
    Clock::duration ownTimeThen{};
    Clock::duration workedSincePage{};
    int readsSincePage = 0;
    Phase phase = Phase::Stopped;
    bool overlaps = false;    // the last batch was sent while another was on its way
    bool feedWasFree = false; // it has met no refusal once
    bool asksSize = true;     // of the keyspace
    bool isOverfull = false;  // a lock was left out since that was last told
    int inFlight = 0;         // batches; more than one at full speed only
    int generation = 0;       // of the connection: replies to an older one are dropped
    QTimer wake;
    QTimer flushTimer;
    QTimer costTimer;
    QTimer countTimer;
    QTimer confirmTimer;
    TimePoint countedAt;
};

} // namespace lockscope

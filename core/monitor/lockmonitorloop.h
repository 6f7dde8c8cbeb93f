// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/batchesinflight.h"
#include "core/monitor/changefeed.h"
#include "core/monitor/dataage.h"
#include "core/monitor/endwatch.h"
#include "core/monitor/infowatch.h"
#include "core/monitor/keyspacescan.h"
#include "core/monitor/loadmeter.h"
#include "core/monitor/lockintake.h"
#include "core/monitor/lockmonitor.h"
#include "core/monitor/lockstore.h"
#include "core/monitor/pendingreads.h"
#include "core/monitor/permissiontracker.h"
#include "core/monitor/ratelimit.h"
#include "core/monitor/readmethods.h"
#include "core/monitor/readplanner.h"
#include "core/monitor/readschedule.h"
#include "core/monitor/resetwatch.h"
#include "core/monitor/throttle.h"
#include "core/monitor/unansweredkeys.h"
#include "core/monitor/waitertracker.h"

#include <QTimer>

#include <optional>

namespace lockscope {

/// The conductor behind a LockMonitor: sends one batch at a time, takes in its replies, and asks the planner what to read
/// next. Decides nothing of that itself: ReadPlanner does, from what ReadSchedule, LockStore and the others know.
class LockMonitorLoop : public QObject
{
public:
    LockMonitorLoop(LockMonitor *monitor, Link &serverConnection, MonitorOptions monitorOptions);

    using Targets = QList<inspector::Target>;
    using Reason = ReadReason;

    /// From start() until locks are read.
    enum class Phase {
        Stopped,      ///< not started
        Disconnected, ///< begin() follows the next login
        Subscribing,  ///< the change feed chooses its modes first, so that no change falls between
        Reading,
    };

    /// A batch in flight. Behind the reads stand the server's counters, DBSIZE and the page of the scan, in this order.
    struct Batch
    {
        Reason reason;
        Targets targets;
        bool paged;                         ///< with a page of the scan
        bool sized = false;                 ///< with DBSIZE
        bool counted = false;               ///< with the server's counters
        std::optional<TimePoint> asOf = {}; ///< the data age while its targets were still waiting
        TimePoint heardUntil{};             ///< likewise
        std::optional<Lock> queued = {};    ///< with the queue of this one
        TimePoint sentAt{};
        Clock::duration ownTime{}; ///< processor time of this thread at sentAt
        int generation = 0;        ///< of the connection
    };

    // lockmonitor.cpp: the connection, the change feed, and what is reported.
    void begin();
    void halt();
    void subscribe();
    void startReading();
    void onModesChosen();
    void onGapDetected();
    void onHints(const QList<LockKey> &keys);
    void onCounters(const QByteArray &info, TimePoint at);
    /// `hurry`: the gap is worth more of the server's time than usual.
    void scanAgain(bool hurry, std::optional<TimePoint> missedFrom = {});
    void dropScan();
    void reclassify();
    /// Whether the change after the reading of this target is pushed.
    bool isPushed(const inspector::Target &target) const;
    void confirm(TimePoint now);
    void flush();

    // lockmonitorloop.cpp: batches and their replies.
    void step();
    bool isKept(const LockKey &key) const { return !keeps || keeps(key); }
    /// What is known at this moment, for a plan.
    ReadFacts facts();
    Batch next(Reason reason, TimePoint now);
    Targets targetsFor(Reason reason, TimePoint now);
    QList<LockKey> changesToRead(TimePoint now);
    /// `areThere`: SCAN has just met these names; what is idle waits then, unless all is read.
    Targets readable(const QList<LockKey> &keys, bool areThere = false);
    void send(Batch batch, TimePoint now);
    void received(const Batch &batch, const Result<std::vector<Reply>> &replies);
    /// False: the server refuses them at the moment.
    bool applyReads(const Batch &batch, std::span<const Reply> replies, TimePoint receivedAt);
    void applyReading(Reason reason, const inspector::Target &target, const Reading &reading, TimePoint now);
    void store(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden = false);
    void account(const Batch &batch, TimePoint receivedAt);
    void lostBatch(const Targets &targets);
    void refuse(const Error &why);
    void flushSoon();
    double share() const;

    // lockmonitorscan.cpp: pages of a scan and its end; what becomes of all locks at once.
    bool applyPage(std::span<const Reply> replies, TimePoint now);
    ScanStats scanStats(TimePoint now) const;
    bool isScanThrough(TimePoint now);
    void finishScan(TimePoint now);
    void failScan(const Error &why, TimePoint now);
    void dropUnmet(TimePoint now);
    ResetWatch::Locks knownLocks() const;
    void countKeys();
    bool applyKeyCount(qint64 keys, TimePoint now);
    bool applyCounters(const ServerCounters &counters);

    // lockmonitorpermissions.cpp: what is forbidden.
    bool canFindLocks() const { return !permissions.isRefused(PermissionStatus::Use::Scan); }
    Coverage coverage() const { return schedule.coverage(canFindLocks()); }
    void retryPermissions(TimePoint now);
    void retryOthers(bool isAll);
    void keepUnreadable(const inspector::Target &target, bool isThere, const std::optional<Error> &why,
                        TimePoint now);
    void dropUnreadable(TimePoint now);
    void readPermitted(TimePoint now);
    void forbidScan(const Error &why, TimePoint now);
    void updateCompanionPermissions(TimePoint now);

    // lockmonitorloop.cpp: companion keys.
    void sendWaiters(TimePoint now);
    void applyWaiters(const Result<std::vector<Reply>> &replies, TimePoint sentAt, int generation);
    void reportDeadlocks();

    bool isConnected() const { return connection.state() == Connection::State::Ready; }

    LockMonitor *q;
    Link &connection;
    MonitorOptions options;
    std::function<bool(const LockKey &key)> keeps; // none: all there are
    qsizetype nodes = 1;
    Phase phase = Phase::Stopped;

    // What is known.
    NominatedNames names;
    LockStore locks;
    WaiterTracker waiters;
    PermissionTracker permissions;
    LockIntake intake;
    ReadMethods methods;
    DataAge dataAge;
    bool asksSize = true; // of the keyspace

    // What is to be read, and when.
    ReadSchedule schedule;
    PendingReads pending;
    std::optional<KeyspaceScan> scan;
    Targets pageTargets;       // of the last page, read along with the next SCAN
    UnansweredKeys unanswered; // since the scan began
    LoadMeter load;
    BatchesInFlight inFlight;

    // Who says that something has changed.
    ChangeFeed feed;
    InfoWatch info;
    ResetWatch resets;
    EndWatch ends;
    QByteArray runId; // of the process that was asked last

    QTimer wake;
    QTimer flushTimer;
    Throttle counting;       // the keys, whoever says how often that everything is gone
    RateLimit queuesRead{8}; // along with locks that have changed
    Throttle confirming;     // the age of the picture
    TimePoint progressSentAt;
};

} // namespace lockscope

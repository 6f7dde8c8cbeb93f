// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/batchesinflight.h"
#include "core/monitor/changefeed.h"
#include "core/monitor/dataage.h"
#include "core/monitor/endcausetracker.h"
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

/// The loop behind a LockMonitor: sends batches, takes their replies, and reads next what ReadPlanner decides
/// from the facts of ReadSchedule, LockStore and the others.
class LockMonitorLoop : public QObject
{
public:
    LockMonitorLoop(LockMonitor *monitor, Link &serverConnection, MonitorOptions monitorOptions);

    using Targets = QList<inspector::Target>;
    using Reason = ReadReason;

    enum class Phase {
        Stopped,
        Disconnected, ///< begin() follows the next login
        Subscribing,  ///< the change feed chooses its modes first, to miss no change
        Reading,
    };

    /// A batch in flight: the reads, then server counters, DBSIZE and the SCAN page, in this order.
    struct Batch
    {
        Reason reason;
        Targets targets;
        bool paged; ///< includes a page of the scan
        bool sized = false;
        bool counted = false;
        std::optional<TimePoint> asOf = {}; ///< data age while its targets were still waiting
        TimePoint heardUntil{};             ///< same, for pushed changes
        std::optional<Lock> queued = {};    ///< the lock whose queue is included
        TimePoint sentAt{};
        Clock::duration ownTime{}; ///< processor time of this thread at sentAt
        int generation = 0;        ///< number of the connection
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
    /// `hurry`: the gap is worth more server time than usual.
    void scanAgain(bool hurry, std::optional<TimePoint> missedFrom = {});
    void dropScan();
    void reclassify();
    /// True if changes after the reading of this target are pushed.
    bool isPushed(const inspector::Target &target) const;
    void confirm(TimePoint now);
    void flush();

    // lockmonitorloop.cpp: batches and their replies.
    void step();
    bool isKept(const LockKey &key) const { return !keeps || keeps(key); }
    ReadFacts facts();
    Batch next(Reason reason, TimePoint now);
    Targets targetsFor(Reason reason, TimePoint now);
    QList<LockKey> changesToRead(TimePoint now);
    /// `areThere`: SCAN has just found these names; idle ones are then skipped unless all are read.
    Targets readable(const QList<LockKey> &keys, bool areThere = false);
    void send(Batch batch, TimePoint now);
    void received(const Batch &batch, const Result<std::vector<Reply>> &replies);
    /// False: the server refuses all reads at the moment.
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
    std::function<bool(const LockKey &key)> keeps; // none: it has all keys
    qsizetype nodes = 1;
    Phase phase = Phase::Stopped;

    // What is known.
    KeyNameFilter names;
    LockStore locks;
    WaiterTracker waiters;
    PermissionTracker permissions;
    LockIntake intake;
    ReadMethods methods;
    DataAge dataAge;
    bool asksSize = true; // DBSIZE may be sent

    // What to read, and when.
    ReadSchedule schedule;
    PendingReads pending;
    std::optional<KeyspaceScan> scan;
    Targets pageTargets;       // of the last page, read with the next SCAN
    UnansweredKeys unanswered; // since the scan began
    LoadMeter load;
    BatchesInFlight inFlight;

    // Sources of changes.
    ChangeFeed feed;
    InfoWatch info;
    ResetWatch resets;
    EndCauseTracker ends;
    QByteArray runId; // of the last process

    QTimer wake;
    QTimer flushTimer;
    Throttle counting;       // of keys, however often a flush is reported
    RateLimit queuesRead{8}; // along with changed locks
    Throttle confirming;     // of the data age
    TimePoint progressSentAt;
};

} // namespace lockscope

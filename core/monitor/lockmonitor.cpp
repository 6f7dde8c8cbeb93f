// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitor.h"

#include "core/base/availablememory.h"
#include "core/monitor/lockmonitorloop.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto confirmedEvery = 250ms; // the age of the picture is told at most so often
constexpr auto countEvery = 100ms;
constexpr auto feedPatience = 1s;   // so long may the feed keep the first reading waiting
constexpr auto costOfTelling = 1us; // what a message about one key costs the server, as measured
constexpr qsizetype maxHints = 200'000;
constexpr qint64 fewestLocks = 500'000; // that each node may have

} // namespace

LockMonitorLoop::LockMonitorLoop(LockMonitor *monitor, Link &serverConnection, MonitorOptions monitorOptions)
    : QObject(monitor),
      q(monitor),
      connection(serverConnection),
      options(std::move(monitorOptions)),
      names(options.patterns, options.undiscovered),
      waiters(locks, options.waitersInterval),
      permissions(names, options.permissionInterval),
      intake(locks, names, options),
      feed(serverConnection, this),
      info(serverConnection, this),
      ends(info, this, [this] { flush(); }),
      wake(this),
      flushTimer(this),
      counting(countEvery, this, [this] { countKeys(); }),
      confirming(confirmedEvery, this, [this] { confirm(Clock::now()); })
{
    wake.setSingleShot(true);
    wake.setTimerType(Qt::PreciseTimer);
    flushTimer.setSingleShot(true);
    connect(&wake, &QTimer::timeout, this, &LockMonitorLoop::step);
    connect(&flushTimer, &QTimer::timeout, this, &LockMonitorLoop::flush);
    connect(&connection, &Connection::ready, this, &LockMonitorLoop::begin);
    connect(&connection, &Connection::connectionLost, this, &LockMonitorLoop::halt);
    connect(&connection, &Connection::connectionRefused, this, &LockMonitorLoop::halt);
    connect(&info, &InfoWatch::countersTold, this, &LockMonitorLoop::onCounters);
    connect(&info, &InfoWatch::countersForbidden, this, [this](const Error &why) {
        ends.setCounts(false);
        permissions.refuse(PermissionStatus::Use::Load, "info", why, Clock::now());
        flushSoon();
    });
    connect(&info, &InfoWatch::countersMissing, this, [this] { ends.setCounts(false), flushSoon(); });
    connect(&info, &InfoWatch::clockSet, this, [this] { // so the ends of all locks have moved
        scanAgain(true);
        step();
    });
    connect(&info, &InfoWatch::keysCounted, this, [this](qint64 keys) {
        applyKeyCount(keys, Clock::now());
        step();
    });
    connect(&info, &InfoWatch::fieldLeasesTold, this,
            [this](FieldLeases leases) { methods.setFieldLeases(leases); });
    connect(&info, &InfoWatch::loadingTold, this, [this](const Error &why) { emit q->reported(why); });
    connect(&feed, &ChangeFeed::modesChosen, this, &LockMonitorLoop::onModesChosen);
    connect(&feed, &ChangeFeed::gapDetected, this, &LockMonitorLoop::onGapDetected);
    connect(&feed, &ChangeFeed::gone, this,
            [this](const LockKey &key, EventKind how) { ends.note(key, how, Clock::now()); });
    connect(&feed, &ChangeFeed::heard, this, &LockMonitorLoop::onHints);
    connect(&feed, &ChangeFeed::delayed, this, [this] {
        startReading();
        step();
    });
    connect(&feed, &ChangeFeed::statusChanged, this, [this] {
        if (feed.isSettled()) // else whether it may is not known yet
            permissions.takeFeed(feed.status(), Clock::now());
        flushSoon();
        emit q->reported(feed.status());
    });
    connect(&feed, &ChangeFeed::confirmed, this, [this](TimePoint at) {
        dataAge.setToldUntil(at);
        confirm(Clock::now());
    });
}

void LockMonitorLoop::begin()
{
    if (phase == Phase::Stopped)
        return;
    inFlight.reset();
    schedule.connectionBegan();
    dataAge.connectionBegan();
    load.connectionBegan();
    const ServerInfo &server = connection.server();
    const bool isSameProcess = !server.runId.isEmpty() && runId == server.runId;
    ends.connected(isSameProcess, server.isReplica(), Clock::now());
    runId = server.runId;
    permissions.expectRetry();
    methods.connectionBegan();
    pending.clear();
    dropScan();
    intake.takeOverfull();
    resets.connected(connection.address(), connection.server().runId, knownLocks());
    dataAge.markGap(Clock::now(), false);
    locks.beginGap();
    waiters.begin(connection.server(), connection.address().database);
    reclassify();
    subscribe();
    info.begin(); // whether fields have leases is answered before the first key is read
    step();
}

/// The server's own cost of reads. Without permission for them, measured costs are used.
void LockMonitorLoop::onCounters(const QByteArray &stats, TimePoint at)
{
    permissions.permit(PermissionStatus::Use::Load, "info");
    const ServerCounters counters = ServerCounters::from(stats, at);
    ends.setCounts(counters.countsCommands && !connection.server().isReplica());
    load.budget().learn(stats, share(), at);
    if (applyCounters(counters))
        step();
    flush();
}

/// Subscribes before the scan, to miss no change.
void LockMonitorLoop::subscribe()
{
    phase = options.listens ? Phase::Subscribing : Phase::Reading;
    if (!options.listens)
        return;
    feed.listen(heardPatterns(names, locks));
    QTimer::singleShot(feedPatience, this, [this, begun = inFlight.generation()] {
        if (begun == inFlight.generation())
            startReading();
        step();
    });
}

void LockMonitorLoop::startReading()
{
    if (phase == Phase::Subscribing)
        phase = Phase::Reading;
}

void LockMonitorLoop::halt()
{
    if (phase != Phase::Stopped)
        phase = Phase::Disconnected;
    inFlight.reset();
    wake.stop();
    info.halt();
    flush(); // with the ends that waited
    counting.cancel();
    ends.halt();
    confirming.cancel();
    feed.stop();
}

void LockMonitorLoop::onModesChosen()
{
    if (phase == Phase::Reading) // something was read before it listened
        scanAgain(false);
    locks.beginFeedGap(scan.has_value());
    startReading();
    reclassify();
    step();
}

void LockMonitorLoop::onGapDetected()
{
    // Somebody else's messages may not make us work harder than otherwise.
    const auto incident = feed.status().incident;
    if (incident && incident->what == FeedGap::Flushed) {
        resets.reported(knownLocks(), Clock::now());
        countKeys();
    }
    locks.beginFeedGap(scan.has_value());
    scanAgain(!incident || incident->what != FeedGap::ForeignPublish);
    if (!feed.status().hasPush()) // else the ways are as they were
        reclassify();
    step();
}

void LockMonitorLoop::dropScan()
{
    scan.reset();
    pageTargets.clear();
}

/// Call before reclassify(), which resets the time of the last report.
void LockMonitorLoop::scanAgain(bool hurry, std::optional<TimePoint> missedFrom)
{
    dataAge.markGap(Clock::now(), hurry, missedFrom);
    schedule.requestScan();
}

/// Updates how changes of each lock arrive. Keys with announcements must be read first. Includes all locks: a
/// lost batch may have held some that would not be read otherwise.
void LockMonitorLoop::reclassify()
{
    const std::optional<TimePoint> now = Clock::now();
    dataAge.setToldUntil(feed.status().hasPush() ? now : std::nullopt);
    locks.classify([this](const LockKey &key) { return isPushed({key}); });
}

/// For the next change after this reading.
bool LockMonitorLoop::isPushed(const inspector::Target &target) const
{
    const FeedMode route = feed.routeOf(target.key.bytes);
    return route == FeedMode::KeyedTracking ? target.announced : route != FeedMode::Polling;
}

void LockMonitorLoop::onHints(const QList<LockKey> &keys)
{
    const TimePoint now = Clock::now();
    QList<LockKey> foreign;
    for (const LockKey &key : keys) {
        if (!isKept(key)) {
            foreign.append(key);
            continue;
        }
        pending.add(key, dataAge.heardSince(now));
        methods.announced(key);
        waiters.takeChange(key);
        if (pending.isChosen(key))
            schedule.requestRush();
    }
    if (pending.size() > maxHints) { // more than can be made up for one by one
        dataAge.markGap(now, true, pending.oldest());
        pending.clear();
        schedule.requestScan();
    }
    load.budget().chargePush(keys.size() * costOfTelling, now);
    if (!foreign.isEmpty())
        emit q->foreignKeysFound(foreign);
    step();
}

void LockMonitorLoop::confirm(TimePoint now)
{
    if (!dataAge.isReread(coverage(), inFlight.isEmpty(), pending) || !confirming.admits(now))
        return;
    const TimePoint at = dataAge.asOf(coverage(), now, locks, pending);
    emit q->reported(DataConfirmed{inFlight.isEmpty() ? at : std::min(at, inFlight.asOf())});
}

void LockMonitorLoop::flush()
{
    flushTimer.stop();
    if (locks.hasChanges() || ends.isWaiting()) {
        LockDiff diff = locks.takeChanges(options.keepsLocks);
        diff.events = ends.settle(diff.events, isConnected());
        if (!diff.isEmpty())
            emit q->reported(diff);
    }
    if (permissions.takeChanged())
        emit q->reported(permissions.status());
}

qint64 MonitorOptions::locksInMemory()
{
    constexpr qint64 bytesOfOne = 1400; // with the window's row; measured
    static const qint64 locks =
        std::clamp<qint64>(availableMemory() / 8 / bytesOfOne, fewestLocks, 4'000'000);
    return locks;
}

MonitorOptions MonitorOptions::ofOneNode(qsizetype nodes) const
{
    MonitorOptions options = *this;
    options.maxLocks = std::min(maxLocks, std::max(fewestLocks, maxLocks / std::max<qint64>(nodes, 1)));
    return options;
}

LockMonitor::LockMonitor(Link &connection, MonitorOptions options, QObject *parent)
    : QObject(parent), d(std::make_unique<LockMonitorLoop>(this, connection, std::move(options)))
{
}

LockMonitor::~LockMonitor() = default;

void LockMonitor::setNodes(qsizetype nodes)
{
    d->nodes = nodes;
}

void LockMonitor::setKeyFilter(std::function<bool(const LockKey &key)> keeps)
{
    d->keeps = std::move(keeps);
    d->waiters.setIsPart(true);
}

QList<MigratedLock> LockMonitor::handOver()
{
    d->flush(); // what was seen here is told here
    return d->locks.handOver([this](const LockKey &key) { return !d->isKept(key); });
}

void LockMonitor::takeOver(const QList<MigratedLock> &locks)
{
    for (const MigratedLock &handed : locks) {
        if (d->locks.takeOver(handed))
            d->pending.add(handed.watched.key(), handed.watched.lock.readAt);
    }
    d->step();
}

bool LockMonitor::isUnreadable(const LockKey &key) const
{
    return d->permissions.isKnown(key);
}

void LockMonitor::setDeadlocks(const QList<Deadlock> &deadlocks)
{
    d->waiters.setDeadlocks(deadlocks);
    d->waiters.takeDeadlocks(); // they are told by whoever found them
    d->flush();
}

void LockMonitor::start()
{
    if (d->phase == LockMonitorLoop::Phase::Stopped)
        d->phase = LockMonitorLoop::Phase::Disconnected;
    if (d->isConnected())
        d->begin();
}

void LockMonitor::scanNow()
{
    d->schedule.requestFullScan();
    d->dropScan(); // the one under way has not seen what is new behind it
    d->load.budget().clearCharges();
    d->permissions.retryAll(Clock::now());
    if (d->isConnected())
        d->retryOthers(true);
    d->readPermitted(Clock::now());
    d->step();
}

void LockMonitor::setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered)
{
    d->intake.setPatterns(patterns, undiscovered);
    d->permissions.setNames(d->names);
    d->dataAge.markGap(Clock::now(), false);
    d->flush();
    if (d->phase != LockMonitorLoop::Phase::Stopped && d->isConnected())
        d->subscribe();
    scanNow();
}

void LockMonitor::setRules(const QList<FamilyRule> &rules)
{
    d->options.rules = rules;
    scanNow();
}

void LockMonitor::requestRead(const QList<LockKey> &keys)
{
    d->schedule.requestRush();
    d->onHints(keys);
}

void LockMonitor::beginAction(const LockKey &key)
{
    d->intake.beginAction(key);
}

void LockMonitor::actionEnded(const LockKey &key)
{
    d->intake.actionEnded(key);
}

void LockMonitor::recordForceExpire(const LockKey &key, const QList<LockOwner> &ended)
{
    d->locks.recordForceExpire(key, ended, Clock::now());
    d->flush();
}

void LockMonitor::setVisible(const QList<LockKey> &keys)
{
    d->pending.setVisible(keys);
    d->waiters.setVisible(keys);
    d->step();
}

} // namespace lockscope

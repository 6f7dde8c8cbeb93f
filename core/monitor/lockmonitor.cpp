// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitor.h"

#include "core/base/glob.h"
#include "core/monitor/lockmonitorloop.h"
#include "core/redis/whendone.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto confirmedEvery = 250ms; // the age of the picture is told at most so often
constexpr auto costEvery = 1s;
constexpr auto feedPatience = 1s;   // so long may the feed keep the first reading waiting
constexpr auto costOfTelling = 1us; // what a message about one key costs the server, as measured
constexpr qsizetype mostHints = 200'000;

} // namespace

LockMonitor::Private::Private(LockMonitor *monitor, Connection &serverConnection,
                              MonitorOptions monitorOptions)
    : QObject(monitor),
      q(monitor),
      connection(serverConnection),
      options(std::move(monitorOptions)),
      feed(serverConnection, this),
      permissions(options.patterns, options.permissionInterval),
      waiters(locks, options.waitersInterval),
      wake(this),
      flushTimer(this),
      costTimer(this),
      countTimer(this),
      confirmTimer(this)
{
    wake.setSingleShot(true);
    wake.setTimerType(Qt::PreciseTimer);
    flushTimer.setSingleShot(true);
    connect(&wake, &QTimer::timeout, this, &Private::step);
    connect(&flushTimer, &QTimer::timeout, this, &Private::flush);
    connect(&connection, &Connection::ready, this, &Private::begin);
    connect(&connection, &Connection::connectionLost, this, &Private::halt);
    connect(&connection, &Connection::connectionRefused, this, &Private::halt);
    costTimer.setInterval(costEvery);
    connect(&costTimer, &QTimer::timeout, this, &Private::learnCost);
    countTimer.setSingleShot(true);
    connect(&countTimer, &QTimer::timeout, this, &Private::countKeys);
    confirmTimer.setSingleShot(true);
    connect(&confirmTimer, &QTimer::timeout, this, [this] { tellConfirmed(Clock::now()); });
    connect(&feed, &ChangeFeed::modesChosen, this, &Private::feedSettled);
    connect(&feed, &ChangeFeed::gapDetected, this, &Private::feedMissed);
    connect(&feed, &ChangeFeed::heard, this, &Private::takeHints);
    connect(&feed, &ChangeFeed::delayed, this, [this] {
        startReading();
        step();
    });
    connect(&feed, &ChangeFeed::statusChanged, this, [this] {
        takeFeedPermissions();
        emit q->feedChanged(feed.status());
    });
    connect(&feed, &ChangeFeed::confirmed, this, [this](TimePoint at) {
        freshness.setToldUntil(at);
        tellConfirmed(Clock::now());
    });
}

void LockMonitor::Private::begin()
{
    if (phase == Phase::Stopped)
        return;
    ++generation;
    inFlight = 0;
    schedule.connectionBegan();
    rereadsSince.reset();
    lastHeard = {};
    budget.reset();
    swaps.reset();
    clockJumps.reset();
    permissions.expectRetry();
    readAs.clear();
    fieldsToAsk.clear();
    hints.clear();
    absent.clear();
    dropSweep();
    isOverfull = false;
    resets.connected(connection.server().runId, knownLocks());
    freshness.markGap(Clock::now(), false);
    locks.beginGap();
    waiters.begin(connection.server(), connection.address().database);
    reclassify();
    listen();
    learnCost();
    learnFieldLeases();
    costTimer.start();
    step();
}

/// What reads cost the server, by its own count. A user without the right to ask is paced by what we measure.
void LockMonitor::Private::learnCost()
{
    learnClock();
    whenDone(this, connection.send({"INFO", "commandstats"}), [this](const Result<Reply> &stats) {
        if (stats) {
            permissions.permit(PermissionStatus::Use::Load, "info");
            budget.learn(stats->text, share(), Clock::now());
            if (takeSwaps(*stats))
                step();
        } else if (requiresUserAction(stats.error().kind)) {
            permissions.refuse(PermissionStatus::Use::Load, "info", stats.error(), Clock::now());
            costTimer.stop();
        }
        tellSoon();
    });
}

/// Where the server's clock was set, the ends of all locks have moved.
void LockMonitor::Private::learnClock()
{
    whenDone(this, connection.send({"INFO", "server"}),
             [this, begun = generation, asked = Clock::now()](const Result<Reply> &info) {
                 if (info && begun == generation && clockJumps.happened(info->text, asked, Clock::now())) {
                     sweepAgain(true);
                     step();
                 }
             });
}

/// Before the first key is read: its answer comes first.
void LockMonitor::Private::learnFieldLeases()
{
    fieldLeases = FieldLeases::NotThere;
    CommandBatch question;
    fieldlease::appendQuestion(question);
    whenDone(this, connection.send(question),
             [this, begun = generation](const Result<std::vector<Reply>> &replies) {
                 if (replies && begun == generation)
                     fieldLeases = fieldlease::answerIn(replies->front());
             });
}

/// Subscribe first, then sweep: so nothing falls between.
void LockMonitor::Private::listen()
{
    phase = options.listens ? Phase::Subscribing : Phase::Reading;
    if (!options.listens)
        return;
    feed.listen(options.patterns);
    QTimer::singleShot(feedPatience, this, [this, begun = generation] {
        if (begun == generation)
            startReading();
        step();
    });
}

void LockMonitor::Private::startReading()
{
    if (phase == Phase::Subscribing)
        phase = Phase::Reading;
}

void LockMonitor::Private::halt()
{
    if (phase != Phase::Stopped)
        phase = Phase::Disconnected;
    ++generation;
    inFlight = 0;
    wake.stop();
    costTimer.stop();
    countTimer.stop();
    confirmTimer.stop();
    feed.stop();
}

void LockMonitor::Private::feedSettled()
{
    if (phase == Phase::Reading) // something was read before it listened
        sweepAgain(false);
    startReading();
    reclassify();
    step();
}

void LockMonitor::Private::feedMissed()
{
    // Somebody else's messages may not make us work harder than otherwise.
    const auto incident = feed.status().incident;
    if (incident && incident->what == FeedGap::Flushed) {
        resets.told(Clock::now());
        countKeys();
    }
    sweepAgain(!incident || incident->what != FeedGap::ForeignPublish);
    if (!feed.status().hasPush()) // else the ways are as they were
        reclassify();
    step();
}

void LockMonitor::Private::dropSweep()
{
    sweep.reset();
    pageTargets.clear();
}

/// Before reclassify(), which forgets until when all was told.
void LockMonitor::Private::sweepAgain(bool hurry)
{
    freshness.markGap(Clock::now(), hurry);
    schedule.requestScan();
}

/// By the way in which their changes are heard now. What is announced by key has to be read first: so it is asked. No lock
/// is left out, a batch that was lost may have held some that no turn would come to any more.
void LockMonitor::Private::reclassify()
{
    const std::optional<TimePoint> now = Clock::now();
    freshness.setToldUntil(feed.status().hasPush() ? now : std::nullopt);
    locks.classify([this](const LockKey &key) { return isPushed({key}); });
}

/// Of the next change after this reading.
bool LockMonitor::Private::isPushed(const inspector::Target &target) const
{
    const FeedMode route = feed.routeOf(target.key.bytes);
    return route == FeedMode::KeyedTracking ? target.announced : route != FeedMode::Polling;
}

void LockMonitor::Private::takeHints(const QList<LockKey> &keys)
{
    const TimePoint now = Clock::now();
    const TimePoint since = freshness.heardSince(now);
    for (const LockKey &key : keys) {
        hints.add(key, since);
        absent.remove(key); // the server announces once
        if (hints.isChosen(key))
            schedule.requestRush();
    }
    if (hints.size() > mostHints) { // more than can be made up for one by one
        freshness.markGap(now, true, hints.oldest());
        hints.clear();
        schedule.requestScan();
    }
    budget.chargePush(keys.size() * costOfTelling, now);
    step();
}

void LockMonitor::Private::tellConfirmed(TimePoint now)
{
    if (!isReread())
        return;
    // What comes too soon after another is told a little later, not left to the next occasion, which can be a second away.
    if (now - toldConfirmed < confirmedEvery) {
        if (!confirmTimer.isActive())
            confirmTimer.start(std::chrono::ceil<milliseconds>(confirmedEvery - (now - toldConfirmed)));
        return;
    }
    confirmTimer.stop();
    toldConfirmed = now;
    const TimePoint at = asOf(now);
    emit q->confirmed(inFlight > 0 ? std::min(at, askedAsOf) : at);
}

void LockMonitor::Private::flush()
{
    flushTimer.stop();
    if (locks.hasChanges())
        emit q->changed(locks.takeChanges());
    if (permissions.takeChanged())
        emit q->permissionsChanged(permissions.status());
}

LockMonitor::LockMonitor(Connection &connection, MonitorOptions options, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, connection, std::move(options)))
{
}

LockMonitor::~LockMonitor() = default;

const MonitorOptions &LockMonitor::options() const
{
    return d->options;
}

void LockMonitor::start()
{
    if (d->phase == Private::Phase::Stopped)
        d->phase = Private::Phase::Disconnected;
    if (d->isConnected())
        d->begin();
}

void LockMonitor::scanNow()
{
    d->schedule.requestFullScan();
    d->dropSweep(); // the one under way has not seen what is new behind it
    d->budget.clearCharges();
    d->permissions.retryAll(Clock::now());
    if (d->isConnected())
        d->retryOthers(true);
    d->takePermitted(Clock::now());
    d->step();
}

void LockMonitor::setPatterns(const QList<QByteArray> &patterns)
{
    d->options.patterns = patterns;
    d->permissions.setPatterns(patterns);
    d->freshness.markGap(Clock::now(), false);
    for (const LockKey &key : d->locks.keys()) {
        if (!globMatchesAny(patterns, key.bytes))
            d->locks.forget(key);
    }
    d->flush();
    if (d->phase != Private::Phase::Stopped && d->isConnected())
        d->listen();
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
    d->takeHints(keys);
}

void LockMonitor::recordForceExpire(const LockKey &key, const QList<LockOwner> &ended)
{
    d->locks.recordForceExpire(key, ended, Clock::now());
    d->flush();
}

void LockMonitor::setVisible(const QList<LockKey> &keys)
{
    d->hints.setVisible(keys);
    d->waiters.setVisible(keys);
    d->step();
}

} // namespace lockscope

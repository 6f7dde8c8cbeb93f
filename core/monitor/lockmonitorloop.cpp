// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitorloop.h"

#include "core/family/companionkeys.h"
#include "core/read/companionplan.h"
#include "core/redis/almostredis.h"
#include "core/redis/whendone.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto frame = 33ms;             // what scans find is told at most so often
constexpr auto afterRefusal = 2s;        // LOADING, BUSY and the like pass by themselves
constexpr auto afterClusterDown = 200ms; // a failover is over in a moment
constexpr auto afterRedirection = 100ms;

/// True for errors about this key only: it is being moved, or its node is gone.
bool isOfKey(const Error &why)
{
    return why.kind == ErrorKind::Moved || why.kind == ErrorKind::Ask || why.kind == ErrorKind::TryAgain ||
           why.kind == ErrorKind::NodeDown ||
           (why.kind == ErrorKind::ClusterDown && why.detail.contains("slot not served"));
}

template <typename Duration>
auto microseconds(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(duration);
}

void startUntil(QTimer &timer, TimePoint next, TimePoint now)
{
    // At most so long: a timer counts in an int, and there is always something within a day.
    const auto wait = std::clamp<Clock::duration>(next - now, 0ms, 24h);
    timer.start(std::chrono::ceil<milliseconds>(wait));
}

int commandCount(const QList<inspector::Target> &targets)
{
    int commands = 0;
    for (const inspector::Target &target : targets)
        commands += inspector::commandCount(target);
    return commands;
}

/// A lock that exceeds the reading limit.
Lock tooBig(const LockAddress &address, TimePoint now)
{
    Lock lock;
    lock.address = address;
    lock.type = KeyType::Other;
    lock.problems = Problem::TooBig;
    lock.readAt = now;
    return lock;
}

/// The first changed lock with a wait queue.
std::optional<Lock> queueToRead(const QList<inspector::Target> &targets, const LockStore &locks,
                                RateLimit &reads, TimePoint now)
{
    for (const inspector::Target &target : targets) {
        if (const Lock *lock = locks.queued(target.key); lock && reads.admits(now))
            return *lock;
    }
    return std::nullopt;
}

} // namespace

double LockMonitorLoop::share() const
{
    return options.shareOfOne(coverage() == Coverage::FirstScan || dataAge.isBoosted(), nodes);
}

void LockMonitorLoop::step()
{
    if (phase != Phase::Reading || !inFlight.isEmpty() || !isConnected())
        return;
    const TimePoint now = Clock::now();
    if (resets.provesAbsence() && scan && scan->scanned() && pageTargets.isEmpty())
        dropUnmet(now);
    if (isScanThrough(now))
        finishScan(now);
    const ReadPlanner planner(facts());
    const std::optional<Reason> reason = planner.next(now);
    if (!reason)
        return startUntil(wake, planner.wakeAt(), now);
    schedule.turnGiven(*reason);
    if (*reason == Reason::Waiters)
        sendWaiters(now);
    else if (*reason == Reason::Retry)
        retryPermissions(now);
    else
        send(next(*reason, now), now);
    if (inFlight.isEmpty()) // there was nothing to ask after all
        wake.start(0ms);
}

ReadFacts LockMonitorLoop::facts()
{
    ReadFacts facts = schedule.facts(canFindLocks());
    if (!pending.isEmpty())
        facts.pending = pending.hasVisible() ? ReadFacts::Pending::Visible : ReadFacts::Pending::OutOfSight;
    facts.nextBudgetedChangeAt = load.budget().nextChanges();
    facts.nextExpiryAt = locks.nextExpiry().value_or(TimePoint::max());
    facts.isScanning = scan.has_value();
    facts.hasSuspects = methods.hasSuspects();
    if (const auto oldest = locks.oldestPolled())
        facts.nextRereadAt = *oldest + options.rereadInterval;
    facts.nextBudgetedReadAt = load.budget().nextScan();
    facts.nextWaitersAt = waiters.next();
    facts.nextRetryAt = permissions.nextRetry();
    return facts;
}

LockMonitorLoop::Targets LockMonitorLoop::readable(const QList<LockKey> &keys, bool areThere)
{
    Targets targets;
    QList<LockKey> foreign;
    for (const LockKey &key : keys) {
        if (!isKept(key)) {
            foreign.append(key);
            continue;
        }
        if (areThere)
            permissions.meet(key);
        const bool waits = areThere && !scan->readsAll() && locks.isIdle(key); // for a pass that reads all
        if (waits || isCompanion(key.bytes) || permissions.isRefused(key) || methods.isSuspect(key) ||
            !names.contains(key.bytes))
            continue;
        const WatchedLock *known = locks.find(key);
        const bool announced =
            methods.canAnnounce(known) && feed.routeOf(key.bytes) == FeedMode::KeyedTracking;
        const inspector::Target target = permissions.adapted(methods.targetOf(key, announced, known));
        if (inspector::isUnreadable(target))
            keepUnreadable(target, areThere, std::nullopt, Clock::now());
        else
            targets.append(target);
    }
    if (!foreign.isEmpty())
        emit q->foreignKeysFound(foreign);
    return targets;
}

QList<LockKey> LockMonitorLoop::changesToRead(TimePoint now)
{
    schedule.changesTaken(now);
    QList<LockKey> keys = pending.takeVisible(inspector::batchKeys);
    keys += locks.takeExpired(now, inspector::batchKeys - keys.size());
    if (load.budget().nextChanges() <= now)
        keys += pending.take(inspector::batchKeys - keys.size());
    return keys;
}

LockMonitorLoop::Targets LockMonitorLoop::targetsFor(Reason reason, TimePoint now)
{
    switch (reason) {
    case Reason::Change:
        return readable(changesToRead(now));
    case Reason::Reread:
        if (methods.hasSuspects())
            return {{methods.firstSuspect(), KeyType::Unknown, false}};
        return readable(locks.takeDuePolled(now - options.rereadInterval, now, inspector::batchKeys));
    case Reason::KeyspaceScan:
        if (pageTargets.isEmpty() && scan && scan->scanned())
            return readable(locks.takeDue(scan->startedAt(), now, inspector::batchKeys,
                                          scan->readsAll()));          // not met by the pass: gone, or moved
        pageTargets.removeIf([this](const inspector::Target &target) { // in the meantime
            return permissions.isRefused(target.key);
        });
        return std::exchange(pageTargets, {});
    case Reason::Waiters: // not of the locks themselves
    case Reason::Retry:
        break;
    }
    return {};
}

LockMonitorLoop::Batch LockMonitorLoop::next(Reason reason, TimePoint now)
{
    if (reason == Reason::KeyspaceScan && !scan) {
        scan.emplace(names, now, asksSize, !connection.address().hasNamedUser());
        unanswered.clear();
        permissions.beginPass();
        if (schedule.shouldReadAll() || resets.provesAbsence())
            scan->readAll();
    }
    const TimePoint age = dataAge.asOf(coverage(), now, locks, pending); // before it is read
    const TimePoint heardUntil = dataAge.heardUntil(now, pending);
    const bool paged = reason == Reason::KeyspaceScan && !scan->scanned();
    Targets targets = targetsFor(reason, now);
    // What is missing of them may be missing because everything is.
    const bool sized =
        !paged && reason != Reason::Change && !targets.isEmpty() && resets.canCount() && !keeps;
    // Else it may not be asked, or what it costs would stand in no proportion.
    const bool mayCount = !targets.isEmpty() && info.isAsking() && !schedule.isFullSpeed() &&
                          (reason == Reason::Change ? ends.admits(now) : coverage() == Coverage::Complete);
    // An empty database does not say why it is empty.
    const bool counted = mayCount || (paged && scan->isSizeDue() && info.isAsking() && locks.met() > 0);
    Batch batch{reason, std::move(targets), paged, sized, counted, age, heardUntil};
    if (reason == Reason::Change)
        batch.queued = queueToRead(batch.targets, locks, queuesRead, now);
    return batch;
}

/// Waiters change with holders; between that, they are read in turn.
void LockMonitorLoop::send(Batch batch, TimePoint now)
{
    CommandBatch commands;
    for (const inspector::Target &target : std::as_const(batch.targets))
        inspector::appendRead(commands, target);
    if (batch.queued)
        appendQueue(commands, *batch.queued);
    if (batch.counted)
        commands.add(ServerCounters::question(isRedis7(connection.server())));
    if (batch.sized)
        commands.add({"DBSIZE"});
    if (batch.paged)
        scan->appendNextPage(commands, load.scanCount());
    if (commands.isEmpty())
        return;
    batch.sentAt = now;
    batch.ownTime = Budget::ownTime();
    batch.generation = inFlight.generation();
    inFlight.sent(batch.asOf.value_or(dataAge.asOf(coverage(), now, locks, pending)));
    whenDone(this, connection.send(commands), [this, batch](const Result<std::vector<Reply>> &replies) {
        if (batch.generation == inFlight.generation())
            received(batch, replies);
        else if (!replies)
            lostBatch(batch.targets);
    });
}

void LockMonitorLoop::received(const Batch &batch, const Result<std::vector<Reply>> &replies)
{
    const TimePoint receivedAt = Clock::now();
    inFlight.answered();
    if (!replies)
        return lostBatch(batch.targets); // the connection's own signal follows
    account(batch, receivedAt);
    for (const inspector::Target &target : batch.targets)
        methods.clearSuspect(target.key);
    const std::span all(*replies);
    const auto paged = static_cast<size_t>(batch.paged && scan ? scan->commandCount() : 0);
    // By what was answered after the reads.
    const size_t behind = paged + (batch.sized ? 1 : 0) + 1;
    bool isOutdated = false;
    if (batch.counted && all.size() >= behind) {
        const Reply &counters = all[all.size() - behind];
        isOutdated = !counters.isError() && applyCounters(ServerCounters::from(counters.text, receivedAt));
    }
    if (!isOutdated && paged > 0)
        isOutdated = !applyPage(all.last(paged), receivedAt);
    else if (!isOutdated && batch.sized && all.back().isInteger())
        isOutdated = applyKeyCount(all.back().integer, receivedAt);
    const bool isRead = !isOutdated && applyReads(batch, all.first(all.size() - paged), receivedAt);
    if (const QList<QByteArray> globs = intake.takeLeftOut(); scan)
        scan->leaveOut(globs);
    readPermitted(receivedAt);
    if (batch.reason == Reason::Change)
        flush();
    if (const auto why = intake.takeOverfull(); why && !schedule.isBackingOff(receivedAt))
        failScan(*why, receivedAt);
    if (isRead)
        confirm(receivedAt);
    // By the event loop, so that a full-speed scan leaves room for what others ask of this thread.
    if (inFlight.isEmpty() && isConnected())
        wake.start(0ms);
}

bool LockMonitorLoop::applyReads(const Batch &batch, std::span<const Reply> replies, TimePoint receivedAt)
{
    const int database = connection.address().database;
    locks.setHeardUntil(batch.heardUntil);
    QList<LockKey> moved;
    for (auto at = batch.targets.begin(); at != batch.targets.end(); ++at) {
        const auto count = static_cast<size_t>(inspector::commandCount(*at));
        const auto reading =
            inspector::interpret(*at, database, replies.first(count), batch.sentAt, receivedAt);
        if (at->announced)
            feed.takeAnnouncement(replies.front());
        permissions.takeReplies(*at, replies.first(count), receivedAt);
        replies = replies.subspan(count);
        if (reading || !isOfKey(reading.error()) || !isKept(at->key))
            unanswered.remove(at->key);
        if (!names.contains(at->key.bytes)) { // any more, or a sample
            if (scan && reading)
                pageTargets += scan->judge(*at, *reading);
        } else if (!isKept(at->key)) { // any more: who keeps it now reads it
            moved.append(at->key);
        } else if (reading) {
            applyReading(batch.reason, *at, *reading, receivedAt);
        } else if (reading.error().kind == ErrorKind::NoPermission) {
            keepUnreadable(*at, batch.reason == Reason::KeyspaceScan, reading.error(), receivedAt);
        } else if (isOfKey(reading.error())) {
            unanswered.add(at->key, receivedAt);
            pending.add(at->key, inFlight.asOf());
            schedule.pauseUntil(receivedAt + afterRedirection);
        } else {
            // None of the rest may fall out of its turn: a lock that nobody reads would be shown for ever, and a pass is
            // not through before its names are read.
            for (; at != batch.targets.end(); ++at) {
                if (batch.reason == Reason::KeyspaceScan && scan)
                    pageTargets.append(*at);
                else
                    pending.add(at->key, inFlight.asOf());
            }
            refuse(reading.error());
            return false;
        }
    }
    // Of a longer one not all is read.
    if (batch.queued && replies.front().isArray() && replies.front().elements.size() < size_t(Waiters::most))
        locks.applyQueue(batch.queued->key(), queueFrom(*batch.queued, replies.front()), receivedAt);
    if (!moved.isEmpty())
        emit q->foreignKeysFound(moved);
    return true;
}

void LockMonitorLoop::applyReading(Reason reason, const inspector::Target &target, const Reading &reading,
                                   TimePoint now)
{
    if (reading.fieldLeases != FieldLeases::Unknown)
        methods.setFieldLeases(reading.fieldLeases);
    // The lock is what it was, as far as is known yet.
    if (!reading.fields.isEmpty() && methods.addFields(target.key, reading.fields)) {
        if (reason == Reason::KeyspaceScan && scan)
            pageTargets.append(methods.targetOf(target.key, target.announced, nullptr));
        else
            pending.add(target.key, inFlight.asOf()); // it is no newer for this reading
        return;
    }
    if (reading.inspection && intake.isOfAction(*reading.inspection)) {
        pending.add(target.key, inFlight.asOf());
    } else if (reading.inspection) {
        methods.readingDone(target.key, target.announced && !reading.inspection->lock);
        store(*reading.inspection, now, isPushed(target),
              permissions.permitKey(target.key) || !intake.wasLookedFor(target.key));
    } else if (!methods.isTooBig(target.key)) {
        if (!permissions.isKnown(target.key))
            store({.key = target.key, .lock = std::nullopt, .isOtherType = true}, now, false, false);
        methods.setType(target.key, reading.readAs);
        if (reason != Reason::KeyspaceScan || !scan)
            pending.add(target.key, inFlight.asOf());
        else // which is not through before it is known what is there now
            pageTargets += readable({target.key}, true);
    }
}

void LockMonitorLoop::store(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden)
{
    intake.take(inspection, now, isPushed, wasHidden);
    flushSoon();
}

void LockMonitorLoop::flushSoon()
{
    if ((locks.hasChanges() || permissions.hasChanged()) && !flushTimer.isActive())
        flushTimer.start(frame);
}

void LockMonitorLoop::account(const Batch &batch, TimePoint receivedAt)
{
    const int reads = commandCount(batch.targets);
    const auto cost = load.charge({batch.reason, reads, batch.paged, batch.sentAt, batch.ownTime},
                                  schedule.pace(), share(), receivedAt);
    if (batch.reason == Reason::KeyspaceScan && scan) {
        scan->stats.commands += reads + (batch.paged ? scan->commandCount() : 0);
        scan->stats.serverTime += microseconds(cost);
    }
}

void LockMonitorLoop::lostBatch(const Targets &targets)
{
    for (const inspector::Target &target : targets)
        pending.add(target.key, inFlight.asOf());
    if (connection.lastError().kind != ErrorKind::ProtocolError || targets.isEmpty())
        return;
    // A reply broke a limit of the codec. Which key it was shows when each is read alone; that one is not
    // read again.
    if (targets.size() > 1 || inFlight.hasOverlapped()) {
        for (const inspector::Target &target : targets)
            methods.addSuspect(target.key);
        return;
    }
    const TimePoint now = Clock::now();
    const Lock lock = tooBig({targets.front().key, connection.address().database}, now);
    methods.clearSuspect(lock.key());
    methods.setTooBig(lock.key());
    store({lock.key(), lock}, now, false, permissions.permitKey(lock.key()));
}

void LockMonitorLoop::sendWaiters(TimePoint now)
{
    const CommandBatch commands = waiters.ask(now);
    reportDeadlocks();
    if (commands.isEmpty())
        return;
    inFlight.sent(dataAge.asOf(coverage(), now, locks, pending));
    whenDone(this, connection.send(commands),
             [this, now, asking = inFlight.generation()](const Result<std::vector<Reply>> &replies) {
                 applyWaiters(replies, now, asking);
             });
}

void LockMonitorLoop::applyWaiters(const Result<std::vector<Reply>> &replies, TimePoint sentAt,
                                   int generation)
{
    if (generation != inFlight.generation())
        return; // begin() has begun anew
    const TimePoint receivedAt = Clock::now();
    inFlight.answered();
    if (!replies) // the connection's own signal follows
        return waiters.lost(connection.lastError().kind == ErrorKind::ProtocolError);
    load.chargeWaiters(waiters.weight(), share(), sentAt, receivedAt);
    if (const Result<void> taken = waiters.take(*replies, sentAt, receivedAt); !taken)
        refuse(taken.error());
    updateCompanionPermissions(receivedAt);
    for (const LockKey &key : locks.takeSuspectedOrphans())
        pending.add(key, receivedAt);
    reportDeadlocks();
    confirm(receivedAt);
    if (inFlight.isEmpty() && isConnected())
        wake.start(0ms);
}

void LockMonitorLoop::reportDeadlocks()
{
    if (const auto waits = waiters.takeWaits())
        emit q->waitsSeen(*waits);
    flush(); // at once: the time of this is that of a wait; and before deadlocks, which the locks tell, too
    if (const auto deadlocks = waiters.takeDeadlocks())
        emit q->reported(*deadlocks);
}

void LockMonitorLoop::refuse(const Error &why)
{
    const bool tellsMore = why.kind == ErrorKind::Loading && info.isAsking(); // else it may not be asked
    if (tellsMore)
        info.tellLoading(why);
    // What is forbidden has a time of its own; the rest passes by itself.
    if (why.kind != ErrorKind::NoPermission)
        schedule.pauseUntil(Clock::now() + (why.kind == ErrorKind::ClusterDown
                                                ? milliseconds(afterClusterDown)
                                                : afterRefusal));
    if (!tellsMore)
        emit q->reported(why);
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitorloop.h"

#include "core/base/glob.h"
#include "core/family/companionkeys.h"
#include "core/redis/whendone.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto frame = 33ms;             // what sweeps find is told at most so often
constexpr auto afterRefusal = 2s;        // LOADING, BUSY and the like pass by themselves
constexpr qsizetype mostAbsent = 10'000; // names that the server is asked to announce though no lock has them

/// A string without a token may be empty, which GETRANGE says of nothing as well.
KeyType typeToAsk(const Lock &lock)
{
    return lock.type == KeyType::String && lock.family == Family::Unknown ? KeyType::Unknown : lock.type;
}

template <typename Duration>
auto microseconds(Duration duration)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(duration);
}

} // namespace

double LockMonitor::Private::share() const
{
    return coverage() != Coverage::FirstScan && !freshness.isBoosted() ? options.share
                                                                       : options.firstSweepShare;
}

void LockMonitor::Private::step()
{
    if (phase != Phase::Reading || inFlight > 0 || !isConnected())
        return;
    const TimePoint now = Clock::now();
    if (resets.provesAbsence() && sweep && sweep->scanned() && pageTargets.isEmpty())
        dropUnmet(now);
    if (isSweepThrough())
        finishSweep(now);
    const ReadPlanner planner(facts());
    const std::optional<Reason> reason = planner.next(now);
    if (!reason)
        return sleepUntil(planner.wakeAt(), now);
    schedule.turnGiven(*reason);
    if (*reason == Reason::Waiters)
        askWaiters(now);
    else if (*reason == Reason::Retry)
        retryPermissions(now);
    else
        send(next(*reason, now), now);
    if (inFlight == 0) // there was nothing to ask after all
        wake.start(0ms);
}

ReadFacts LockMonitor::Private::facts()
{
    ReadFacts facts = schedule.facts(canFindLocks());
    if (!hints.isEmpty())
        facts.pending = hints.hasVisible() ? ReadFacts::Pending::Visible : ReadFacts::Pending::OutOfSight;
    facts.nextBudgetedChangeAt = budget.nextChanges();
    facts.nextExpiryAt = locks.nextExpiry().value_or(TimePoint::max());
    facts.isScanning = sweep.has_value();
    facts.hasSuspects = !suspects.isEmpty();
    if (const auto oldest = locks.oldestPolled())
        facts.nextRereadAt = *oldest + options.rereadInterval;
    facts.nextBudgetedReadAt = budget.nextSweep();
    facts.nextWaitersAt = waiters.next();
    facts.nextRetryAt = permissions.nextRetry();
    return facts;
}

void LockMonitor::Private::sleepUntil(TimePoint next, TimePoint now)
{
    // At most so long: a timer counts in an int, and there is always something within a day.
    const auto wait = std::clamp<Clock::duration>(next - now, 0ms, 24h);
    wake.start(std::chrono::ceil<milliseconds>(wait));
}

LockMonitor::Private::Targets LockMonitor::Private::readable(const QList<LockKey> &keys, bool areThere)
{
    Targets targets;
    targets.reserve(keys.size());
    for (const LockKey &key : keys) {
        if (isCompanion(key.bytes) || permissions.isRefused(key) || suspects.contains(key) ||
            !globMatchesAny(options.patterns, key.bytes))
            continue;
        const bool announced = (locks.find(key) || absent.size() < mostAbsent) &&
                               feed.routeOf(key.bytes) == FeedMode::KeyedTracking;
        const inspector::Target target = permissions.adapted(targetOf(key, announced));
        if (inspector::isUnreadable(target))
            keepUnreadable(target, areThere, std::nullopt, Clock::now());
        else
            targets.append(target);
    }
    return targets;
}

/// With what is known of the key already.
inspector::Target LockMonitor::Private::targetOf(const LockKey &key, bool announced) const
{
    inspector::Target target{key, KeyType::Unknown, announced, fieldLeases};
    if (const auto type = readAs.constFind(key);
        type != readAs.cend()) { // what is kept of it may be of another type
        target.type = *type;
    } else if (const WatchedLock *watched = locks.find(key)) {
        target.type = typeToAsk(watched->lock);
        if (fieldLeases == FieldLeases::Told)
            target.fields = fieldlease::fieldsOf(watched->lock);
    }
    if (const auto fields = fieldsToAsk.constFind(key); fields != fieldsToAsk.cend()) {
        target.type = KeyType::Hash;
        target.fields = *fields;
    }
    return target;
}

QList<LockKey> LockMonitor::Private::changesToRead(TimePoint now)
{
    schedule.changesTaken(now);
    QList<LockKey> keys = hints.takeVisible(inspector::batchKeys);
    keys += locks.takeExpired(now, inspector::batchKeys - keys.size());
    if (budget.nextChanges() <= now)
        keys += hints.take(inspector::batchKeys - keys.size());
    return keys;
}

LockMonitor::Private::Targets LockMonitor::Private::targetsFor(Reason reason, TimePoint now)
{
    switch (reason) {
    case Reason::Change:
        return readable(changesToRead(now));
    case Reason::Reread:
        if (!suspects.isEmpty())
            return {{*suspects.cbegin(), KeyType::Unknown, false}};
        return readable(locks.takeDuePolled(now - options.rereadInterval, now, inspector::batchKeys));
    case Reason::KeyspaceScan:
        if (pageTargets.isEmpty() && sweep && sweep->scanned())
            return readable(locks.takeDue(sweep->startedAt(), now,
                                          inspector::batchKeys));      // not met by the pass: gone, or moved
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

LockMonitor::Private::Batch LockMonitor::Private::next(Reason reason, TimePoint now)
{
    if (reason == Reason::KeyspaceScan && !sweep) {
        sweep.emplace(options.patterns, now, asksSize);
        permissions.beginPass();
        if (schedule.shouldLookOutside())
            sweep->lookOutside();
    }
    const TimePoint age = asOf(now); // before what is to be read waits no more
    const bool paged = reason == Reason::KeyspaceScan && !sweep->scanned();
    Targets targets = targetsFor(reason, now);
    // What is missing of them may be missing because everything is.
    const bool sized = !paged && reason != Reason::Change && !targets.isEmpty() && resets.canCount();
    const bool asksSwaps = coverage() == Coverage::Complete && !schedule.isFullSpeed() &&
                           reason != Reason::Change && !targets.isEmpty() &&
                           costTimer.isActive(); // else it may not be asked
    return {reason, std::move(targets), paged, sized, asksSwaps, age};
}

void LockMonitor::Private::send(Batch batch, TimePoint now)
{
    CommandBatch commands;
    for (const inspector::Target &target : std::as_const(batch.targets))
        inspector::appendRead(commands, target);
    if (batch.asksSwaps)
        commands.add({"INFO", "commandstats"});
    if (batch.sized)
        commands.add({"DBSIZE"});
    if (batch.paged)
        sweep->appendNextPage(commands, scanCount.value());
    if (commands.isEmpty())
        return;
    batch.asked = now;
    batch.ownTime = Budget::ownTime();
    batch.generation = generation;
    overlaps = inFlight > 0;
    if (!overlaps)
        askedAsOf = batch.asOf.value_or(asOf(now));
    ++inFlight;
    whenDone(this, connection.send(commands), [this, batch](const Result<std::vector<Reply>> &replies) {
        if (batch.generation == generation)
            received(batch, replies);
        else if (!replies)
            lostBatch(batch.targets);
    });
}

void LockMonitor::Private::received(const Batch &batch, const Result<std::vector<Reply>> &replies)
{
    const TimePoint heard = Clock::now();
    --inFlight;
    if (!replies)
        return lostBatch(batch.targets); // the connection's own signal follows
    account(batch, heard);
    for (const inspector::Target &target : batch.targets)
        suspects.remove(target.key);
    const std::span all(*replies);
    const auto paged = static_cast<size_t>(batch.paged && sweep ? sweep->commandCount() : 0);
    // By what was answered after the reads.
    const size_t behind = paged + (batch.sized ? 1 : 0) + 1;
    bool isOutdated = batch.asksSwaps && all.size() >= behind && takeSwaps(all[all.size() - behind]);
    if (!isOutdated && paged > 0)
        isOutdated = !takePage(all.last(paged), heard);
    else if (!isOutdated && batch.sized && all.back().isInteger())
        isOutdated = takeKeyspace(all.back().integer, heard);
    const bool isRead = !isOutdated && takeReads(batch, all.first(all.size() - paged), heard);
    takePermitted(heard);
    if (batch.reason == Reason::Change)
        flush();
    if (std::exchange(isOverfull, false) && !schedule.isBackingOff(heard))
        failSweep(tooMany(), heard);
    if (isRead)
        tellConfirmed(heard);
    // By the event loop, so that a full-speed sweep leaves room for what others ask of this thread.
    if (inFlight == 0 && isConnected())
        wake.start(0ms);
}

bool LockMonitor::Private::takeReads(const Batch &batch, std::span<const Reply> replies, TimePoint heard)
{
    const int database = connection.address().database;
    for (auto at = batch.targets.begin(); at != batch.targets.end(); ++at) {
        const auto count = static_cast<size_t>(inspector::commandCount(*at));
        const auto reading = inspector::interpret(*at, database, replies.first(count), batch.asked, heard);
        if (at->announced)
            feed.takeAnnouncement(replies.front());
        permissions.takeReplies(*at, replies.first(count), heard);
        replies = replies.subspan(count);
        if (!globMatchesAny(options.patterns, at->key.bytes)) // any more
            continue;
        if (reading) {
            takeReading(batch.reason, *at, *reading, heard);
        } else if (reading.error().kind == ErrorKind::NoPermission) {
            keepUnreadable(*at, batch.reason == Reason::KeyspaceScan, reading.error(), heard);
        } else {
            // None of the rest may fall out of its turn: a lock that nobody reads would be shown for ever.
            for (; at != batch.targets.end(); ++at)
                hints.add(at->key, askedAsOf);
            refuse(reading.error());
            return false;
        }
    }
    return true;
}

void LockMonitor::Private::takeReading(Reason reason, const inspector::Target &target, const Reading &reading,
                                       TimePoint now)
{
    if (reading.fieldLeases != FieldLeases::Unknown)
        fieldLeases = reading.fieldLeases;
    // It is what it was, as far as is known yet. Once: with another owner at each look no end would come.
    if (!reading.fields.isEmpty() && !fieldsToAsk.contains(target.key)) {
        fieldsToAsk.insert(target.key, reading.fields);
        if (reason == Reason::KeyspaceScan && sweep)
            pageTargets.append({target.key, KeyType::Hash, target.announced, fieldLeases, reading.fields});
        else
            hints.add(target.key, askedAsOf); // it is no newer for this reading
        return;
    }
    if (reading.inspection) {
        tooBig.remove(target.key);
        readAs.remove(target.key);
        fieldsToAsk.remove(target.key);
        if (target.announced && !reading.inspection->lock && absent.size() < mostAbsent)
            absent.insert(target.key);
        store(*reading.inspection, now, isPushed(target), permissions.permitKey(target.key));
    } else if (!tooBig.contains(target.key)) {
        if (!permissions.isKnown(target.key))
            store({target.key, std::nullopt}, now, false, false); // another type took the name
        readAs.insert(target.key, reading.readAs);
        fieldsToAsk.remove(target.key); // of the hash that it was
        if (reason != Reason::KeyspaceScan || !sweep)
            hints.add(target.key, askedAsOf);
        else // which is not through before it is known what is there now
            pageTargets += readable({target.key}, true);
    }
}

void LockMonitor::Private::store(const Inspection &inspection, TimePoint now, bool told, bool wasHidden)
{
    if (inspection.lock && isFull() && !locks.find(inspection.key)) {
        isOverfull = true;
        return;
    }
    if (inspection.lock && !options.rules.isEmpty()) {
        Inspection ruled = inspection;
        nameByRules(options.rules, *ruled.lock);
        locks.apply(ruled, now, told, wasHidden);
    } else {
        locks.apply(inspection, now, told, wasHidden);
    }
    tellSoon();
}

void LockMonitor::Private::tellSoon()
{
    if ((locks.hasChanges() || permissions.hasChanged()) && !flushTimer.isActive())
        flushTimer.start(frame);
}

void LockMonitor::Private::account(const Batch &batch, TimePoint heard)
{
    int reads = 0;
    for (const inspector::Target &target : batch.targets)
        reads += inspector::commandCount(target);
    // What was sent before the last reply came has waited for that first.
    const bool waited = batch.asked < lastHeard;
    const auto ownTime = Budget::ownTime();
    const auto cost =
        budget.measure(heard - std::max(batch.asked, lastHeard),
                       ownTime - std::max(batch.ownTime, ownTimeThen), waited, reads, batch.paged ? 1 : 0);
    lastHeard = heard;
    ownTimeThen = ownTime;
    workedSincePage += budget.lastWorked();
    readsSincePage += reads;
    if (batch.paged)
        scanCount.took(budget.ofPages(std::exchange(workedSincePage, {}), std::exchange(readsSincePage, 0)));
    if (batch.reason == Reason::Change)
        budget.chargeChanges(cost, share(), batch.asked);
    else if (!schedule.isFullSpeed())
        budget.chargeSweep(cost, reads, batch.paged ? 1 : 0, share(), batch.asked);
    if (batch.reason == Reason::KeyspaceScan && sweep) {
        sweep->stats.commands += reads + (batch.paged ? sweep->commandCount() : 0);
        sweep->stats.serverTime += microseconds(cost);
    }
}

void LockMonitor::Private::lostBatch(const Targets &targets)
{
    for (const inspector::Target &target : targets)
        hints.add(target.key, askedAsOf);
    if (connection.lastError().kind != ErrorKind::ProtocolError || targets.isEmpty())
        return;
    // A reply broke a limit of the codec. Which key it was shows when each is read alone; that one is not
    // read again.
    if (targets.size() > 1 || overlaps) {
        for (const inspector::Target &target : targets)
            suspects.insert(target.key);
        return;
    }
    Lock lock;
    lock.address = {targets.front().key, connection.address().database};
    lock.type = KeyType::Other;
    lock.problems = Problem::TooBig;
    const TimePoint now = Clock::now();
    lock.readAt = now;
    suspects.remove(lock.key());
    tooBig.insert(lock.key());
    store({lock.key(), lock}, now, false, permissions.permitKey(lock.key()));
}

void LockMonitor::Private::refuse(const Error &why)
{
    // What is forbidden has a time of its own; the rest passes by itself.
    if (why.kind != ErrorKind::NoPermission)
        schedule.pauseUntil(Clock::now() + afterRefusal);
    emit q->errorOccurred(why);
}

} // namespace lockscope

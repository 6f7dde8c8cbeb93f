// SPDX-License-Identifier: GPL-3.0-or-later
// A scan's pages and its end, and what becomes of all locks at once.
#include "core/monitor/lockmonitorloop.h"

#include "core/base/printable.h"
#include "core/family/companionkeys.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto progressEvery = 100ms;
constexpr auto movePatience = 1s; // what moves to another node is there again in a moment
constexpr int pausesWherePushed = 5;
constexpr qint64 maxKeysAtFullSpeed = 1'000'000; // keys; more are swept within the budget after a flush too

/// Where all is told, new names too, sweeping only looks after it: not for most of the time.
Clock::duration pauseAfter(Clock::duration scan, const MonitorOptions &options, const FeedStatus &feed)
{
    if (!feed.tellsNewNames())
        return options.scanInterval;
    return std::max<Clock::duration>(options.scanInterval * pausesWherePushed, 2 * scan);
}

/// The end of a lock that went with all others.
EventKind endBy(ServerReset::Cause cause)
{
    switch (cause) {
    case ServerReset::Cause::Flush:
    case ServerReset::Cause::Restart: // and it came back without its keys
        return EventKind::Flushed;
    case ServerReset::Cause::Swap:
        return EventKind::Renamed; // it is in another database now
    case ServerReset::Cause::Failover:
        return EventKind::Failover;
    case ServerReset::Cause::Unknown:
        break;
    }
    return EventKind::Vanished;
}

} // namespace

/// False if earlier reads are no longer valid.
bool LockMonitorLoop::applyPage(std::span<const Reply> replies, TimePoint now)
{
    const auto page = scan->takePage(replies);
    if (!page) {
        if (page.error().kind == ErrorKind::EndlessScan)
            return failScan(page.error(), now), true;
        scan.reset();
        if (page.error().kind == ErrorKind::NoPermission)
            forbidScan(page.error(), now);
        return refuse(page.error()), true;
    }
    permissions.permit(PermissionStatus::Use::Scan, "scan");
    asksSize = asksSize && !scan->isSizeForbidden();
    const bool isOutdated = scan->keyspaceNow() && applyKeyCount(*scan->keyspaceNow(), now);
    if (!scan) // it begins anew
        return !isOutdated;
    // At full speed the server has always something to do: it walks over the next page while we take in this one, and
    // reads the locks of this one while we take in the next.
    const bool runsAhead = schedule.isFullSpeed() && !scan->scanned() && !methods.hasSuspects();
    if (runsAhead)
        send({Reason::KeyspaceScan, {}, true}, now);
    for (const Reply &name : *page) {
        if (const QueuedLock lock = lockOfQueue(name.text);
            !lock.key.isEmpty() && isKept(lock.key) && names.contains(lock.key.bytes))
            locks.recordQueue({lock.key, connection.address().database}, lock.family, now);
    }
    pageTargets += readable(scan->matching(*page), true);
    pageTargets += scan->samples();
    if (runsAhead) {
        send({Reason::KeyspaceScan, std::exchange(pageTargets, {}), false}, now);
        if (ReadPlanner(facts()).isChangeDue(now))
            send(next(Reason::Change, now), now);
    }
    if (now - progressSentAt >= progressEvery) {
        progressSentAt = now;
        emit q->reported(scanStats(now));
    }
    return !isOutdated;
}

ScanStats LockMonitorLoop::scanStats(TimePoint now) const
{
    ScanStats stats = scan->stats;
    stats.locks = locks.met();
    stats.hidden = locks.metHidden();
    stats.unreadable = permissions.unreadable();
    stats.unanswered = unanswered.size();
    stats.wallTime = std::chrono::duration_cast<std::chrono::microseconds>(now - scan->startedAt());
    stats.eviction = ends.eviction();
    return stats;
}

bool LockMonitorLoop::isScanThrough(TimePoint now)
{
    if (!scan || !scan->scanned() || !pageTargets.isEmpty())
        return false;
    const bool isMoving = unanswered.size() > 0 && now - unanswered.since() < movePatience;
    const auto oldest = locks.oldestRead(scan->readsAll());
    return !isMoving && (!oldest || *oldest > scan->startedAt());
}

void LockMonitorLoop::finishScan(TimePoint now)
{
    dropUnreadable(now);
    ScanStats stats = scanStats(now);
    stats.complete = true;
    stats.finishedAt = now;
    dataAge.scanFinished(scan->startedAt());
    const auto took = now - scan->startedAt();
    scan.reset();
    schedule.scanFinished(dataAge.isWhole() ? now + pauseAfter(took, options, feed.status()) : now);
    locks.endGap();
    intake.allWasLookedFor();
    if (const auto reset = resets.scanFinished(knownLocks(), now))
        emit q->reported(*reset);
    flush(); // the picture is whole: show it before it is called so
    confirm(now);
    emit q->reported(stats);
    if (options.listens && names.takeHasNewGlob()) {
        feed.listen(heardPatterns(names, locks));
        reclassify(); // until it hears
    }
}

/// SCAN returns every key that exists during the whole pass.
void LockMonitorLoop::dropUnmet(TimePoint now)
{
    constexpr auto all = std::numeric_limits<qsizetype>::max();
    for (const LockKey &key : locks.takeDue(scan->startedAt(), now, all, true)) {
        if (!permissions.isKnown(key)) // which are not read: the pass tells of them when it is through
            store({key, std::nullopt}, now, isPushed({key}));
    }
}

/// Keeps the locks that an unfinished scan has found; others are unknown.
void LockMonitorLoop::failScan(const Error &why, TimePoint now)
{
    dropScan();
    schedule.scanFailed(now, why.kind == ErrorKind::TooManyLocks);
    flush();
    emit q->reported(why);
}

/// Without keys that look like no locks.
ResetWatch::Locks LockMonitorLoop::knownLocks() const
{
    return {locks.met(), locks.vanished()};
}

/// Checks whether our database was flushed.
void LockMonitorLoop::countKeys()
{
    if (!keeps && locks.met() + locks.metHidden() > 0 && counting.admits(Clock::now()))
        info.countKeys();
}

/// True if earlier reads are no longer valid.
bool LockMonitorLoop::applyKeyCount(qint64 keys, TimePoint now)
{
    if (keeps) // keys come and go with their slots, and those that move are elsewhere already
        return false;
    switch (resets.counted(keys, knownLocks(), now)) {
    case ResetWatch::Finding::Nothing:
        return false;
    case ResetWatch::Finding::Empty: {
        const ServerReset reset = resets.claim(knownLocks(), now);
        locks.endAll(endBy(reset.cause), now);
        emit q->reported(reset);
        flush();
        return true;
    }
    case ResetWatch::Finding::Shrunk:
        break;
    }
    locks.beginGap(); // what is not met has vanished, by whatever cause
    dropScan();
    schedule.requestScan();
    if (keys <= maxKeysAtFullSpeed)
        schedule.requestFullSpeed();
    return true;
}

/// True if databases were swapped: missing locks were not released, nor new ones acquired.
bool LockMonitorLoop::applyCounters(const ServerCounters &counters)
{
    const EndCauseTracker::Changes changes = ends.take(counters);
    if (changes.anyFlushed) {
        resets.reported(knownLocks(), counters.at);
        countKeys();
        if (feed.status().uses(FeedMode::Notifications)) // which tell nothing of that
            scanAgain(true, changes.since);
    }
    if (!changes.anySwapped)
        return false;
    methods.forgetAnnounced();
    resets.swapped(knownLocks(), counters.at);
    locks.beginGap();
    dropScan();
    scanAgain(true);
    countKeys();
    return true;
}

} // namespace lockscope

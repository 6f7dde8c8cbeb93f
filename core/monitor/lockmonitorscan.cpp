// SPDX-License-Identifier: GPL-3.0-or-later
// A scan's pages, its end, and what it can't be finished for.
#include "core/monitor/lockmonitorloop.h"

#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/companionkeys.h"

#include <limits>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto progressEvery = 100ms;
constexpr int pausesWherePushed = 5;

auto wallTime(TimePoint since, TimePoint now)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(now - since);
}

} // namespace

/// False where what was read before the page is not true any more.
bool LockMonitor::Private::applyPage(std::span<const Reply> replies, TimePoint now)
{
    const auto names = scan->takePage(replies);
    if (!names) {
        if (names.error().kind == ErrorKind::EndlessScan)
            return failScan(names.error(), now), true;
        scan.reset();
        if (names.error().kind == ErrorKind::NoPermission)
            forbidScan(names.error(), now);
        return refuse(names.error()), true;
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
    for (const Reply &name : *names) {
        if (const QueuedLock lock = lockOfQueue(name.text);
            !lock.key.isEmpty() && isKept(lock.key) && globMatchesAny(options.patterns, lock.key.bytes))
            locks.recordQueue({lock.key, connection.address().database}, lock.family, now);
    }
    const QList<LockKey> matching = scan->matching(*names);
    for (const LockKey &key : matching) {
        if (isKept(key))
            permissions.meet(key);
    }
    pageTargets += readable(matching, true);
    if (runsAhead) {
        send({Reason::KeyspaceScan, std::exchange(pageTargets, {}), false}, now);
        if (ReadPlanner(facts()).isChangeDue(now))
            send(next(Reason::Change, now), now);
    }
    scan->stats.locks = locks.size() - locks.hidden();
    scan->stats.hidden = locks.hidden();
    scan->stats.unreadable = permissions.unreadable();
    scan->stats.wallTime = wallTime(scan->startedAt(), now);
    if (now - progressSentAt >= progressEvery) {
        progressSentAt = now;
        emit q->told(scan->stats);
    }
    return !isOutdated;
}

bool LockMonitor::Private::isScanThrough()
{
    if (!scan || !scan->scanned() || !pageTargets.isEmpty())
        return false;
    const auto oldest = locks.oldestRead();
    return !oldest || *oldest > scan->startedAt();
}

void LockMonitor::Private::finishScan(TimePoint now)
{
    dropUnreadable(now);
    ScanStats stats = scan->stats;
    stats.complete = true;
    stats.locks = locks.size() - locks.hidden();
    stats.hidden = locks.hidden();
    stats.unreadable = permissions.unreadable();
    stats.wallTime = wallTime(scan->startedAt(), now);
    stats.finishedAt = now;
    dataAge.scanFinished(scan->startedAt());
    scan.reset();
    // Where all is told, new names too, sweeping only looks after it.
    const bool isAllTold =
        feed.status().worst() == FeedMode::Tracking || feed.status().worst() == FeedMode::Notifications;
    const auto pause = options.scanInterval * (isAllTold ? pausesWherePushed : 1);
    schedule.scanFinished(dataAge.isWhole() ? now + pause : now);
    locks.endGap();
    if (const auto reset = resets.scanFinished(knownLocks(), now))
        tellReset(*reset);
    flush(); // the picture is whole: show it before it is called so
    confirm(now);
    emit q->told(stats);
}

/// SCAN gives every key that is there from the beginning of a pass to its end.
void LockMonitor::Private::dropUnmet(TimePoint now)
{
    const auto all = std::numeric_limits<qsizetype>::max();
    for (const LockKey &key : locks.takeDue(scan->startedAt(), now, all)) {
        if (!permissions.isKnown(key)) // which are not read: the pass tells of them when it is through
            store({key, std::nullopt}, now, isPushed({key}));
    }
}

/// What a scan has found that can't be finished is kept; the rest is not known.
void LockMonitor::Private::failScan(const Error &why, TimePoint now)
{
    dropScan();
    schedule.scanFailed(now, why.kind == ErrorKind::TooManyLocks);
    flush();
    emit q->told(why);
}

/// A server without end must not fill our memory.
bool LockMonitor::Private::isFull() const
{
    return locks.size() >= options.mostLocks || locks.bytes() >= options.mostBytes;
}

Error LockMonitor::Private::tooManyLocks() const
{
    return {ErrorKind::TooManyLocks,
            Phrase(QT_TRANSLATE_NOOP("phrases", "%1 locks are held, and no more"), locks.size())};
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recorded.h"

#include "core/family/certainty.h"
#include "core/watch/monitorstate.h"

#include <algorithm>

namespace lockscope {

namespace {

TimePoint wholeMs(TimePoint at, TimePoint epoch)
{
    return TimePoint(std::chrono::floor<milliseconds>(at - epoch));
}

Deadline wholeMs(const Deadline &deadline, TimePoint epoch)
{
    return {wholeMs(deadline.earliest, epoch),
            TimePoint(std::chrono::ceil<milliseconds>(deadline.latest - epoch))};
}

bool isCountOf(const LockOwner &owner)
{
    return owner.holdCount && owner.rawHoldCount == QByteArray::number(*owner.holdCount);
}

void keepWhoAlone(QList<LockOwner> &owners)
{
    const auto isMore = [](const LockOwner &owner) {
        return owner.owner.bytes.size() > longestRecordedText ||
               (!owner.rawHoldCount.isEmpty() && !isCountOf(owner)) || owner.recorded;
    };
    if (std::ranges::none_of(std::as_const(owners), isMore)) // the usual case: nothing is copied
        return;
    for (LockOwner &owner : owners) {
        owner.owner.bytes.truncate(longestRecordedText);
        owner.recorded = {};
        if (!isCountOf(owner))
            owner.rawHoldCount.clear();
    }
}

bool isPlainNumber(const QByteArray &text)
{
    bool fits = false;
    const qint64 number = text.toLongLong(&fits);
    return fits && QByteArray::number(number) == text;
}

void keepStateAlone(CompanionStatePtr &companions)
{
    if (!companions)
        return;
    CompanionState kept = *companions;
    kept.fencingToken.clear();
    kept.heartbeat = {}; // the problem tells what counts
    if (kept.unread == Unread::Heartbeat)
        kept.unread = Unread::Nothing;
    if (!isPlainNumber(kept.freePermits))
        kept.freePermits.clear();
    kept.worker.truncate(longestRecordedText);
    kept.facts = {};
    companions = CompanionStatePtr(kept);
}

void keepStateAlone(QuorumPtr &quorum, TimePoint epoch)
{
    if (!quorum)
        return;
    Quorum kept = *quorum;
    for (MemberReading &member : kept.members) {
        keepWhoAlone(member.owners);
        if (member.deadline)
            member.deadline = wholeMs(*member.deadline, epoch);
    }
    quorum = QuorumPtr(new Quorum(kept));
}

} // namespace

bool operator==(const WatchState &a, const WatchState &b)
{
    return a.connection == b.connection && a.isRead == b.isRead && a.feed.routes == b.feed.routes &&
           a.feed.incident == b.feed.incident && a.unreadable == b.unreadable &&
           a.serverName == b.serverName && a.serverVersion == b.serverVersion &&
           a.serverMode == b.serverMode && a.nodes == b.nodes && a.missingNodes == b.missingNodes &&
           isSameSet(a.unknownSlots, b.unknownSlots);
}

WatchState watchingOf(const MonitorState &watched)
{
    WatchState watching;
    watching.connection = watched.status().state;
    watching.isRead = watched.isRead();
    watching.feed.routes = watched.feed().routes;
    watching.feed.incident = watched.feed().incident;
    watching.unreadable = watched.permissions().unreadable;
    const ServerInfo &server = watched.status().server;
    watching.serverName = server.name;
    watching.serverVersion = server.version;
    watching.serverMode = server.mode;
    const ClusterStatus &cluster = watched.cluster();
    for (const NodeStatus &node : cluster.hasSeveral() ? cluster.nodes : QList<NodeStatus>()) {
        watching.nodes.append(node.name.toUtf8());
        // One that was never read, and has not failed, is not lost.
        if (node.isReady() ? !node.isCurrent && node.confirmedAt : node.isDecided)
            watching.missingNodes.append(node.name.toUtf8());
    }
    watching.unknownSlots = cluster.unknownSlots;
    return watching;
}

WatchedLock asRecorded(WatchedLock watched, TimePoint epoch)
{
    Lock &lock = watched.lock;
    if (isNoLock(lock))
        lock.owners.clear();
    keepWhoAlone(lock.owners);
    keepStateAlone(lock.companions);
    keepStateAlone(lock.quorum, epoch);
    if (lock.deadline)
        lock.deadline = wholeMs(*lock.deadline, epoch);
    lock.readAt = wholeMs(lock.readAt, epoch);
    watched.heldSince = wholeMs(watched.heldSince, epoch);
    if (watched.lastRenewal)
        watched.lastRenewal = wholeMs(*watched.lastRenewal, epoch);
    return watched;
}

LockEvent asRecorded(LockEvent event, TimePoint epoch, bool isLock)
{
    if (!isLock)
        event.owners.clear();
    keepWhoAlone(event.owners);
    event.at = wholeMs(event.at, epoch);
    return event;
}

bool hasEvents(const Lock &lock)
{
    return !isNoLock(lock) && !lock.problems.testFlag(Problem::Orphaned);
}

QList<LockEvent> foundIn(const RecordedSnapshot &picture)
{
    QList<LockEvent> events;
    events.reserve(picture.locks.size());
    for (const WatchedLock &watched : picture.locks) {
        if (!hasEvents(watched.lock))
            continue;
        LockEvent found;
        found.address = watched.lock.address;
        found.family = watched.lock.family;
        found.owners = watched.lock.owners;
        found.ttl = watched.lock.ttl;
        found.at = picture.at;
        found.wallMs = picture.wallMs;
        events.append(found);
    }
    return events;
}

WatchedLock shifted(WatchedLock watched, Clock::duration by)
{
    Lock &lock = watched.lock;
    const auto moved = [by](const Deadline &deadline) {
        return Deadline{deadline.earliest + by, deadline.latest + by};
    };
    lock.readAt += by;
    watched.heldSince += by;
    if (lock.deadline)
        lock.deadline = moved(*lock.deadline);
    if (watched.lastRenewal)
        watched.lastRenewal = *watched.lastRenewal + by;
    const bool hasMembers = lock.quorum && std::ranges::any_of(lock.quorum->members, [](const auto &member) {
                                return member.deadline.has_value();
                            });
    if (!hasMembers)
        return watched;
    Quorum quorum = *lock.quorum;
    for (MemberReading &member : quorum.members) {
        if (member.deadline)
            member.deadline = moved(*member.deadline);
    }
    lock.quorum = QuorumPtr(new Quorum(quorum));
    return watched;
}

} // namespace lockscope

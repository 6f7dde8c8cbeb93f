// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/redis/deployment/slot.h"
#include "core/redis/link.h"
#include "core/watch/feedstatus.h"
#include "core/watch/scanstats.h"
#include "core/watch/serverreset.h"
#include "core/watch/waitforgraph.h"

#include <QByteArrayList>
#include <QList>

#include <optional>
#include <variant>

namespace lockscope {

class Watched;

/// How well the locks are known: what connection, feed, scans and permissions said last.
struct Watching
{
    Link::State connection = Link::State::Closed;
    bool isRead = false;         ///< all locks were read since the connection was made
    FeedStatus feed;             ///< its routes and its last incident alone
    qint64 unreadable = 0;       ///< keys whose content this login may not read
    QByteArray serverName;       ///< "redis", "valkey"
    QByteArray serverVersion;    ///< "7.0.15"
    QByteArray serverMode;       ///< "standalone", "cluster", "sentinel"
    QByteArrayList nodes;        ///< of several servers, their names
    QByteArrayList missingNodes; ///< those of them that are not ready
    SharedSlots
        unknownSlots; ///< while some are missing: ClusterStatus::unknownSlots; absent: not recorded, it may be any

    /// What is recorded of the locks is all that there was, as far as the feed told.
    bool isCurrent() const { return isCurrentElsewhere() && missingNodes.isEmpty(); }
    /// The same of the nodes that are not missing.
    bool isCurrentElsewhere() const { return connection == Link::State::Ready && isRead; }

    friend bool operator==(const Watching &a, const Watching &b);
};
Watching watchingOf(const Watched &watched);

/// One thing that the monitor told. Of ScanStats these are recorded: complete, keysScanned, keyspace, locks, hidden,
/// unreadable, nodesMissing, and both times that it took.
using Recordable = std::variant<LockDiff, Watching, QList<Deadlock>, ServerReset, ScanStats>;

/// The same with the moment at which it was heard, by both clocks.
struct RecordedEntry
{
    TimePoint at;
    qint64 wallMs = 0; ///< epoch ms
    Recordable what;
};

/// Everything that was known at one moment.
struct RecordedPicture
{
    TimePoint at;
    qint64 wallMs = 0;
    QList<WatchedLock> locks; ///< in no order
    QList<Deadlock> deadlocks;
    Watching watching;
    std::optional<TimePoint> confirmedAt; ///< everything known was true then
    /// False: this moment lies in a gap of the recording. The rest is what was known before the gap.
    bool isRecorded = true;
};

/// A lock as it comes back from a recording, in moments since `epoch`: to the millisecond, a deadline's interval widened to
/// whole ones, and without what is no lock's state:
///  - raw hold counts that are no counts, fencing tokens (who has one may write), numbers of permits that are none;
///  - what a document holds that only has a lock's name;
///  - names and ids beyond longestRecordedText.
/// Owners, waiters, permits' ids and a job's worker are recorded: they say who.
WatchedLock asRecorded(WatchedLock lock, TimePoint epoch);
/// The same of an event. Its owners are left out where what it is about is no lock.
LockEvent asRecorded(LockEvent event, TimePoint epoch, bool isLock);

constexpr qsizetype longestRecordedText = 1 << 20;

/// False of what is no lock, but a key with the name of one, or a queue without it: nothing is told to have happened to that.
bool hasEvents(const Lock &lock);

/// Nothing differs of what a recording keeps of the two, but for the key.
bool isRecordedAlike(const WatchedLock &a, const WatchedLock &b);

/// The same lock on another time axis: all its moments later by so much.
WatchedLock shifted(WatchedLock lock, Clock::duration by);

} // namespace lockscope

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

class MonitorState;

/// The last state of connection, feed, scans and permissions: how well the locks are known.
struct WatchState
{
    Link::State connection = Link::State::Closed;
    bool isRead = false;      ///< all locks were read on this connection
    FeedStatus feed;          ///< only its routes and last incident
    qint64 unreadable = 0;    ///< keys whose content this login may not read
    QByteArray serverName;    ///< "redis", "valkey"
    QByteArray serverVersion; ///< "7.0.15"
    QByteArray serverMode;    ///< "standalone", "cluster", "sentinel"
    QByteArrayList nodes;     ///< names, if several servers
    QByteArrayList missingNodes;
    SharedSlots unknownSlots; ///< while nodes are missing: ClusterStatus::unknownSlots; absent: any slot

    /// True if all locks are known, as far as the feed reports changes.
    bool isCurrent() const { return isCurrentElsewhere() && missingNodes.isEmpty(); }
    /// True if all locks of the nodes that are not missing are known.
    bool isCurrentElsewhere() const { return connection == Link::State::Ready && isRead; }

    friend bool operator==(const WatchState &a, const WatchState &b);
};
WatchState watchingOf(const MonitorState &watched);

/// A report of the monitor. Recorded of ScanStats: complete, keysScanned, keyspace, locks, hidden,
/// unreadable, nodesMissing, and its two durations.
using Recordable = std::variant<LockDiff, WatchState, QList<Deadlock>, ServerReset, ScanStats>;

/// A report with its time by both clocks.
struct RecordedEntry
{
    TimePoint at;
    qint64 wallMs = 0; ///< epoch ms
    Recordable what;
};

/// The full state at one moment.
struct RecordedSnapshot
{
    TimePoint at;
    qint64 wallMs = 0;
    QList<WatchedLock> locks; ///< unsorted
    QList<Deadlock> deadlocks;
    WatchState watching;
    std::optional<TimePoint> confirmedAt; ///< all data was current then
    /// False: the moment lies in a gap; the data is that before the gap.
    bool isRecorded = true;
};

/// A lock as read back from a recording, in moments since `epoch`: rounded to ms, deadline intervals widened
/// to whole ms, and without:
WatchedLock asRecorded(WatchedLock lock, TimePoint epoch);
/// An event as read back from a recording, without owners if the key is no lock.
LockEvent asRecorded(LockEvent event, TimePoint epoch, bool isLock);

constexpr qsizetype longestRecordedText = 1 << 20;

/// False for a key that only has a lock's name, or an orphaned queue: these have no events.
bool hasEvents(const Lock &lock);

/// The locks as events of locks found then.
QList<LockEvent> foundIn(const RecordedSnapshot &picture);

/// True if all recorded parts but the key are equal.
bool isRecordedAlike(const WatchedLock &a, const WatchedLock &b);

/// The same lock with all its moments moved by `by`.
WatchedLock shifted(WatchedLock lock, Clock::duration by);

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/watch/unlistednames.h"

#include <QByteArray>
#include <QMetaType>

#include <algorithm>
#include <optional>

namespace lockscope {

/// A server that evicts keys, including locks, when its memory is full.
struct Eviction
{
    QByteArray policy;  ///< maxmemory-policy; of a cluster's first node
    qint64 evicted = 0; ///< keys of all kinds so far; sum of a cluster's nodes
};

/// A full scan, or the part that is done.
struct ScanStats
{
    bool complete = false;
    double progress = 0;    ///< from 0 to 1
    qint64 keysScanned = 0; ///< keys that the server walked over, by the progress if the keyspace is known
    qint64 keyspace = 0;    ///< DBSIZE at the start; 0: unknown, or empty
    int count = 0;
    qint64 commands = 0;
    qint64 locks = 0;      ///< known now
    qint64 hidden = 0;     ///< keys not counted as locks, since nothing shows that they are: isNoLock()
    qint64 unreadable = 0; ///< matching keys whose content may not be read
    /// Time of the server's thread, as charged to the budget: by the server's statistics if available,
    /// otherwise estimated.
    std::chrono::microseconds serverTime{0};
    std::chrono::microseconds wallTime{0};
    TimePoint finishedAt;
    /// Names outside the patterns that look like locks; absent if not searched, or not finished.
    std::optional<UnlistedNames> outside{};
    int nodesMissing = 0;
    int slotsMissing = 0;               ///< cluster slots without a node
    qint64 unanswered = 0;              ///< matching keys for which no cluster node answers
    std::optional<Eviction> eviction{}; ///< absent: none, or unknown

    /// Adds the counts and costs of another server, without progress and outside names.
    void add(const ScanStats &other)
    {
        keysScanned += other.keysScanned;
        keyspace += other.keyspace;
        count = std::max(count, other.count);
        commands += other.commands;
        locks += other.locks;
        hidden += other.hidden;
        unreadable += other.unreadable;
        unanswered += other.unanswered;
        serverTime += other.serverTime;
        wallTime = std::max(wallTime, other.wallTime);
        finishedAt = std::max(finishedAt, other.finishedAt);
        if (other.eviction && eviction)
            eviction->evicted += other.eviction->evicted;
        else if (other.eviction)
            eviction = other.eviction;
    }
    /// False: keysScanned is only the requested COUNT.
    bool areKeysKnown() const { return keyspace > 0 || keysScanned == 0; }
    /// True if unknown locks may exist.
    bool hasGaps() const { return nodesMissing > 0 || slotsMissing > 0 || unanswered > 0; }
    /// True if all matching keys were read: otherwise the absence of locks or problems proves nothing.
    bool isWhole() const { return !hasGaps() && unreadable == 0; }
};

} // namespace lockscope

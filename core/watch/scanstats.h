// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/watch/outsidenames.h"

#include <QByteArray>
#include <QMetaType>

#include <algorithm>
#include <optional>

namespace lockscope {

/// A server that removes keys where its memory is full, locks among them.
struct Eviction
{
    QByteArray policy;  ///< its maxmemory-policy; of a cluster's nodes the first one's
    qint64 evicted = 0; ///< keys of all kinds so far; a cluster's nodes together
};

/// One full discovery pass, or as much of it as is done.
struct ScanStats
{
    bool complete = false;
    double progress = 0; ///< from 0 to 1
    qint64 keysScanned =
        0; ///< keys of the keyspace that the server walked, from the progress where the keyspace is known
    qint64 keyspace = 0; ///< DBSIZE at the start; 0: not known, or empty
    int count = 0;       ///< COUNT of the last SCAN
    qint64 commands = 0;
    qint64 locks = 0;  ///< known at this moment
    qint64 hidden = 0; ///< keys that are not among them, since nothing tells that they are locks: isNoLock()
    qint64 unreadable = 0; ///< keys that match, and whose content this login may not read
    /// Of the server's one thread, as the budget charges it: by the server's statistics where they are told, else estimated
    /// from outside.
    std::chrono::microseconds serverTime{0};
    std::chrono::microseconds wallTime{0};
    TimePoint finishedAt;
    /// Names that look like locks outside the patterns; absent where this pass was not to meet any, or is not through.
    std::optional<Outside> outside{};
    int nodesMissing = 0;               ///< of a cluster, which could not be scanned
    int slotsMissing = 0;               ///< of a cluster: no node keeps them
    qint64 unanswered = 0;              ///< keys that match, and for which no node of a cluster answers
    std::optional<Eviction> eviction{}; ///< absent: it removes none, or does not tell

    /// What another server of several was found to have, and what that took; not its progress, nor what lies outside.
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
    /// Else keysScanned is no more than what was asked for: COUNT is a wish.
    bool areKeysKnown() const { return keyspace > 0 || keysScanned == 0; }
    /// Locks may be there of which nobody has told.
    bool hasGaps() const { return nodesMissing > 0 || slotsMissing > 0 || unanswered > 0; }
    /// All that matches was read: else the absence of locks, or of problems, proves nothing.
    bool isWhole() const { return !hasGaps() && unreadable == 0; }
};

} // namespace lockscope

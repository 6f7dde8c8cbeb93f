// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/monitor/knownlock.h"

#include <QHash>
#include <QSet>

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockscope {

/// The locks of a Redlock group, each once, from the reports of its servers' monitors. A lock is acquired
/// once a majority of the servers has it, and ended once none has it for the same owner; changes below that
/// are attempts, without events. Sends nothing, knows no server.
class QuorumTable
{
public:
    /// Returns true if a key that a server has not reported may exist there but be unreadable.
    using IsUnreadable = std::function<bool(qsizetype server, const LockKey &key)>;

    /// `most`: limit of the keys; others are left out.
    explicit QuorumTable(qsizetype servers, qint64 most = std::numeric_limits<qint64>::max(),
                         IsUnreadable isUnreadable = {})
        : m_isKnown(static_cast<size_t>(servers), false),
          m_late(static_cast<size_t>(servers)),
          m_most(most),
          m_isUnreadable(std::move(isUnreadable))
    {
    }

    /// Takes the changes that one server's monitor reported.
    LockDiff apply(qsizetype server, const LockDiff &diff, TimePoint now);
    /// Sets whether all keys of a server have been read since it is available; false: it is unavailable, and
    /// its data may be outdated.
    LockDiff setKnown(qsizetype server, bool isKnown, TimePoint now);
    /// Confirms that all data was true at `at`. A doubt of a second or more becomes a problem: a client that
    /// acquires a lock on one server after the other has no majority for a moment.
    LockDiff confirm(TimePoint at, TimePoint now);
    bool hasDoubts() const { return !m_doubts.isEmpty(); }
    /// Locks newly in doubt since the last call, to read on every server, since some may not push changes.
    QList<LockKey> takeDoubts() { return std::exchange(m_newDoubts, {}); }

    /// Number of locks that this server has, or had at its last reading, and that a majority has without it.
    qint64 heldWithout(qsizetype server) const;

    qsizetype size() const { return static_cast<qsizetype>(m_locks.size()); }
    /// Number of keys that look like no locks.
    qsizetype hidden() const { return m_hidden; }
    /// True if keys were left out since the last call.
    bool takeOverflow() { return std::exchange(m_hasOverflown, false); }

    static constexpr std::chrono::seconds doubtTime{1};

private:
    struct Entry
    {
        WatchedLock *at(qsizetype server);
        void set(qsizetype server, const WatchedLock &lock);
        void erase(qsizetype server);

        std::vector<std::pair<qsizetype, WatchedLock>> members;
        std::optional<WatchedLock> shown;
        QList<LockOwner> heldBy; ///< last reported; empty: none
        bool isForced = false;   ///< on at least one server since it was acquired
        std::optional<TimePoint> doubtedSince;
        bool isConfirmed = false;
    };
    using Entries = std::unordered_map<LockKey, Entry, TableHash<LockKey>>;

    void refresh(Entry &entry, const QList<EventKind> &told, TimePoint now, LockDiff &diff);
    void addEvents(Entry &entry, const WatchedLock &before, const QList<EventKind> &told, TimePoint now,
                   LockDiff &diff);
    void settle(qsizetype server, const QList<LockEvent> &told, LockDiff &diff);
    void setDoubt(Entry &entry, const LockKey &key, bool isDoubted, bool isSame, TimePoint now);
    static void setProblems(Entry &entry);

    std::vector<bool> m_isKnown; ///< by server
    /// Beginnings and ends of majorities, by the server whose report caused them; causes follow.
    std::vector<QHash<LockKey, LockEvent>> m_late;
    qsizetype m_teller = -1; ///< the server that reports now; -1: none
    Entries m_locks;
    QSet<LockKey> m_doubts; ///< not confirmed
    QList<LockKey> m_newDoubts;
    qsizetype m_hidden = 0;
    qint64 m_most;
    bool m_hasOverflown = false;
    IsUnreadable m_isUnreadable;
};

} // namespace lockscope

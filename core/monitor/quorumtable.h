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

/// The locks of a Redlock group, each once, of what its servers' monitors tell. A lock counts as acquired when a majority of
/// the servers has it, and as ended when none has it for the same owner any more; what comes and goes below that is an attempt
/// and no event. Sends nothing, knows no server. Pure but for what it keeps.
class QuorumTable
{
public:
    /// Whether a key that a server has not told of may be there, and only its content may not be read.
    using IsUnreadable = std::function<bool(qsizetype server, const LockKey &key)>;

    /// `most` keys are held at once; others are left out.
    explicit QuorumTable(qsizetype servers, qint64 most = std::numeric_limits<qint64>::max(),
                         IsUnreadable isUnreadable = {})
        : m_isKnown(static_cast<size_t>(servers), false),
          m_late(static_cast<size_t>(servers)),
          m_most(most),
          m_isUnreadable(std::move(isUnreadable))
    {
    }

    /// What one server's monitor has told.
    LockDiff apply(qsizetype server, const LockDiff &diff, TimePoint now);
    /// All keys of a server have been read since it is available; or it is not available any more, and what was read there may
    /// have changed.
    LockDiff setKnown(qsizetype server, bool isKnown, TimePoint now);
    /// Everything that is known was true at `at`. What has been so for a second or more is a problem from then on: while a
    /// client acquires a lock on one server after the other, it has no majority for a moment, which is none.
    LockDiff confirm(TimePoint at, TimePoint now);
    bool hasDoubts() const { return !m_doubts.isEmpty(); }
    /// Locks that have come into doubt since the last call: worth a reading on every server, since some may not tell changes.
    QList<LockKey> takeDoubts() { return std::exchange(m_newDoubts, {}); }

    /// Locks that this server has, or had when it was read last, and that a majority has without it.
    qint64 heldWithout(qsizetype server) const;

    qsizetype size() const { return static_cast<qsizetype>(m_locks.size()); }
    /// Those of them that look like no locks.
    qsizetype hidden() const { return m_hidden; }
    /// Keys were left out since the last call.
    bool takeOverflow() { return std::exchange(m_hasOverflown, false); }

    static constexpr std::chrono::seconds doubtTime{1};

private:
    struct Entry
    {
        WatchedLock *at(qsizetype server);
        void set(qsizetype server, const WatchedLock &lock);
        void erase(qsizetype server);

        std::vector<std::pair<qsizetype, WatchedLock>> members; ///< servers that have it
        std::optional<WatchedLock> shown;
        QList<LockOwner> heldBy; ///< as told last; empty: by nobody
        bool isForced = false;   ///< on one server at least, since it was acquired
        std::optional<TimePoint> doubtedSince;
        bool isConfirmed = false; ///< the doubt is a problem
    };
    using Entries = std::unordered_map<LockKey, Entry, TableHash<LockKey>>;

    void refresh(Entry &entry, const QList<EventKind> &told, TimePoint now, LockDiff &diff);
    void addEvents(Entry &entry, const WatchedLock &before, const QList<EventKind> &told, TimePoint now,
                   LockDiff &diff);
    void settle(qsizetype server, const QList<LockEvent> &told, LockDiff &diff);
    void setDoubt(Entry &entry, const LockKey &key, bool isDoubted, bool isSame, TimePoint now);
    static void setProblems(Entry &entry);

    std::vector<bool> m_isKnown; ///< by server
    /// Beginnings and ends of majorities, by the servers whose word made them: how is told after that.
    std::vector<QHash<LockKey, LockEvent>> m_late;
    qsizetype m_teller = -1; ///< the server that tells just now; -1: none
    Entries m_locks;
    QSet<LockKey> m_doubts; ///< that are not confirmed
    QList<LockKey> m_newDoubts;
    qsizetype m_hidden = 0;
    qint64 m_most;
    bool m_hasOverflown = false;
    IsUnreadable m_isUnreadable;
};

} // namespace lockscope

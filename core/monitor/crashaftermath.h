// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <functional>

namespace lockscope {

/// What would be left if certain owners crashed now, as far as what is known of their locks tells: an answer before it happens.
/// Locks are added one by one, those that these owners hold and those in whose queues they stand. Nothing is asked of a server.
class CrashAftermath
{
public:
    /// Whether an owner or a waiter of a lock is one of those that crash.
    using IsTheirs = std::function<bool(const Lock &lock, const OwnerId &id)>;

    /// Locks, and when the last of them ends.
    struct Ends
    {
        qint64 locks = 0;
        TimePoint latest = TimePoint::min(); ///< at the latest; only where there are locks
        void add(TimePoint end)
        {
            ++locks;
            latest = std::max(latest, end);
        }
        friend bool operator==(const Ends &, const Ends &) = default;
    };
    /// Locks by how they end.
    struct Fates
    {
        Ends expiring;      ///< by themselves, unless somebody else renews them
        qint64 endless = 0; ///< until somebody ends them
        qint64 unknown = 0; ///< whether or when is not known
        qint64 locks() const { return expiring.locks + endless + unknown; }
        friend bool operator==(const Fates &, const Fates &) = default;
    };
    /// Those that wait, and are not among the owners.
    struct Waiting
    {
        qint64 named = 0; ///< in queues
        qint64 dead = 0;  ///< in queues, too: nobody waits there any more
        /// Subscriptions to the channels of locks: a process has one for each lock, for a waiter or more. Some may be of the
        /// owners.
        qint64 subscribed = 0;
        bool isUnknown = false; ///< others may wait that leave no trace, or may not be asked for
        friend bool operator==(const Waiting &, const Waiting &) = default;
    };
    static constexpr qsizetype mostNamed = 5;

    CrashAftermath(TimePoint now, qint64 wallMs) : m_now(now), m_wallMs(wallMs) {}

    /// Each lock once.
    void add(const WatchedLock &watched, const IsTheirs &isTheirs);

    const Fates &own() const { return m_own; }       ///< locks that nobody else holds
    const Fates &shared() const { return m_shared; } ///< their part of locks that others hold, too
    /// Those of own() for which others are known to wait.
    const Fates &waitedFor() const { return m_waitedFor; }
    const Waiting &waiting() const { return m_waiting; }             ///< for locks of own()
    const QList<LockKey> &endlessLocks() const { return m_endless; } ///< of own(), the first ones

    qint64 deadPlaces() const { return m_deadPlaces; } ///< their places in queues: nobody would answer there
    qint64 heldUp() const { return m_heldUp; }         ///< waiters behind these, known by name
    /// Epoch ms by the waiters' clock from which on all of these places may be skipped; absent: there are none, or one has no
    /// such time.
    CompactOptional<qint64> skippedFromMs() const;
    bool isEmpty() const { return m_own.locks() + m_shared.locks() + m_deadPlaces == 0; }

private:
    void addPlaces(const Lock &lock, const IsTheirs &isTheirs);
    bool addWaiting(const Lock &lock, const IsTheirs &isTheirs);

    TimePoint m_now;
    qint64 m_wallMs;
    Fates m_own;
    Fates m_shared;
    Fates m_waitedFor;
    Waiting m_waiting;
    QList<LockKey> m_endless;
    qint64 m_deadPlaces = 0;
    qint64 m_heldUp = 0;
    qint64 m_skippedFromMs = 0;
    bool m_isSkipUnknown = false;
};

} // namespace lockscope

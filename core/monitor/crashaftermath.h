// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <functional>

namespace lockscope {

/// Predicts the effect of a crash of certain owners from what is known of their locks. Locks that these
/// owners hold or wait for are added one by one. Sends nothing.
class CrashAftermath
{
public:
    using IsTheirs = std::function<bool(const Lock &lock, const OwnerId &id)>;

    /// A number of locks, and when the last of them expires.
    struct Ends
    {
        qint64 locks = 0;
        TimePoint latest = TimePoint::min(); ///< at the latest; min() without locks
        void add(TimePoint end)
        {
            ++locks;
            latest = std::max(latest, end);
        }
        friend bool operator==(const Ends &, const Ends &) = default;
    };
    struct Fates
    {
        Ends expiring; ///< expire by themselves, unless another client renews them
        qint64 endless = 0;
        qint64 unknown = 0;
        qint64 locks() const { return expiring.locks + endless + unknown; }
        friend bool operator==(const Fates &, const Fates &) = default;
    };
    /// Waiters that are not among the owners.
    struct Waiting
    {
        qint64 named = 0; ///< in queues
        qint64 dead = 0;  ///< in queues, already dead
        /// Subscribers of the locks' channels: a process subscribes once per lock, for one or more waiters.
        /// Some may belong to the owners.
        qint64 subscribed = 0;
        bool isUnknown = false; ///< there may be waiters that leave no trace or may not be read
        friend bool operator==(const Waiting &, const Waiting &) = default;
    };
    static constexpr qsizetype maxNamed = 5;

    CrashAftermath(TimePoint now, qint64 wallMs) : m_now(now), m_wallMs(wallMs) {}

    /// Adds a lock; each once.
    void add(const WatchedLock &watched, const IsTheirs &isTheirs);

    const Fates &own() const { return m_own; }       ///< locks without other owners
    const Fates &shared() const { return m_shared; } ///< locks with other owners too
    /// Locks of own() with other waiters.
    const Fates &waitedFor() const { return m_waitedFor; }
    const Waiting &waiting() const { return m_waiting; }
    const QList<LockKey> &endlessLocks() const { return m_endless; } ///< the first maxNamed locks of own()

    qint64 deadPlaces() const { return m_deadPlaces; } ///< queue places that become dead waiters
    qint64 heldUp() const { return m_heldUp; }         ///< named waiters behind these places
    /// Epoch ms, by the waiters' clock, after which all of these places may be skipped; absent: no places, or
    /// one without such a time.
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/crashaftermath.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace lockscope {

/// Signs whether the process behind certain owners is alive, from their locks and places in queues alone.
struct LivenessSigns
{
    enum class Verdict : quint8 {
        Unknown,    ///< no sign, or contrary ones
        LikelyDead, ///< only signs that it is dead; it may also be paused
        Alive,
    };

    // Signs that it is dead.
    qint64 overdue = 0; ///< locks whose renewal is overdue
    CompactOptional<TimePoint> overdueSince;
    qint64 silentPlaces = 0; ///< places in queues without subscription for DeadWaiterDetector::patience
    // Signs that it is alive.
    CompactOptional<TimePoint> actedAt; ///< last renewal or acquisition seen
    qint64 subscribedPlaces = 0;
    /// Several processes, some of which may be dead: there is no verdict.
    bool isOfSeveral = false;

    /// Adds a lock, whose state at `now` must be known.
    void add(const WatchedLock &watched, const CrashAftermath::IsTheirs &isTheirs, TimePoint now);
    // Parts of add(), for holds and places of the owners.
    void addHold(const WatchedLock &watched, TimePoint now);
    void addPlace(const Waiter &waiter);
    Verdict verdict(TimePoint now) const;

    friend bool operator==(const LivenessSigns &, const LivenessSigns &) = default;
};

/// Signs of each process of a host, as far as IDs of owners and waiters name it.
class SignsOfProcesses
{
public:
    struct Count
    {
        qint64 alive = 0;
        qint64 likelyDead = 0;
        qint64 unknown = 0;
        qint64 all() const { return alive + likelyDead + unknown; }
        friend bool operator==(const Count &, const Count &) = default;
    };

    /// Adds each lock once. `now` absent: its present state is unknown, only that these processes existed.
    void add(const WatchedLock &watched, const CrashAftermath::IsTheirs &isTheirs,
             std::optional<TimePoint> now);
    /// The number of processes by verdict.
    Count count(TimePoint now) const;
    /// The number of IDs that name no process and may be of any.
    qint64 untold() const { return m_untold.size(); }

private:
    LivenessSigns *signsOf(const Lock &lock, const OwnerId &id);

    QHash<QByteArray, LivenessSigns> m_processes;
    QSet<QByteArray> m_untold;
};

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/crashaftermath.h"

#include <QHash>
#include <QSet>

#include <optional>

namespace lockscope {

/// What is known of whether the process behind certain owners lives, from their locks and places in queues alone.
struct SignsOfLife
{
    enum class Verdict : quint8 {
        Unknown,    ///< no sign, or signs of both kinds
        LikelyDead, ///< signs that it is dead, and none that it lives; it may also be paused
        Alive,      ///< a sign of life, and none that it is dead
    };

    // Signs that it is dead
    qint64 overdue = 0;                      ///< locks whose renewal is overdue
    CompactOptional<TimePoint> overdueSince; ///< the last of these
    qint64 silentPlaces =
        0; ///< places in queues on whose channel nobody has subscribed for DeadWaiterDetector::patience
    // Signs that it lives
    CompactOptional<TimePoint> actedAt; ///< the last renewal or acquisition that was seen
    qint64 subscribedPlaces = 0;        ///< places in queues on whose channel somebody is subscribed
    /// Of several processes, of which some may be dead while others live: there is no verdict then.
    bool isOfSeveral = false;

    /// A lock of which it is not known how it is at `now` tells nothing: it must not be added.
    void add(const WatchedLock &watched, const CrashAftermath::IsTheirs &isTheirs, TimePoint now);
    // The two parts of it, of what is known to be theirs.
    void addHold(const WatchedLock &watched, TimePoint now);
    void addPlace(const Waiter &waiter);
    Verdict verdict(TimePoint now) const;

    friend bool operator==(const SignsOfLife &, const SignsOfLife &) = default;
};

/// The same of each process of a host, as far as the ids of owners and waiters name one: that one is dead says nothing of the others.
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

    /// Each lock once. `now` absent: how it is now is not known, only that these processes were there.
    void add(const WatchedLock &watched, const CrashAftermath::IsTheirs &isTheirs,
             std::optional<TimePoint> now);
    /// By their verdicts.
    Count count(TimePoint now) const;
    /// Ids that name no process: they may be of any.
    qint64 untold() const { return m_untold.size(); }

private:
    SignsOfLife *signsOf(const Lock &lock, const OwnerId &id);

    QHash<QByteArray, SignsOfLife> m_processes;
    QSet<QByteArray> m_untold;
};

} // namespace lockscope

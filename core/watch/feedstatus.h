// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/redis/error.h"

#include <QList>
#include <QMetaType>

#include <optional>

namespace lockscope {

/// How changes of locks are received, best first.
enum class FeedMode : quint8 {
    Tracking,      ///< CLIENT TRACKING in broadcasting mode: every change of a key with one of our prefixes
    KeyedTracking, ///< CLIENT TRACKING of keys that were read; new names come from scans
    Notifications, ///< keyspace notifications, if the server has them enabled
    Polling,       ///< no messages: known locks are reread in turn
};

/// The last gap of a feed. After each, the whole keyspace is scanned again.
enum class FeedGap : quint8 {
    Flushed,          ///< everything may have changed: FLUSHDB, FLUSHALL, a resynchronization
    ForeignPublish,   ///< another client published to the server's own channel
    Lost,             ///< the connection broke, or the server closed a slow one
    HeartbeatTimeout, ///< the connection stood, but a heartbeat was not answered
    RedirectBroken,   ///< the server no longer redirects to the feed
};

/// The modes by which changes under each pattern are received.
struct FeedStatus
{
    struct Route
    {
        QByteArray pattern;
        FeedMode feed = FeedMode::Polling;
        friend bool operator==(const Route &, const Route &) = default;
    };
    struct Incident
    {
        FeedGap what = FeedGap::Lost;
        TimePoint at;
        friend bool operator==(const Incident &, const Incident &) = default;
    };

    QList<Route> routes; ///< one per pattern, in order
    std::optional<Error>
        fallbackReason;        ///< why a better mode than the worst is not available, if the server said so
    QByteArray refusedCommand; ///< the refused command with subcommand; empty: it is in the text
    std::optional<Incident> incident;

    /// The worst mode of all routes: a guarantee for every lock.
    FeedMode worst() const;
    /// True if all changes are received, even those of new names.
    bool tellsNewNames() const
    {
        const FeedMode mode = worst();
        return mode == FeedMode::Tracking || mode == FeedMode::Notifications;
    }
    /// True if all changes of this key are received, even if it is new.
    bool tellsNewName(QByteArrayView key) const;
    /// True if changes are received under at least one pattern.
    bool hasPush() const;
    bool uses(FeedMode feed) const;
    FeedMode routeOf(QByteArrayView key) const;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::FeedStatus)

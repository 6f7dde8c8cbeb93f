// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/redis/error.h"

#include <QList>
#include <QMetaType>

#include <optional>

namespace lockscope {

/// How the monitor hears that a lock has changed, the best first.
enum class FeedMode : quint8 {
    Tracking,      ///< CLIENT TRACKING in broadcasting mode: every change of a key with one of our prefixes
    KeyedTracking, ///< CLIENT TRACKING of the keys that we have read; new names come from the scan
    Notifications, ///< keyspace notifications, where the server has them on already
    Polling,       ///< nothing is told: known locks are read again in turn
};

/// What a feed met last. After each of them the whole keyspace is swept again.
enum class FeedGap : quint8 {
    Flushed, ///< the server said that everything may have changed: FLUSHDB, FLUSHALL, a resynchronisation
    ForeignPublish,   ///< somebody published to the server's own channel
    Lost,             ///< its connection broke, or the server closed it because it could not keep up
    HeartbeatTimeout, ///< its connection stood, and a heartbeat was not answered
    RedirectBroken,   ///< the server no longer redirects to it
};

/// How the changes under each pattern are heard of.
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

    QList<Route> routes; ///< one a pattern, in their order
    std::optional<Error>
        fallbackReason; ///< why a better way than the worst of them is not open, where the server said it
    QByteArray refusedCommand; ///< the one that it was said to, with its subcommand; empty: it is in the text
    std::optional<Incident> incident; ///< the last one

    /// The worst of all routes: what can be promised for every lock.
    FeedMode worst() const;
    /// All is told, new names too.
    bool tellsNewNames() const
    {
        const FeedMode mode = worst();
        return mode == FeedMode::Tracking || mode == FeedMode::Notifications;
    }
    /// Changes under some pattern at least are told.
    bool hasPush() const;
    /// Changes under some pattern are heard in this way.
    bool uses(FeedMode feed) const;
    /// The best way by which changes of this key are heard.
    FeedMode routeOf(QByteArrayView key) const;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::FeedStatus)

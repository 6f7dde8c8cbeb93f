// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/changefeedprivate.h"
#include "core/monitor/notificationsetting.h"

#include <algorithm>
#include <utility>

namespace lockscope {

/// Messages and replies come in one order: what was to be told before the heartbeat was answered has been told.
void ChangeFeed::Private::beat()
{
    if (beatAsked || connection->state() != Connection::State::Ready)
        return;
    beatAsked = Clock::now();
    ask(*connection, {"PING"}, [this](const Result<Reply> &reply) {
        if (!reply && reply.error().kind == ErrorKind::OutcomeUnknown)
            return; // lost() follows
        const TimePoint asked = *std::exchange(beatAsked, std::nullopt);
        // A server that can't save refuses a PING too, and tells of changes as ever. Of one that loads or is busy nobody knows.
        if (reply || reply.error().kind == ErrorKind::PersistenceFailed)
            emit q->confirmed(asked);
    });
    checkKeyedTracking();
    checkNotifications();
}

/// The server says nothing where it has lost whom to tell.
void ChangeFeed::Private::checkKeyedTracking()
{
    if (!status.uses(FeedMode::KeyedTracking))
        return;
    ask(reader, {"CLIENT", "TRACKINGINFO"}, [this](const Result<Reply> &reply) {
        if (!reply || reply->elements.size() < 2) // Redis 6.0 can't be asked
            return;
        const bool broken = std::ranges::any_of(reply->elements[1].elements, [](const Reply &flag) {
            return flag.text == "broken_redirect" || flag.text == "off";
        });
        if (!broken)
            return;
        reopen();
        suffer(FeedGap::RedirectBroken);
    });
}

/// Nobody is told when they are switched off, and the silence is that of a quiet server.
void ChangeFeed::Private::checkNotifications()
{
    if (!status.uses(FeedMode::Notifications))
        return;
    ask(reader, notificationQuestion, [this](const Result<Reply> &reply) {
        if (!status.uses(FeedMode::Notifications) ||
            (!reply && reply.error().kind != ErrorKind::NoPermission))
            return;
        const std::optional<bool> areOn = tellsEnough(reply);
        if (areOn.value_or(false))
            return;
        if (areOn) {
            reopen();
            return suffer(FeedGap::RedirectBroken);
        }
        // It can't be asked any more: they may be on all the same, and nothing is promised.
        if (!clientId.isEmpty())
            return reopen();
        for (FeedStatus::Route &route : status.routes)
            route.feed = route.feed == FeedMode::Notifications ? FeedMode::Polling : route.feed;
        emit q->statusChanged();
        emit q->modesChosen();
    });
}

} // namespace lockscope

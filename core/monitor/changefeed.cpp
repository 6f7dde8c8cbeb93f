// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/changefeed.h"

#include "core/base/enumnames.h"
#include "core/base/glob.h"
#include "core/monitor/changefeedprivate.h"
#include "core/monitor/notificationsetting.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto heartbeat = 1s;
constexpr auto patience = 3000ms; // for a reply, a heartbeat's too
/// What a notification says of a key that has gone. Whatever deletes it says "del", also an end that lies in the past.
constexpr std::array keyEnds{
    Named<EventKind>{EventKind::Released, "del"},      Named<EventKind>{EventKind::Expired, "expired"},
    Named<EventKind>{EventKind::Evicted, "evicted"},   Named<EventKind>{EventKind::Renamed, "rename_from"},
    Named<EventKind>{EventKind::Renamed, "move_from"},
};

} // namespace

ChangeFeed::Private::Private(ChangeFeed *feed, Link &readingConnection)
    : QObject(feed),
      q(feed),
      reader(readingConnection),
      channelHead("__keyspace@" + QByteArray::number(reader.address().database) + "__:"),
      beatTimer(this),
      restTimer(this)
{
    restTimer.setSingleShot(true);
    beatTimer.setInterval(heartbeat);
    connect(&beatTimer, &QTimer::timeout, this, &Private::beat);
    connect(&restTimer, &QTimer::timeout, this, &Private::reopen);
    speak(spoken);
}

/// What is still on its way may not come back to members that are gone.
ChangeFeed::Private::~Private()
{
    ++attempt;
    connection->close();
}

/// From the next open() on.
void ChangeFeed::Private::speak(RespVersion version)
{
    if (connection && spoken == version)
        return;
    if (connection) {
        connection->disconnect(this);
        connection->close();
        connection->deleteLater(); // not now: this may be its own signal
    }
    spoken = version;
    connection = new Connection(reader.address(),
                                {.clientName = "lockscope:feed",
                                 .commandDeadline = patience,
                                 .readOnly = true,
                                 .acceptsPush = true,
                                 .speaksResp3 = version == RespVersion::Resp3},
                                this); // a child moves to another thread with us
    connect(connection, &Connection::ready, this, &Private::begin);
    connect(connection, &Connection::pushReceived, this, &Private::takeMessage);
    connect(connection, &Connection::connectionLost, this, &Private::lost);
    connect(connection, &Connection::connectionRefused, this, &Private::lost);
}

void ChangeFeed::Private::goOnIn(RespVersion version)
{
    ++attempt;
    speak(version);
    connection->open();
}

/// A connection that was subscribed can do nothing else any more: whatever begins anew needs a new one.
void ChangeFeed::Private::reopen()
{
    ++attempt;
    hasSettled = false;
    beatTimer.stop();
    beatAsked.reset();
    restTimer.stop();
    setRoutes(patterns, FeedMode::Polling);
    connection->close();
    if (std::exchange(readerTracks, false))
        reader.send({"CLIENT", "TRACKING", "OFF"});
    hasFailedInResp3 = false;
    speak(RespVersion::Resp2);
    connection->moveTo(reader.address());
    if (wantsToHear)
        connection->open();
}

void ChangeFeed::Private::begin()
{
    ++attempt;
    isSubscribed = false;
    wanted = trackingPrefixes(patterns);
    if (spoken == RespVersion::Resp3)
        return askForResp3Tracking();
    status.fallbackReason.reset();
    ask(*connection, {"CLIENT", "ID"}, [this](const Result<Reply> &id) { askForTracking(id); });
}

void ChangeFeed::Private::setRoutes(const QList<QByteArray> &of, FeedMode feed)
{
    for (FeedStatus::Route &route : status.routes) {
        if (of.contains(route.pattern))
            route.feed = feed;
    }
}

/// Every pattern is heard of at least so well.
bool ChangeFeed::Private::isHeard(FeedMode feed) const
{
    return status.worst() <= feed;
}

void ChangeFeed::Private::takeMessage(const Reply &message)
{
    const std::vector<Reply> &parts = message.elements;
    if (parts.size() == 3 && parts[0].text == "message" && parts[1].text == invalidations)
        takeInvalidation(parts[2]);
    else if (message.isPush() && parts.size() == 2 && parts[0].text == "invalidate")
        parts[1].isArray() ? takeInvalidation(parts[1]) : suffer(FeedGap::Flushed);
    else if (parts.size() == 4 && parts[0].text == "pmessage" && parts[2].text.startsWith(channelHead))
        takeNotification(parts[2].text.sliced(channelHead.size()), parts[3].text);
}

void ChangeFeed::Private::takeNotification(const QByteArray &key, const QByteArray &event)
{
    if (const auto how = valueIn(keyEnds, event); how && globMatchesAny(patterns, key))
        emit q->gone(LockKey(key), *how);
    forward({key});
}

void ChangeFeed::Private::takeInvalidation(const Reply &keys)
{
    if (keys.isNil())
        return suffer(FeedGap::Flushed);
    if (!keys.isArray()) // anyone may publish to the channel; a string is no message of the server
        return suffer(FeedGap::ForeignPublish);
    QByteArrayList names;
    names.reserve(static_cast<qsizetype>(keys.elements.size()));
    for (const Reply &key : keys.elements)
        names << key.text;
    forward(names);
}

void ChangeFeed::Private::forward(const QByteArrayList &keys) const
{
    QList<LockKey> locks;
    for (const QByteArray &key : keys) {
        if (globMatchesAny(patterns, key))
            locks.append(LockKey(key));
    }
    if (!locks.isEmpty())
        emit q->heard(locks);
}

void ChangeFeed::Private::suffer(FeedGap what)
{
    status.incident = FeedStatus::Incident{what, Clock::now()};
    emit q->statusChanged();
    emit q->gapDetected();
}

void ChangeFeed::Private::lost(const Error &why)
{
    ++attempt;
    beatTimer.stop();
    if (spoken == RespVersion::Resp3 && !hasSettled) { // it does not lead there: the other modes are left
        hasFailedInResp3 = true;
        return goOnIn(RespVersion::Resp2);
    }
    const TimePoint now = Clock::now();
    // A timer of seconds may fire a twentieth early.
    const bool wasSilent = beatAsked && now - *beatAsked >= patience * 9 / 10;
    beatAsked.reset();
    status.fallbackReason = why;
    setRoutes(patterns, FeedMode::Polling);
    if (!std::exchange(hasSettled, false)) {
        emit q->statusChanged();
        emit q->delayed();
        return;
    }
    hasFailedInResp3 = false; // a peer that ends each login is not asked for more of them
    if (losses.add(now)) {
        const Phrase rests(
            QT_TRANSLATE_NOOP("phrases", "it was closed %1 times within a minute, and rests for one"),
            FeedLosses::most);
        status.fallbackReason = Error(ErrorKind::NetworkFailed, rests);
        connection->close();
        restTimer.start(FeedLosses::within);
    } else if (spoken == RespVersion::Resp3) {
        goOnIn(RespVersion::Resp2);
    }
    suffer(wasSilent ? FeedGap::HeartbeatTimeout : FeedGap::Lost);
}

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

ChangeFeed::ChangeFeed(Link &reader, QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(this, reader))
{
}

ChangeFeed::~ChangeFeed() = default;

void ChangeFeed::listen(const QList<QByteArray> &patterns)
{
    d->wantsToHear = true;
    d->patterns = patterns;
    d->status.routes.clear();
    for (const QByteArray &pattern : patterns)
        d->status.routes.append({pattern, FeedMode::Polling});
    d->reopen();
}

void ChangeFeed::stop()
{
    d->wantsToHear = false;
    d->reopen();
}

void ChangeFeed::retryForbidden(bool interrupts)
{
    d->retryForbidden(interrupts);
}

void ChangeFeed::takeAnnouncement(const Reply &reply)
{
    d->takeAnnouncement(reply);
}

bool ChangeFeed::isSettled() const
{
    return d->hasSettled;
}

const FeedStatus &ChangeFeed::status() const
{
    return d->status;
}

FeedMode ChangeFeed::routeOf(QByteArrayView key) const
{
    return d->status.routeOf(key);
}

} // namespace lockscope

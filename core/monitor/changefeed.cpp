// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/changefeed.h"

#include "core/base/glob.h"
#include "core/monitor/feedlosses.h"
#include "core/monitor/notificationsetting.h"
#include "core/monitor/trackingprefixes.h"
#include "core/redis/whendone.h"

#include <QTimer>

#include <algorithm>
#include <optional>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr QByteArrayView invalidations = "__redis__:invalidate";
constexpr auto heartbeat = 1s;
constexpr auto patience = 3000ms; // for a reply, a heartbeat's too

} // namespace

class ChangeFeed::Private : public QObject
{
public:
    Private(ChangeFeed *feed, Link &readingConnection);
    ~Private() override;

    void begin();
    void reopen();
    void askForTracking(const Result<Reply> &id);
    void subscribeToInvalidations();
    void askForNotifications();
    void askForKeyedTracking();
    void subscribeToChannels(FeedMode route);
    void settle();

    void takeMessage(const Reply &message);
    void takeInvalidation(const Reply &keys);
    void forward(const QByteArrayList &keys);
    void beat();
    void checkKeyedTracking();
    void checkNotifications();
    void suffer(FeedGap what);
    void refused(const Error &why, const CommandBatch &probe);
    void retryForbidden(bool interrupts);
    void takeAnnouncement(const Reply &reply);
    void lost(const Error &why);

    void setRoutes(const QList<QByteArray> &patterns, FeedMode feed);
    bool isHeard(FeedMode feed) const;

    /// Sends, and goes on with the reply unless everything has begun anew since.
    template <typename Then>
    void ask(Link &to, std::span<const QByteArrayView> command, Then then)
    {
        whenDone(this, to.send(command), [this, then, sentIn = attempt](const Result<Reply> &reply) {
            if (sentIn == attempt)
                then(reply);
        });
    }
    template <typename Then>
    void ask(Link &to, std::initializer_list<QByteArrayView> command, Then then)
    {
        ask(to, std::span(command.begin(), command.size()), then);
    }

    ChangeFeed *q;
    Link &reader;
    Connection connection;
    const QByteArray channelHead; // of a notification: what follows is the key
    QList<QByteArray> patterns;
    TrackingPrefixes wanted;
    QByteArray clientId; // of the feed's connection
    FeedStatus status;
    CommandBatch probe; // tells on the reader whether the obstacle is gone; empty: nothing does
    bool wantsToHear = false;
    bool hasSettled = false;
    bool isSubscribed = false;
    bool readerTracks = false; // the server remembers what the reader reads
    int attempt = 0;           // replies to an older one are dropped
    FeedLosses losses;
    std::optional<TimePoint> beatAsked;
    QTimer beatTimer;
    QTimer restTimer;
};

ChangeFeed::Private::Private(ChangeFeed *feed, Link &readingConnection)
    : QObject(feed),
      q(feed),
      reader(readingConnection),
      connection(reader.address(), {.clientName = "lockscope:feed",
                                    .commandDeadline = patience,
                                    .readOnly = true,
                                    .acceptsPush = true}),
      channelHead("__keyspace@" + QByteArray::number(reader.address().database) + "__:"),
      beatTimer(this),
      restTimer(this)
{
    connection.setParent(this); // so that it moves to another thread with us
    restTimer.setSingleShot(true);
    beatTimer.setInterval(heartbeat);
    connect(&connection, &Connection::ready, this, &Private::begin);
    connect(&connection, &Connection::pushReceived, this, &Private::takeMessage);
    connect(&connection, &Connection::connectionLost, this, &Private::lost);
    connect(&connection, &Connection::connectionRefused, this, &Private::lost);
    connect(&beatTimer, &QTimer::timeout, this, &Private::beat);
    connect(&restTimer, &QTimer::timeout, this, &Private::reopen);
}

/// What is still on its way may not come back to members that are gone.
ChangeFeed::Private::~Private()
{
    ++attempt;
    connection.close();
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
    connection.close();
    if (std::exchange(readerTracks, false))
        reader.send({"CLIENT", "TRACKING", "OFF"});
    connection.moveTo(reader.address());
    if (wantsToHear)
        connection.open();
}

void ChangeFeed::Private::begin()
{
    ++attempt;
    isSubscribed = false;
    wanted = trackingPrefixes(patterns);
    status.fallbackReason.reset();
    ask(connection, {"CLIENT", "ID"}, [this](const Result<Reply> &id) { askForTracking(id); });
}

void ChangeFeed::Private::refused(const Error &why, const CommandBatch &test)
{
    status.fallbackReason = why;
    probe = test;
}

void ChangeFeed::Private::retryForbidden(bool interrupts)
{
    if (!hasSettled || !status.fallbackReason || status.fallbackReason->kind != ErrorKind::NoPermission)
        return;
    if (interrupts || !isSubscribed) // nothing is heard that could be missed
        return reopen();
    if (probe.isEmpty())
        return;
    whenDone(this, reader.send(probe), [this, sentIn = attempt](const Result<std::vector<Reply>> &replies) {
        const bool isPermitted =
            replies && (!replies->front().isError() ||
                        serverError(replies->front().text).kind != ErrorKind::NoPermission);
        if (sentIn == attempt && isPermitted)
            reopen();
    });
}

/// Without it the server remembers nothing of what is read: changes would be awaited that nobody tells of.
void ChangeFeed::Private::takeAnnouncement(const Reply &reply)
{
    if (!reply.isError() || !hasSettled || !readerTracks)
        return;
    const Error why = serverError(reply.text);
    if (why.kind != ErrorKind::NoPermission)
        return;
    readerTracks = false;
    reader.send({"CLIENT", "TRACKING", "OFF"});
    setRoutes(wanted.rest, FeedMode::Polling);
    refused(why, {"CLIENT", "CACHING", "YES"});
    // Not amid the replies of a batch.
    QMetaObject::invokeMethod(
        this,
        [this, sentIn = attempt] {
            if (sentIn != attempt)
                return;
            emit q->statusChanged();
            emit q->modesChosen();
        },
        Qt::QueuedConnection);
}

void ChangeFeed::Private::askForTracking(const Result<Reply> &id)
{
    clientId = id && id->isInteger() ? QByteArray::number(id->integer) : QByteArray();
    if (!id)
        refused(id.error(), {"CLIENT", "ID"});
    if (clientId.isEmpty())
        return askForNotifications();
    if (wanted.prefixes.isEmpty())
        return subscribeToInvalidations();
    QList<QByteArrayView> command{"CLIENT", "TRACKING", "ON", "REDIRECT", clientId, "BCAST"};
    for (const QByteArray &prefix : wanted.prefixes)
        command << "PREFIX" << prefix;
    ask(connection, command, [this](const Result<Reply> &reply) {
        if (reply)
            return subscribeToInvalidations();
        refused(reply.error(), {"CLIENT", "TRACKING", "OFF"});
        clientId.clear();
        askForNotifications();
    });
}

void ChangeFeed::Private::subscribeToInvalidations()
{
    ask(connection, {"SUBSCRIBE", invalidations}, [this](const Result<Reply> &reply) {
        if (reply) {
            isSubscribed = true;
            QList<QByteArray> told = patterns;
            told.removeIf([this](const QByteArray &pattern) { return wanted.rest.contains(pattern); });
            setRoutes(told, FeedMode::Tracking);
        } else {
            // Tracking without its channel would be work for the server that nobody hears of.
            refused(reply.error(), {});
            clientId.clear();
            connection.send({"CLIENT", "TRACKING", "OFF"});
        }
        askForNotifications();
    });
}

/// For the patterns that broadcasts do not cover. Asked on the reader: a subscribed connection can't ask. The server's settings,
/// which hold passwords, are asked of a user with a name where nothing else serves.
void ChangeFeed::Private::askForNotifications()
{
    if (isHeard(FeedMode::Tracking))
        return settle();
    if (!clientId.isEmpty() && reader.address().hasNamedUser())
        return askForKeyedTracking();
    ask(reader, notificationQuestion, [this](const Result<Reply> &reply) {
        const std::optional<bool> areOn = tellsEnough(reply);
        if (areOn.value_or(false))
            return subscribeToChannels(FeedMode::Notifications);
        if (!clientId.isEmpty())
            return askForKeyedTracking();
        if (!areOn) // they may be on all the same: what is heard is a hint, and nothing is promised
            return subscribeToChannels(FeedMode::Polling);
        settle();
    });
}

void ChangeFeed::Private::subscribeToChannels(FeedMode route)
{
    CommandBatch batch;
    QList<QByteArray> asked;
    for (const FeedStatus::Route &part : std::as_const(status.routes)) {
        if (part.feed == FeedMode::Tracking)
            continue;
        asked << part.pattern;
        batch.add({"PSUBSCRIBE", channelHead + part.pattern});
    }
    whenDone(this, connection.send(batch),
             [this, asked, route, sentIn = attempt](const Result<std::vector<Reply>> &replies) {
                 if (sentIn != attempt || !replies)
                     return;
                 for (qsizetype i = 0; i < asked.size(); ++i) {
                     const Reply &reply = (*replies)[static_cast<size_t>(i)];
                     if (reply.isError())
                         refused(serverError(reply.text), {});
                     else
                         isSubscribed = true, setRoutes({asked[i]}, route);
                 }
                 settle();
             });
}

void ChangeFeed::Private::askForKeyedTracking()
{
    // Opt-in: what the broadcasts tell already must not fill the server's table of keys as well.
    ask(reader, {"CLIENT", "TRACKING", "ON", "REDIRECT", clientId, "OPTIN"},
        [this](const Result<Reply> &reply) {
            readerTracks = reply.has_value();
            if (reply)
                setRoutes(wanted.rest, FeedMode::KeyedTracking);
            else
                refused(reply.error(), {"CLIENT", "TRACKING", "OFF"});
            if (reply || !reader.address().hasNamedUser())
                return settle();
            clientId.clear();
            askForNotifications();
        });
}

void ChangeFeed::Private::settle()
{
    hasSettled = true;
    if (isSubscribed)
        beatTimer.start();
    else
        connection.close(); // there is nothing to hear
    emit q->statusChanged();
    emit q->modesChosen();
    if (isSubscribed && hasSettled)
        beat(); // who comes back after a loss need not wait a second longer to be sure
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
    else if (parts.size() == 4 && parts[0].text == "pmessage" && parts[2].text.startsWith(channelHead))
        forward({parts[2].text.sliced(channelHead.size())});
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

void ChangeFeed::Private::forward(const QByteArrayList &keys)
{
    QList<LockKey> locks;
    for (const QByteArray &key : keys) {
        if (globMatchesAny(patterns, key))
            locks.append(LockKey(key));
    }
    if (!locks.isEmpty())
        emit q->heard(locks);
}

/// Messages and replies come in one order: what was to be told before the heartbeat was answered has been told.
void ChangeFeed::Private::beat()
{
    if (beatAsked || connection.state() != Connection::State::Ready)
        return;
    beatAsked = Clock::now();
    ask(connection, {"PING"}, [this](const Result<Reply> &reply) {
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
    if (losses.add(now)) {
        const Phrase rests(
            QT_TRANSLATE_NOOP("phrases", "it was closed %1 times within a minute, and rests for one"),
            FeedLosses::most);
        status.fallbackReason = Error(ErrorKind::NetworkFailed, rests);
        connection.close();
        restTimer.start(FeedLosses::within);
    }
    suffer(wasSilent ? FeedGap::HeartbeatTimeout : FeedGap::Lost);
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

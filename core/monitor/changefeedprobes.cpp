// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/changefeedprivate.h"
#include "core/monitor/notificationsetting.h"

#include <utility>

namespace lockscope {

namespace {

QList<QByteArrayView> broadcasts(const QList<QByteArrayView> &options, const QList<QByteArray> &prefixes)
{
    QList<QByteArrayView> command{"CLIENT", "TRACKING", "ON"};
    command << options << "BCAST";
    for (const QByteArray &prefix : prefixes)
        command << "PREFIX" << prefix;
    return command;
}

/// There is tracking, but not as it was asked for: some servers track in RESP3 only, or do not redirect.
bool mayTrackInResp3(const Error &refusal)
{
    const QByteArray said = refusal.detail.toLower();
    return refusal.kind == ErrorKind::ServerError && !said.contains("unknown command") &&
           !said.contains("unknown subcommand");
}

} // namespace

void ChangeFeed::Private::refused(const Error &why, const QByteArray &what, const CommandBatch &test)
{
    status.fallbackReason = why;
    status.refusedCommand = what;
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
    refused(why, "client|caching", {"CLIENT", "CACHING", "YES"});
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
        refused(id.error(), "client|id", {"CLIENT", "ID"});
    if (clientId.isEmpty())
        return askForNotifications();
    if (wanted.prefixes.isEmpty())
        return subscribeToInvalidations();
    ask(*connection, broadcasts({"REDIRECT", clientId}, wanted.prefixes), [this](const Result<Reply> &reply) {
        if (reply)
            return subscribeToInvalidations();
        refused(reply.error(), "client|tracking", {"CLIENT", "TRACKING", "OFF"});
        clientId.clear();
        if (!hasFailedInResp3 && mayTrackInResp3(reply.error()))
            return goOnIn(RespVersion::Resp3);
        askForNotifications();
    });
}

/// Messages come as pushes: neither redirection nor channel is needed. Not NOLOOP: this connection writes nothing.
void ChangeFeed::Private::askForResp3Tracking()
{
    ask(*connection, broadcasts({}, wanted.prefixes), [this](const Result<Reply> &tracking) {
        if (!tracking && tracking.error().kind == ErrorKind::OutcomeUnknown)
            return; // lost() follows
        if (!tracking) {
            hasFailedInResp3 = true;
            return goOnIn(RespVersion::Resp2);
        }
        // A subscriber that does not keep up is cut off. Without a subscription the server would let what it has to tell pile
        // up without limit. Where that is refused, it is heard all the same.
        ask(*connection, {"SUBSCRIBE", invalidations}, [this](const Result<Reply> &subscription) {
            if (!subscription && subscription.error().kind == ErrorKind::OutcomeUnknown)
                return;
            setTracked();
            if (wanted.rest.isEmpty())
                status.fallbackReason.reset(); // there is no better mode
            askForNotifications();
        });
    });
}

void ChangeFeed::Private::setTracked()
{
    isSubscribed = true;
    QList<QByteArray> told = patterns;
    told.removeIf([this](const QByteArray &pattern) { return wanted.rest.contains(pattern); });
    setRoutes(told, FeedMode::Tracking);
}

void ChangeFeed::Private::subscribeToInvalidations()
{
    ask(*connection, {"SUBSCRIBE", invalidations}, [this](const Result<Reply> &reply) {
        if (reply) {
            setTracked();
        } else {
            // Tracking without its channel would be work for the server that nobody hears of.
            refused(reply.error(), {}, {});
            clientId.clear();
            connection->send({"CLIENT", "TRACKING", "OFF"});
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
    whenDone(this, connection->send(batch),
             [this, asked, route, sentIn = attempt](const Result<std::vector<Reply>> &replies) {
                 if (sentIn != attempt || !replies)
                     return;
                 for (qsizetype i = 0; i < asked.size(); ++i) {
                     const Reply &reply = (*replies)[static_cast<size_t>(i)];
                     if (reply.isError())
                         refused(serverError(reply.text), {}, {});
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
                refused(reply.error(), "client|tracking", {"CLIENT", "TRACKING", "OFF"});
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
        connection->close(); // there is nothing to hear
    emit q->statusChanged();
    emit q->modesChosen();
    if (isSubscribed && hasSettled)
        beat(); // who comes back after a loss need not wait a second longer to be sure
}

} // namespace lockscope

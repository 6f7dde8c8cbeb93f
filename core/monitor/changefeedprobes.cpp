// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/changefeed.h"

#include "core/monitor/notificationsetting.h"

#include <algorithm>
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

/// True if tracking exists, but not as requested: some servers track only in RESP3, or do not redirect.
bool mayTrackInResp3(const Error &refusal)
{
    const QByteArray said = refusal.detail.toLower();
    return refusal.kind == ErrorKind::ServerError && !said.contains("unknown command") &&
           !said.contains("unknown subcommand");
}

} // namespace

void ChangeFeed::refused(const Error &why, const QByteArray &what, const CommandBatch &test)
{
    m_status.fallbackReason = why;
    m_status.refusedCommand = what;
    m_probe = test;
}

void ChangeFeed::retryForbidden(bool interrupts)
{
    if (!m_hasSettled || !m_status.fallbackReason || m_status.fallbackReason->kind != ErrorKind::NoPermission)
        return;
    if (interrupts || !m_isSubscribed) // nothing is heard that could be missed
        return reopen();
    if (m_probe.isEmpty())
        return;
    whenDone(this, m_reader.send(m_probe),
             [this, sentIn = m_attempt](const Result<std::vector<Reply>> &replies) {
                 const bool isPermitted =
                     replies && (!replies->front().isError() ||
                                 serverError(replies->front().text).kind != ErrorKind::NoPermission);
                 if (sentIn == m_attempt && isPermitted)
                     reopen();
             });
}

/// Without tracking the server does not remember reads: expected announcements would never come.
void ChangeFeed::takeAnnouncement(const Reply &reply)
{
    if (!reply.isError() || !m_hasSettled || !m_readerTracks)
        return;
    const Error why = serverError(reply.text);
    if (why.kind != ErrorKind::NoPermission)
        return;
    m_readerTracks = false;
    m_reader.send({"CLIENT", "TRACKING", "OFF"});
    setRoutes(m_wanted.rest, FeedMode::Polling);
    refused(why, "client|caching", {"CLIENT", "CACHING", "YES"});
    // Not amid the replies of a batch.
    QMetaObject::invokeMethod(
        this,
        [this, sentIn = m_attempt] {
            if (sentIn != m_attempt)
                return;
            emit statusChanged();
            emit modesChosen();
        },
        Qt::QueuedConnection);
}

void ChangeFeed::askForTracking(const Result<Reply> &id)
{
    m_clientId = id && id->isInteger() ? QByteArray::number(id->integer) : QByteArray();
    if (!id)
        refused(id.error(), "client|id", {"CLIENT", "ID"});
    if (m_clientId.isEmpty())
        return askForNotifications();
    if (m_wanted.prefixes.isEmpty())
        return subscribeToInvalidations();
    ask(*m_connection, broadcasts({"REDIRECT", m_clientId}, m_wanted.prefixes),
        [this](const Result<Reply> &reply) {
            if (reply)
                return subscribeToInvalidations();
            Error why = reply.error();
            if (m_tracksNoPrefixes) // rather than its advice to use RESP3
                why.note = Phrase(QT_TRANSLATE_NOOP("phrases", "it tracks no prefixes"));
            refused(why, "client|tracking", {"CLIENT", "TRACKING", "OFF"});
            m_clientId.clear();
            if (!m_hasFailedInResp3 && mayTrackInResp3(reply.error()))
                return goOnIn(RespVersion::Resp3);
            askForNotifications();
        });
}

/// Messages come as pushes, without redirection or channel. No NOLOOP: this connection writes nothing.
void ChangeFeed::askForResp3Tracking()
{
    ask(*m_connection, broadcasts({}, m_wanted.prefixes), [this](const Result<Reply> &tracking) {
        if (!tracking && tracking.error().kind == ErrorKind::OutcomeUnknown)
            return; // lost() follows
        if (!tracking) {
            m_hasFailedInResp3 = true;
            m_tracksNoPrefixes = tracking.error().kind == ErrorKind::ServerError;
            return goOnIn(RespVersion::Resp2);
        }
        // A subscriber that does not keep up is cut off. Without a subscription the server would let what it has to tell pile
        // up without limit. Where that is refused, it is heard all the same.
        ask(*m_connection, {"SUBSCRIBE", invalidations}, [this](const Result<Reply> &subscription) {
            if (!subscription && subscription.error().kind == ErrorKind::OutcomeUnknown)
                return;
            setTracked();
            if (m_wanted.rest.isEmpty())
                m_status.fallbackReason.reset(); // there is no better mode
            askForNotifications();
        });
    });
}

void ChangeFeed::setTracked()
{
    m_isSubscribed = true;
    QList<QByteArray> told = m_patterns;
    told.removeIf([this](const QByteArray &pattern) { return m_wanted.rest.contains(pattern); });
    setRoutes(told, FeedMode::Tracking);
}

void ChangeFeed::subscribeToInvalidations()
{
    ask(*m_connection, {"SUBSCRIBE", invalidations}, [this](const Result<Reply> &reply) {
        if (reply) {
            setTracked();
        } else {
            // Tracking without its channel would be work for the server that nobody hears of.
            refused(reply.error(), {}, {});
            m_clientId.clear();
            m_connection->send({"CLIENT", "TRACKING", "OFF"});
        }
        askForNotifications();
    });
}

/// For patterns without broadcasts. Sent on the reader, since a subscribed connection cannot. Server
/// settings, which include passwords, are requested for a named user only if nothing else helps.
void ChangeFeed::askForNotifications()
{
    if (m_status.worst() <= FeedMode::Tracking)
        return settle();
    if (!m_clientId.isEmpty() && m_reader.address().hasNamedUser())
        return askForKeyedTracking();
    ask(m_reader, notificationQuestion, [this](const Result<Reply> &reply) {
        const std::optional<bool> areOn = tellsEnough(reply);
        if (areOn.value_or(false))
            return subscribeToChannels(FeedMode::Notifications);
        if (!m_clientId.isEmpty())
            return askForKeyedTracking();
        if (!areOn) // they may be on all the same: what is heard is a hint, and nothing is promised
            return subscribeToChannels(FeedMode::Polling);
        settle();
    });
}

void ChangeFeed::subscribeToChannels(FeedMode route)
{
    CommandBatch batch;
    QList<QByteArray> asked;
    for (const FeedStatus::Route &part : std::as_const(m_status.routes)) {
        if (part.feed == FeedMode::Tracking)
            continue;
        asked << part.pattern;
        batch.add({"PSUBSCRIBE", m_channelHead + part.pattern});
    }
    whenDone(this, m_connection->send(batch),
             [this, asked, route, sentIn = m_attempt](const Result<std::vector<Reply>> &replies) {
                 if (sentIn != m_attempt || !replies)
                     return;
                 for (qsizetype i = 0; i < asked.size(); ++i) {
                     const Reply &reply = (*replies)[static_cast<size_t>(i)];
                     if (reply.isError())
                         refused(serverError(reply.text), {}, {});
                     else
                         m_isSubscribed = true, m_channels << asked[i], setRoutes({asked[i]}, route);
                 }
                 settle();
             });
}

void ChangeFeed::askForKeyedTracking()
{
    // Opt-in: what the broadcasts tell already must not fill the server's table of keys as well.
    ask(m_reader, {"CLIENT", "TRACKING", "ON", "REDIRECT", m_clientId, "OPTIN"},
        [this](const Result<Reply> &reply) {
            m_readerTracks = reply.has_value();
            if (reply)
                setRoutes(m_wanted.rest, FeedMode::KeyedTracking);
            else
                refused(reply.error(), "client|tracking", {"CLIENT", "TRACKING", "OFF"});
            if (reply || !m_reader.address().hasNamedUser())
                return settle();
            m_clientId.clear();
            askForNotifications();
        });
}

void ChangeFeed::settle()
{
    m_hasSettled = true;
    if (m_isSubscribed)
        m_beatTimer.start();
    else
        m_connection->close(); // there is nothing to hear
    emit statusChanged();
    emit modesChosen();
    if (m_isSubscribed && m_hasSettled)
        beat(); // who comes back after a loss need not wait a second longer to be sure
}

/// Two are heard for a moment: what both tell is read twice, and nothing is missed.
void ChangeFeed::prepareRelief()
{
    if (!m_hasSettled)
        return;
    dropRelief();
    m_relief = newConnection(m_spoken);
    connect(m_relief, &Connection::pushReceived, this, &ChangeFeed::takeMessage);
    connect(m_relief, &Connection::ready, this, [this] {
        ask(*m_relief, {"CLIENT", "ID"}, [this](const Result<Reply> &id) {
            if (m_clientId.isEmpty())
                subscribeRelief({});
            else if (id && id->isInteger())
                subscribeRelief(QByteArray::number(id->integer));
        });
    });
    m_relief->open();
}

/// Subscribes to what the connection in use hears. If anything is refused, that one stays until it is cut.
void ChangeFeed::subscribeRelief(const QByteArray &clientId)
{
    if (!m_relief || m_relief->state() != Connection::State::Ready)
        return;
    CommandBatch batch;
    if (!clientId.isEmpty() && !m_wanted.prefixes.isEmpty())
        batch.add(broadcasts({"REDIRECT", clientId}, m_wanted.prefixes));
    if (!clientId.isEmpty())
        batch.add({"SUBSCRIBE", invalidations});
    for (const QByteArray &pattern : std::as_const(m_channels))
        batch.add({"PSUBSCRIBE", m_channelHead + pattern});
    const auto relieve = [this, clientId] {
        // Whatever was told to the old one alone comes before this answer.
        ask(*m_connection, {"PING"}, [this, clientId](const Result<Reply> &answer) {
            if (!answer && answer.error().kind == ErrorKind::OutcomeUnknown)
                return; // lost() follows
            if (!m_relief || m_relief->state() != Connection::State::Ready)
                return; // it is prepared again
            m_relief->disconnect(this);
            std::swap(m_connection, m_relief);
            hear(m_connection);
            dropRelief();
            m_clientId = clientId;
            m_beatAsked.reset(); // its answer went with the old one
        });
    };
    whenDone(this, m_relief->send(batch),
             [this, clientId, relieve, sentIn = m_attempt](const Result<std::vector<Reply>> &replies) {
                 if (sentIn != m_attempt || !replies || std::ranges::any_of(*replies, &Reply::isError))
                     return;
                 if (!m_readerTracks)
                     return relieve();
                 ask(m_reader, {"CLIENT", "TRACKING", "ON", "REDIRECT", clientId, "OPTIN"},
                     [relieve](const Result<Reply> &reply) {
                         if (reply)
                             relieve();
                     });
             });
}

void ChangeFeed::dropRelief()
{
    if (!m_relief)
        return;
    m_relief->disconnect(this);
    m_relief->close();
    std::exchange(m_relief, nullptr)->deleteLater(); // not now: this may be its own signal
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/changefeed.h"

#include "core/base/enumnames.h"
#include "core/base/glob.h"
#include "core/monitor/notificationsetting.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto heartbeat = 1s;
constexpr auto patience = 3000ms; // for a reply, a heartbeat's too
/// Notifications that show how a key ended. All deletions are "del", even by an expiry in the past; "set" and
/// "overwritten" (Redis 8.2) may be renewals: the key is then read, as after any event.
constexpr std::array keyEnds{
    Named<EventKind>{EventKind::Released, "del"},
    Named<EventKind>{EventKind::Expired, "expired"},
    Named<EventKind>{EventKind::Evicted, "evicted"},
    Named<EventKind>{EventKind::Renamed, "rename_from"},
    Named<EventKind>{EventKind::Renamed, "move_from"},
    Named<EventKind>{EventKind::Overwritten, "rename_to"},
    Named<EventKind>{EventKind::Overwritten, "sortstore"},
    Named<EventKind>{EventKind::Overwritten, "copy_to"},
    Named<EventKind>{EventKind::Overwritten, "type_changed"},
};

} // namespace

ChangeFeed::ChangeFeed(Link &reader, QObject *parent)
    : QObject(parent),
      m_reader(reader),
      m_channelHead("__keyspace@" + QByteArray::number(reader.address().database) + "__:"),
      m_beatTimer(this),
      m_restTimer(this)
{
    m_restTimer.setSingleShot(true);
    m_beatTimer.setInterval(heartbeat);
    connect(&m_beatTimer, &QTimer::timeout, this, &ChangeFeed::beat);
    connect(&m_restTimer, &QTimer::timeout, this, &ChangeFeed::reopen);
    speak(m_spoken);
}

/// Pending replies must not reach destroyed members.
ChangeFeed::~ChangeFeed()
{
    ++m_attempt;
    dropRelief();
    m_connection->close();
}

Connection *ChangeFeed::newConnection(RespVersion version)
{
    return new Connection(m_reader.address(),
                          {.clientName = "lockscope:feed",
                           .commandDeadline = patience,
                           .readOnly = true,
                           .acceptsPush = true,
                           .speaksResp3 = version == RespVersion::Resp3},
                          this); // a child moves to another thread with us
}

void ChangeFeed::hear(Connection *connection)
{
    connect(connection, &Connection::ready, this, &ChangeFeed::begin);
    connect(connection, &Connection::pushReceived, this, &ChangeFeed::takeMessage);
    connect(connection, &Connection::connectionLost, this, &ChangeFeed::lost);
    connect(connection, &Connection::connectionRefused, this, &ChangeFeed::lost);
    connect(connection, &Connection::loginEnding, this, &ChangeFeed::prepareRelief);
}

/// Applies from the next open() on.
void ChangeFeed::speak(RespVersion version)
{
    if (m_connection && m_spoken == version)
        return;
    if (m_connection) {
        m_connection->disconnect(this);
        m_connection->close();
        m_connection->deleteLater(); // not now: this may be its own signal
    }
    m_spoken = version;
    m_connection = newConnection(version);
    hear(m_connection);
}

void ChangeFeed::goOnIn(RespVersion version)
{
    ++m_attempt;
    dropRelief();
    speak(version);
    m_connection->open();
}

/// A subscribed connection accepts no other commands: a restart needs a new one.
void ChangeFeed::reopen()
{
    ++m_attempt;
    dropRelief();
    m_hasSettled = false;
    m_beatTimer.stop();
    m_beatAsked.reset();
    m_restTimer.stop();
    setRoutes(m_patterns, FeedMode::Polling);
    m_connection->close();
    if (std::exchange(m_readerTracks, false))
        m_reader.send({"CLIENT", "TRACKING", "OFF"});
    m_hasFailedInResp3 = m_tracksNoPrefixes = false;
    speak(RespVersion::Resp2);
    m_connection->moveTo(m_reader.address());
    if (m_wantsToHear)
        m_connection->open();
}

void ChangeFeed::begin()
{
    ++m_attempt;
    m_isSubscribed = false;
    m_channels.clear();
    m_wanted = trackingPrefixes(m_patterns);
    if (m_spoken == RespVersion::Resp3)
        return askForResp3Tracking();
    m_status.fallbackReason.reset();
    ask(*m_connection, {"CLIENT", "ID"}, [this](const Result<Reply> &id) { askForTracking(id); });
}

void ChangeFeed::setRoutes(const QList<QByteArray> &of, FeedMode feed)
{
    for (FeedStatus::Route &route : m_status.routes) {
        if (of.contains(route.pattern))
            route.feed = feed;
    }
}

void ChangeFeed::takeMessage(const Reply &message)
{
    const std::vector<Reply> &parts = message.elements;
    if (parts.size() == 3 && parts[0].text == "message" && parts[1].text == invalidations)
        takeInvalidation(parts[2]);
    else if (message.isPush() && parts.size() == 2 && parts[0].text == "invalidate")
        parts[1].isArray() ? takeInvalidation(parts[1]) : suffer(FeedGap::Flushed);
    else if (parts.size() == 4 && parts[0].text == "pmessage" && parts[2].text.startsWith(m_channelHead))
        takeNotification(parts[2].text.sliced(m_channelHead.size()), parts[3].text);
}

void ChangeFeed::takeNotification(const QByteArray &key, const QByteArray &event)
{
    if (const auto how = valueIn(keyEnds, event); how && globMatchesAny(m_patterns, key))
        emit gone(LockKey(key), *how);
    forward({key});
}

void ChangeFeed::takeInvalidation(const Reply &keys)
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

void ChangeFeed::forward(const QByteArrayList &keys)
{
    QList<LockKey> locks;
    for (const QByteArray &key : keys) {
        if (globMatchesAny(m_patterns, key))
            locks.append(LockKey(key));
    }
    if (!locks.isEmpty())
        emit heard(locks);
}

void ChangeFeed::suffer(FeedGap what)
{
    m_status.incident = FeedStatus::Incident{what, Clock::now()};
    emit statusChanged();
    emit gapDetected();
}

void ChangeFeed::lost(const Error &why)
{
    ++m_attempt;
    dropRelief();
    m_beatTimer.stop();
    if (m_spoken == RespVersion::Resp3 && !m_hasSettled) { // it does not lead there: the other modes are left
        m_hasFailedInResp3 = true;
        return goOnIn(RespVersion::Resp2);
    }
    const TimePoint now = Clock::now();
    // A timer of seconds may fire a twentieth early.
    const bool wasSilent = m_beatAsked && now - *m_beatAsked >= patience * 9 / 10;
    m_beatAsked.reset();
    m_status.fallbackReason = why;
    setRoutes(m_patterns, FeedMode::Polling);
    if (!std::exchange(m_hasSettled, false)) {
        emit statusChanged();
        emit delayed();
        return;
    }
    m_hasFailedInResp3 = false; // a peer that ends each login is not asked for more of them
    if (m_losses.add(now)) {
        const Phrase rests(QT_TRANSLATE_NOOP("phrases", "closed %1 times within a minute; paused for one"),
                           FeedLosses::most);
        m_status.fallbackReason = Error(ErrorKind::NetworkFailed, rests);
        m_connection->close();
        m_restTimer.start(FeedLosses::within);
    } else if (m_spoken == RespVersion::Resp3) {
        goOnIn(RespVersion::Resp2);
    }
    suffer(wasSilent ? FeedGap::HeartbeatTimeout : FeedGap::Lost);
}

/// Messages and replies are in order: a heartbeat's reply confirms all earlier messages.
void ChangeFeed::beat()
{
    if (m_beatAsked || m_connection->state() != Connection::State::Ready)
        return;
    m_beatAsked = Clock::now();
    ask(*m_connection, {"PING"}, [this](const Result<Reply> &reply) {
        if (!reply && reply.error().kind == ErrorKind::OutcomeUnknown)
            return; // lost() follows
        const TimePoint asked = *std::exchange(m_beatAsked, std::nullopt);
        // A server that can't save refuses a PING too, and tells of changes as ever. Of one that loads or is busy nobody knows.
        if (reply || reply.error().kind == ErrorKind::PersistenceFailed)
            emit confirmed(asked);
    });
    checkKeyedTracking();
    checkNotifications();
}

/// The server does not report a lost redirection.
void ChangeFeed::checkKeyedTracking()
{
    if (!m_status.uses(FeedMode::KeyedTracking))
        return;
    ask(m_reader, {"CLIENT", "TRACKINGINFO"}, [this](const Result<Reply> &reply) {
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

/// Notifications may be switched off without a message, which looks like a quiet server.
void ChangeFeed::checkNotifications()
{
    if (!m_status.uses(FeedMode::Notifications))
        return;
    ask(m_reader, notificationQuestion, [this](const Result<Reply> &reply) {
        if (!m_status.uses(FeedMode::Notifications) ||
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
        if (!m_clientId.isEmpty())
            return reopen();
        for (FeedStatus::Route &route : m_status.routes)
            route.feed = route.feed == FeedMode::Notifications ? FeedMode::Polling : route.feed;
        emit statusChanged();
        emit modesChosen();
    });
}

void ChangeFeed::listen(const QList<QByteArray> &patterns)
{
    m_wantsToHear = true;
    m_patterns = patterns;
    m_status.routes.clear();
    for (const QByteArray &pattern : patterns)
        m_status.routes.append({pattern, FeedMode::Polling});
    reopen();
}

void ChangeFeed::stop()
{
    m_wantsToHear = false;
    reopen();
}

} // namespace lockscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"
#include "core/model/lockevent.h"
#include "core/monitor/feedlosses.h"
#include "core/monitor/trackingprefixes.h"
#include "core/redis/connection.h"
#include "core/redis/whendone.h"
#include "core/watch/feedstatus.h"

#include <QTimer>

#include <optional>

namespace lockscope {

/// Hears from the server which keys change, by a connection of its own, in the best way that the server offers for
/// each pattern (FeedMode). Probes instead of assuming: a way counts when the server has accepted all of its commands.
/// Changes no setting of the server. Lives on the reader's thread. Each connection begins with the best mode, in RESP2. Where the
/// server tracks in RESP3 only, it is followed by another that speaks RESP3; if that leads to nothing, by one in RESP2 for the
/// modes that are left.
class ChangeFeed : public QObject
{
    Q_OBJECT

public:
    /// `reader` is where the keys are read: keyed tracking tells of what was read there. It has to be ready when
    /// listen() is called, and to outlive the feed.
    explicit ChangeFeed(Link &reader, QObject *parent = nullptr);
    ~ChangeFeed() override;

    /// Finds out how the changes under these patterns can be heard, and listens. Also to begin anew.
    void listen(const QList<QByteArray> &patterns);
    void stop();
    /// Tries again what was refused for lack of permission. Unless `interrupts`, what is heard goes on to be heard: then only
    /// where a command that can be sent elsewhere says that it is permitted now.
    void retryForbidden(bool interrupts);

    /// What the server said to CLIENT CACHING, which goes before the reading of a key that is to be announced.
    void takeAnnouncement(const Reply &reply);

    /// It is known how changes are heard, be it by polling alone.
    bool isSettled() const { return m_hasSettled; }
    const FeedStatus &status() const { return m_status; }
    /// The best way by which changes of this key are heard.
    FeedMode routeOf(QByteArrayView key) const { return m_status.routeOf(key); }

signals:
    /// From now on changes are heard as status() says: whatever changed before has to be read.
    void modesChosen();
    /// It can't be told yet how changes can be heard; it is tried on.
    void delayed();
    void statusChanged();
    /// These have changed, or are said to have.
    void heard(const QList<lockscope::LockKey> &keys);
    /// In this way a key has gone, whatever stood in it: before it is heard.
    void gone(const lockscope::LockKey &key, lockscope::EventKind how);
    /// Changes may not have been told: everything has to be read again.
    void gapDetected();
    /// What had changed by then has been told.
    void confirmed(lockscope::TimePoint at);

private:
    // changefeed.cpp: the connection, and what comes by it.
    void speak(RespVersion version);
    void reopen();
    void goOnIn(RespVersion version);
    void begin();
    void lost(const Error &why);
    void suffer(FeedGap what);
    void takeMessage(const Reply &message);
    void takeInvalidation(const Reply &keys);
    void takeNotification(const QByteArray &key, const QByteArray &event);
    void forward(const QByteArrayList &keys);
    void setRoutes(const QList<QByteArray> &of, FeedMode feed);
    bool isHeard(FeedMode feed) const;

    // changefeedprobes.cpp: which mode is open for each pattern.
    void askForTracking(const Result<Reply> &id);
    void askForResp3Tracking();
    void subscribeToInvalidations();
    void setTracked();
    void askForNotifications();
    void askForKeyedTracking();
    void subscribeToChannels(FeedMode route);
    void settle();
    void refused(const Error &why, const QByteArray &what, const CommandBatch &test);

    // changefeed.cpp: whether it still is.
    void beat();
    void checkKeyedTracking();
    void checkNotifications();

    /// Sends, and goes on with the reply unless everything has begun anew since.
    template <typename Then>
    void ask(Link &to, std::span<const QByteArrayView> command, Then then)
    {
        whenDone(this, to.send(command), [this, then, sentIn = m_attempt](const Result<Reply> &reply) {
            if (sentIn == m_attempt)
                then(reply);
        });
    }
    template <typename Then>
    void ask(Link &to, std::initializer_list<QByteArrayView> command, Then then)
    {
        ask(to, std::span(command.begin(), command.size()), then);
    }

    /// The channel of the server's own messages in RESP2.
    static constexpr QByteArrayView invalidations = "__redis__:invalidate";

    Link &m_reader;
    Connection *m_connection = nullptr;        ///< a child
    RespVersion m_spoken = RespVersion::Resp2; ///< on it
    const QByteArray m_channelHead;            ///< of a notification: what follows is the key
    QList<QByteArray> m_patterns;
    TrackingPrefixes m_wanted;
    QByteArray m_clientId; ///< of the feed's connection
    FeedStatus m_status;
    CommandBatch m_probe; ///< tells on the reader whether the obstacle is gone; empty: nothing does
    bool m_wantsToHear = false;
    bool m_hasSettled = false;
    bool m_isSubscribed = false;
    bool m_hasFailedInResp3 = false; ///< since the connection was last made anew
    bool m_readerTracks = false;     ///< the server remembers what the reader reads
    int m_attempt = 0;               ///< replies to an older one are dropped
    FeedLosses m_losses;
    std::optional<TimePoint> m_beatAsked;
    QTimer m_beatTimer;
    QTimer m_restTimer;
};

} // namespace lockscope

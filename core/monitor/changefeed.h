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

/// Receives from the server which keys change, on its own connection, by the best mode available for each
/// pattern (FeedMode). Probes instead of assuming: a mode counts once the server has accepted all of its
/// commands. Changes no server setting. Lives on the reader's thread. Each connection starts in RESP2; if the
/// server tracks in RESP3 only, a RESP3 connection follows; if that fails, a RESP2 connection uses the
/// remaining modes.
class ChangeFeed : public QObject
{
    Q_OBJECT

public:
    /// `reader` is the connection that reads keys, for keyed tracking. It must be ready when listen() is
    /// called, and outlive the feed.
    explicit ChangeFeed(Link &reader, QObject *parent = nullptr);
    ~ChangeFeed() override;

    /// Chooses a mode for each of these patterns and subscribes. Also to start again.
    void listen(const QList<QByteArray> &patterns);
    void stop();
    /// Retries what permissions refused. Unless `interrupts`, the current modes stay, and it retries only if
    /// a command on the reader shows that the permission is given now.
    void retryForbidden(bool interrupts);

    /// Takes the reply to CLIENT CACHING, which precedes the read of a key to be tracked.
    void takeAnnouncement(const Reply &reply);

    /// True once the modes are chosen, even if polling is the only one.
    bool isSettled() const { return m_hasSettled; }
    const FeedStatus &status() const { return m_status; }
    FeedMode routeOf(QByteArrayView key) const { return m_status.routeOf(key); }

signals:
    /// The modes are chosen: earlier changes must be read.
    void modesChosen();
    /// The modes cannot be chosen yet; the feed retries.
    void delayed();
    void statusChanged();
    /// These keys have changed, or may have.
    void heard(const QList<lockscope::LockKey> &keys);
    /// A key was removed in this way, whatever its type; emitted before heard().
    void gone(const lockscope::LockKey &key, lockscope::EventKind how);
    /// Changes may have been missed: everything must be read again.
    void gapDetected();
    /// All changes until `at` have been reported.
    void confirmed(lockscope::TimePoint at);

private:
    // changefeed.cpp: the connection, and what comes by it.
    Connection *newConnection(RespVersion version);
    void hear(Connection *connection);
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

    // Another connection for one whose password ends.
    void prepareRelief();
    void subscribeRelief(const QByteArray &clientId);
    void dropRelief();

    // changefeed.cpp: whether it still is.
    void beat();
    void checkKeyedTracking();
    void checkNotifications();

    /// Sends a command, and calls `then` with the reply unless the feed was restarted since.
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
    Connection *m_relief = nullptr;            ///< a child that is to replace it
    RespVersion m_spoken = RespVersion::Resp2; ///< protocol of the connection
    const QByteArray m_channelHead;            ///< prefix of a notification's channel, followed by the key
    QList<QByteArray> m_patterns;
    TrackingPrefixes m_wanted;
    QList<QByteArray> m_channels; ///< the patterns whose notifications it is subscribed to
    QByteArray m_clientId;
    FeedStatus m_status;
    CommandBatch m_probe; ///< sent on the reader to find out whether the obstacle is gone; empty: none
    bool m_wantsToHear = false;
    bool m_hasSettled = false;
    bool m_isSubscribed = false;
    bool m_hasFailedInResp3 = false; ///< since the connection was last replaced
    bool m_tracksNoPrefixes = false; ///< likewise: it tracks in RESP3, but not by prefixes
    bool m_readerTracks = false;
    int m_attempt = 0; ///< replies to older ones are dropped
    FeedLosses m_losses;
    std::optional<TimePoint> m_beatAsked;
    QTimer m_beatTimer;
    QTimer m_restTimer;
};

} // namespace lockscope

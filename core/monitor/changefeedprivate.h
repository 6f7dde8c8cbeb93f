// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/changefeed.h"
#include "core/monitor/feedlosses.h"
#include "core/monitor/trackingprefixes.h"
#include "core/redis/whendone.h"

#include <QTimer>

#include <optional>

namespace lockscope {

/// The channel of the server's own messages in RESP2.
inline constexpr QByteArrayView invalidations = "__redis__:invalidate";

/// The state behind a ChangeFeed. Each connection begins with the best mode, in RESP2. Where the server tracks in RESP3 only, it
/// is followed by another that speaks RESP3; if that leads to nothing, by one in RESP2 for the modes that are left.
class ChangeFeed::Private : public QObject
{
public:
    Private(ChangeFeed *feed, Link &readingConnection);
    ~Private() override;

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
    void forward(const QByteArrayList &keys) const;
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
    void retryForbidden(bool interrupts);
    void takeAnnouncement(const Reply &reply);

    // changefeed.cpp: whether it still is.
    void beat();
    void checkKeyedTracking();
    void checkNotifications();

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
    Connection *connection = nullptr;        // a child
    RespVersion spoken = RespVersion::Resp2; // on it
    const QByteArray channelHead;            // of a notification: what follows is the key
    QList<QByteArray> patterns;
    TrackingPrefixes wanted;
    QByteArray clientId; // of the feed's connection
    FeedStatus status;
    CommandBatch probe; // tells on the reader whether the obstacle is gone; empty: nothing does
    bool wantsToHear = false;
    bool hasSettled = false;
    bool isSubscribed = false;
    bool hasFailedInResp3 = false; // since the connection was last made anew
    bool readerTracks = false;     // the server remembers what the reader reads
    int attempt = 0;               // replies to an older one are dropped
    FeedLosses losses;
    std::optional<TimePoint> beatAsked;
    QTimer beatTimer;
    QTimer restTimer;
};

} // namespace lockscope

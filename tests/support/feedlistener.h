// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/changefeed.h"
#include "core/read/inspector.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

#include <algorithm>

namespace lockscope {

/// A change feed with a reading connection; records what the feed reports.
class FeedListener : public QObject
{
public:
    static inline const QList<QByteArray> defaults{"lock:*", "lock_*", "*:lock"};

    explicit FeedListener(const ServerAddress &address, const QList<QByteArray> &patterns = defaults)
        : reader(address, {.readOnly = true})
    {
        QObject::connect(&feed, &ChangeFeed::heard, this, [this](const QList<LockKey> &keys) {
            largest = std::max(largest, keys.size());
            for (const LockKey &key : keys)
                ++told[key.bytes];
        });
        QObject::connect(&feed, &ChangeFeed::confirmed, this, [this](TimePoint at) { confirmedAt = at; });
        QSignalSpy ready(&reader, &Connection::ready);
        reader.open();
        if (!ready.wait(10'000))
            qFatal("no connection");
        feed.listen(patterns);
    }

    bool hasSettled()
    {
        return QTest::qWaitFor([this] { return feed.isSettled(); }, 15'000);
    }
    bool isPushed(const QByteArray &key, int times = 1) const
    {
        return QTest::qWaitFor([&] { return told.value(key) >= times; }, 5000);
    }
    /// Waits until all changes up to now are reported.
    bool catchUp() const
    {
        const TimePoint now = Clock::now();
        return QTest::qWaitFor([&] { return confirmedAt >= now; }, 15'000);
    }
    QList<FeedMode> routes() const
    {
        QList<FeedMode> feeds;
        for (const FeedStatus::Route &route : feed.status().routes)
            feeds << route.feed;
        return feeds;
    }
    std::optional<FeedGap> incident() const
    {
        const auto &last = feed.status().incident;
        return last ? std::optional(last->what) : std::nullopt;
    }
    /// Reads a key as the monitor does for tracking by key.
    bool read(const QByteArray &key)
    {
        CommandBatch batch;
        inspector::appendRead(batch, {LockKey(key), KeyType::Unknown, true});
        return waitFor(reader.send(batch)).has_value();
    }

    Connection reader;
    ChangeFeed feed{reader};
    QHash<QByteArray, int> told;
    qsizetype largest = 0;
    TimePoint confirmedAt;
    QSignalSpy modesChosen{&feed, &ChangeFeed::modesChosen};
    QSignalSpy gapDetected{&feed, &ChangeFeed::gapDetected};
};

/// Splits server arguments as on a command line.
inline QStringList words(const char *text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '));
}

/// Returns the line of CLIENT LIST for a client name; may be empty.
inline QByteArray clientLine(const RedisServer &server, const QByteArray &name)
{
    for (const QByteArray &line : server.cli({"CLIENT", "LIST"}).split('\n')) {
        if (line.contains(" name=" + name + ' '))
            return line;
    }
    return {};
}

inline QByteArray flagsOf(const QByteArray &clientLine)
{
    const qsizetype at = clientLine.indexOf(" flags=") + 7;
    return clientLine.sliced(at, clientLine.indexOf(' ', at) - at);
}

/// Closes the connection of the change feed.
inline void cutFeed(const RedisServer &server)
{
    const QByteArray line = clientLine(server, "lockscope:feed");
    server.cli({"CLIENT", "KILL", "ID", line.sliced(3, line.indexOf(' ') - 3)});
}

/// Makes the server close the feed's connection by an output buffer overflow.
inline void overflowFeed(const RedisServer &server)
{
    server.cli({"CONFIG", "SET", "client-output-buffer-limit", "pubsub 1024 0 0"});
    // Nobody reads here meanwhile.
    server.cli(
        {"EVAL", "for i = 1, 20000 do redis.call('set', 'lock:' .. string.rep('x', 200) .. i, 1) end", "0"});
    server.cli({"CONFIG", "SET", "client-output-buffer-limit", "pubsub 32mb 8mb 60"});
}

/// Cuts the feed three times: then it rests and reports that.
inline void cutFeedUntilItRests(const RedisServer &server, const FeedListener &listener)
{
    for (int i = 1; i <= 3; ++i) {
        QTRY_VERIFY(listener.feed.isSettled());
        cutFeed(server);
        QTRY_COMPARE(listener.gapDetected.size(), i);
    }
    QVERIFY(listener.feed.status().fallbackReason);
    QVERIFY2(listener.feed.status().fallbackReason->text().contains("paused for one"),
             listener.feed.status().fallbackReason->text().constData());
}

} // namespace lockscope

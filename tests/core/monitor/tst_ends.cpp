// SPDX-License-Identifier: GPL-3.0-or-later
// How locks end on a real server, and what is told of it, however their changes are heard.
#include "core/monitor/lockmonitor.h"

#include "core/model/names.h"

#include "tests/support/redisserver.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr int locks = 4;

QByteArray keyOf(int number)
{
    return "lock:" + QByteArray::number(number);
}

void each(const RedisServer &server, const QByteArrayList &command, const QByteArrayList &rest = {})
{
    for (int i = 0; i < locks; ++i)
        server.cli(command + QByteArrayList{keyOf(i)} + rest);
}

/// Until the server has taken all of them.
void evict(const RedisServer &server, const QByteArray &policy)
{
    server.cli({"CONFIG", "SET", "maxmemory-policy", policy});
    for (int step = 0; step < 100 && server.cli({"EXISTS", keyOf(0), keyOf(1), keyOf(2), keyOf(3)}) != "0";
         ++step) {
        server.cli({"CONFIG", "SET", "maxmemory", "1"});
        server.cli({"SET", "other", "x"});
    }
    server.cli({"CONFIG", "SET", "maxmemory", "0"});
}

using Deed = void (*)(const RedisServer &server);

struct Cause
{
    const char *name;
    Deed deed;
    EventKind told;
};

const QList<Cause> causes{
    {"deleted by a script",
     [](const RedisServer &server) {
         for (int i = 0; i < locks; ++i)
             server.cli({"EVAL", "return redis.call('del', KEYS[1])", "1", keyOf(i)});
     },
     EventKind::Released},
    {"unlinked", [](const RedisServer &server) { each(server, {"UNLINK"}); }, EventKind::Released},
    {"an end in the past", [](const RedisServer &server) { each(server, {"PEXPIRE"}, {"0"}); },
     EventKind::Released},
    {"evicted, volatile-lru", [](const RedisServer &server) { evict(server, "volatile-lru"); },
     EventKind::Evicted},
    {"evicted, allkeys-random", [](const RedisServer &server) { evict(server, "allkeys-random"); },
     EventKind::Evicted},
    {"FLUSHALL", [](const RedisServer &server) { server.cli({"FLUSHALL"}); }, EventKind::Flushed},
    {"FLUSHDB", [](const RedisServer &server) { server.cli({"FLUSHDB"}); }, EventKind::Flushed},
    {"SWAPDB",
     [](const RedisServer &server) {
         server.cli({"SWAPDB", "0", "1"});
     },
     EventKind::Renamed},
    {"renamed",
     [](const RedisServer &server) {
         for (int i = 0; i < locks; ++i)
             server.cli({"RENAME", keyOf(i), "gone" + QByteArray::number(i)});
     },
     EventKind::Renamed},
    {"moved", [](const RedisServer &server) { each(server, {"MOVE"}, {"3"}); }, EventKind::Renamed},
    {"another value",
     [](const RedisServer &server) {
         each(server, {"SET"}, {"{\"some\": \"document\", \"of\": [1, 2, 3]}"});
     },
     EventKind::Overwritten},
};

} // namespace

class TestEnds : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void isToldAsItWas_data()
    {
        QTest::addColumn<FeedMode>("feed");
        QTest::addColumn<int>("cause");
        for (const auto &[feed, name] :
             {std::pair{FeedMode::Tracking, "tracking"}, std::pair{FeedMode::Notifications, "notifications"},
              std::pair{FeedMode::Polling, "polling"}}) {
            for (int i = 0; i < causes.size(); ++i)
                QTest::addRow("%s, %s", causes[i].name, name) << feed << i;
        }
    }
    void isToldAsItWas()
    {
        QFETCH(FeedMode, feed);
        QFETCH(int, cause);
        const RedisServer server;
        server.cli(
            {"ACL", "SETUSER", "polls", "on", "nopass", "~*", "&*", "+@all", "-subscribe", "-psubscribe"});
        ServerAddress address = server.socketAddress();
        MonitorOptions options{.patterns = {"lock:*"}, .rereadInterval = 50ms};
        if (feed == FeedMode::Notifications) {
            server.cli({"CONFIG", "SET", "notify-keyspace-events", "KA"});
            options.patterns = {"*lock:*"};
        } else if (feed == FeedMode::Polling) {
            address.user = "polls";
        }
        for (int i = 0; i < locks; ++i)
            server.cli({"SET", keyOf(i), QByteArray::number(i).repeated(32), "PX", "600000"});
        Watcher watcher(address, options);
        QTRY_COMPARE(watcher.locks.size(), locks);
        QTRY_VERIFY(!watcher.feeds.isEmpty() && watcher.feeds.last().worst() == feed);
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        const qsizetype before = watcher.events.size();
        causes[cause].deed(server);
        QTRY_COMPARE(watcher.events.size(), before + locks);
        for (const QByteArray &event : watcher.events.sliced(before))
            QVERIFY2(event.startsWith(eventName(causes[cause].told) + ' '), event);
    }

    /// Whether its holder had kept it alive until then is told with it.
    void anExpiryAfterRenewals()
    {
        const RedisServer server;
        for (int i = 0; i < 2; ++i)
            server.cli({"SET", keyOf(i), QByteArray::number(i).repeated(32), "PX", "2000"});
        server.cli({"SET", keyOf(2), "1", "PX", "2000"}); // another may have acquired it instead
        Watcher watcher(server.socketAddress(), {.patterns = {"lock:*"}});
        QHash<LockKey, LockEvent> ends;
        bool wasRenewed = false;
        onTold<LockDiff>(watcher.monitor, &watcher, [&](const LockDiff &diff) {
            for (const LockEvent &event : diff.events) {
                wasRenewed = wasRenewed || event.kind == EventKind::Renewed;
                if (isEnd(event.kind))
                    ends.insert(event.address.key, event);
            }
        });
        QTRY_COMPARE(watcher.locks.size(), 3);
        QTRY_VERIFY(!watcher.feeds.isEmpty() && watcher.feeds.last().worst() == FeedMode::Tracking);
        server.cli({"PEXPIRE", keyOf(2), "4000"});
        server.cli({"PEXPIRE", keyOf(0), "4000"});
        QTRY_VERIFY(wasRenewed);
        QTRY_COMPARE_WITH_TIMEOUT(ends.size(), 3, 20'000);
        for (const LockEvent &end : std::as_const(ends)) {
            QCOMPARE(end.kind, EventKind::Expired);
            QCOMPARE(end.wasRenewed, end.address.key == LockKey(keyOf(0)));
        }
    }

    void aNotificationTellsWhatNoCounterDoes()
    {
        const RedisServer server({QStringLiteral("--notify-keyspace-events"), QStringLiteral("KA")});
        for (int i = 0; i < locks; ++i)
            server.cli({"SET", keyOf(i), QByteArray::number(i).repeated(32), "PX", "600000"});
        Watcher watcher(server.socketAddress(), {.patterns = {"*lock:*"}});
        QTRY_VERIFY(!watcher.feeds.isEmpty() && watcher.feeds.last().worst() == FeedMode::Notifications);
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        const qsizetype before = watcher.events.size();
        server.cli({"RPUSH", "numbers", "2", "1"});
        server.cli({"SORT", "numbers", "STORE", keyOf(0)});
        server.cli({"RENAME", "numbers", keyOf(1)});
        QTRY_COMPARE(watcher.events.size(), before + 2);
        for (const QByteArray &event : watcher.events.sliced(before))
            QVERIFY2(event.startsWith("overwritten "), event);
    }

    /// No notification tells of a flush, and where as many keys are there again at once, no count of keys does.
    void aFlushIsNotTakenForSomethingThatIsTold()
    {
        const RedisServer server({QStringLiteral("--notify-keyspace-events"), QStringLiteral("KA")});
        for (int i = 0; i < locks; ++i)
            server.cli({"SET", keyOf(i), QByteArray::number(i).repeated(32), "PX", "600000"});
        Watcher watcher(server.socketAddress(), {.patterns = {"*lock:*"}});
        QTRY_COMPARE(watcher.locks.size(), locks);
        QTRY_VERIFY(!watcher.feeds.isEmpty() && watcher.feeds.last().worst() == FeedMode::Notifications);
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        QList<LockEvent> ends;
        onTold<LockDiff>(watcher.monitor, &watcher, [&ends](const LockDiff &diff) { ends += diff.events; });
        server.cli({"EVAL",
                    "redis.call('flushdb') for i = 1, 200 do redis.call('set', 'other:' .. i, 'x') end",
                    "0"});
        const auto areTold = [&] {
            server.cli({"DEL", "other:1"}); // so that something else is possible all the time
            return ends.size() >= locks;
        };
        QVERIFY(QTest::qWaitFor(areTold, 20'000));
        for (const LockEvent &end : std::as_const(ends))
            QVERIFY(end.kind == EventKind::Flushed || end.possible.has(EventKind::Flushed));
    }

    /// Two causes between two readings, and nothing that tells them apart.
    void whatIsNotKnownIsNotClaimed()
    {
        const RedisServer server;
        for (int i = 0; i < locks; ++i)
            server.cli({"SET", keyOf(i), QByteArray::number(i).repeated(32), "PX", "600000"});
        Watcher watcher(server.socketAddress(), {.patterns = {"lock:*"}});
        QList<LockEvent> ends;
        onTold<LockDiff>(watcher.monitor, &watcher, [&ends](const LockDiff &diff) {
            for (const LockEvent &event : diff.events) {
                if (isEnd(event.kind))
                    ends << event;
            }
        });
        QTRY_COMPARE(watcher.locks.size(), locks);
        QTRY_VERIFY(!watcher.scanFinished.isEmpty());
        server.cli(
            {"EVAL",
             "redis.call('del', KEYS[1]) redis.call('rename', KEYS[2], 'x') redis.call('del', 'x') return 1",
             "2", keyOf(0), keyOf(1)});
        QTRY_COMPARE(ends.size(), 2);
        for (const LockEvent &end : ends) {
            QCOMPARE(end.kind, EventKind::Vanished);
            QCOMPARE(end.possible, (EndKinds{EventKind::Released, EventKind::Renamed}));
        }
    }
};

QTEST_GUILESS_MAIN(TestEnds)
#include "tst_ends.moc"

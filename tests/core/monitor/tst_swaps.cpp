// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redisserver.h"
#include "tests/support/told.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

int infoCalls(const RedisServer &server)
{
    const QByteArray stats = server.cli({"INFO", "commandstats"});
    const QByteArray head = "cmdstat_info:calls=";
    const qsizetype at = stats.indexOf(head);
    return at < 0 ? 0 : stats.mid(at + head.size(), 20).split(',').first().toInt();
}

} // namespace

class TestSwaps : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// No message comes, and the next scan is far away: the picture is right all the same.
    void theOtherDatabaseIsSeen()
    {
        const RedisServer server;
        server.cli({"SET", "lock:a", "x"});
        server.cli({"-n", "1", "SET", "lock:b", "x"});
        Watcher watcher(server.socketAddress(), {.scanInterval = 1h});
        QTRY_COMPARE(watcher.locks.keys(), QByteArrayList{"lock:a"});
        QTRY_VERIFY(server.cli({"INFO", "commandstats"}).contains("cmdstat_info"));
        server.cli({"SWAPDB", "0", "1"});
        QTRY_COMPARE(watcher.locks.keys(), QByteArrayList{"lock:b"});
    }

    /// Nobody has released or acquired anything. However soon a scan comes, it is known by then.
    void tellsOfNoRelease_data()
    {
        QTest::addColumn<bool>("isFull");
        QTest::newRow("with an empty one") << false;
        QTest::newRow("with a full one") << true;
    }
    void tellsOfNoRelease()
    {
        QFETCH(bool, isFull);
        const RedisServer server;
        server.cli({"MSET", "lock:1", "x", "lock:2", "x", "lock:3", "x", "lock:4", "x"});
        if (isFull)
            server.cli({"-n", "1", "MSET", "lock:b", "x", "lock:c", "x"});
        Watcher watcher(server.socketAddress(), {.rereadInterval = 10ms, .scanInterval = 10ms});
        ToldSpy<ServerReset> resets(watcher.monitor);
        QTRY_COMPARE(watcher.locks.size(), 4);
        QTRY_VERIFY(watcher.scanFinished.size() > 2);
        QTRY_VERIFY(server.cli({"INFO", "commandstats"}).contains("cmdstat_info"));
        watcher.events.clear();
        server.cli({"SWAPDB", "0", "1"});
        QTRY_COMPARE(resets.size(), 1);
        QTRY_COMPARE(watcher.locks.size(), isFull ? 2 : 0);
        QByteArrayList expected{"renamed lock:1", "renamed lock:2", "renamed lock:3", "renamed lock:4"};
        if (isFull)
            expected = QByteArrayList{"found lock:b", "found lock:c"} + expected;
        QTRY_COMPARE(watcher.events.size(), expected.size());
        std::ranges::sort(watcher.events);
        QCOMPARE(watcher.events, expected);
        const auto reset = resets.first();
        QCOMPARE(reset.locks, 4);
        QCOMPARE(reset.cause, ServerReset::Cause::Swap);
        server.cli({"SET", "lock:new", "x"});
        QTRY_VERIFY(watcher.events.contains("acquired lock:new"));
    }

    /// What the counters say of a flush that was told before does not explain the swap after it.
    void afterAFlush()
    {
        const RedisServer server;
        Watcher watcher(server.socketAddress());
        ToldSpy<ServerReset> resets(watcher.monitor);
        QTRY_VERIFY(watcher.scanFinished.size() > 0);
        QTRY_VERIFY(server.cli({"INFO", "commandstats"}).contains("cmdstat_info"));
        for (int round = 1; round <= 3; ++round) {
            server.cli({"MSET", "lock:1", "x", "lock:2", "x"});
            QTRY_COMPARE(watcher.locks.size(), 2);
            server.cli({"FLUSHALL"});
            QTRY_COMPARE(resets.size(), 2 * round - 1);
            QCOMPARE(resets.last().cause, ServerReset::Cause::Flush);
            QTRY_COMPARE(watcher.locks.size(), 0);
            server.cli({"MSET", "lock:3", "x", "lock:4", "x"});
            QTRY_COMPARE(watcher.locks.size(), 2);
            const int calls = infoCalls(server);
            int asked = 0;                                         // by ourselves
            QTRY_VERIFY(infoCalls(server) - ++asked >= calls + 2); // the counters of the flush are read
            server.cli({"SWAPDB", "0", "1"});
            QTRY_COMPARE(resets.size(), 2 * round);
            QCOMPARE(resets.last().cause, ServerReset::Cause::Swap);
            QTRY_COMPARE(watcher.locks.size(), 0);
        }
    }

    /// The server does not tell which databases they were.
    void othersAreSwapped()
    {
        const RedisServer server;
        server.cli({"MSET", "lock:1", "x", "lock:2", "x"});
        Watcher watcher(server.socketAddress());
        ToldSpy<ServerReset> resets(watcher.monitor);
        QTRY_VERIFY(watcher.scanFinished.size() > 0);
        QTRY_VERIFY(server.cli({"INFO", "commandstats"}).contains("cmdstat_info"));
        watcher.events.clear();
        server.cli({"SWAPDB", "5", "6"});
        const TimePoint swapped = Clock::now();
        QTRY_VERIFY_WITH_TIMEOUT(watcher.sweptSince > swapped + 2s, 20'000);
        QCOMPARE(resets.size(), 0);
        QCOMPARE(watcher.events, QByteArrayList());
    }
};

QTEST_GUILESS_MAIN(TestSwaps)
#include "tst_swaps.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/swaps.h"

#include "tests/support/redisserver.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

class TestSwaps : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void comparesWithTheOneBefore()
    {
        Swaps swaps;
        QVERIFY(!swaps.happened("cmdstat_swapdb:calls=5,usec=7\r\n")); // before we came
        QVERIFY(!swaps.happened("cmdstat_swapdb:calls=5,usec=7\r\n"));
        QVERIFY(swaps.happened("cmdstat_get:calls=9,usec=1\r\ncmdstat_swapdb:calls=6,usec=7\r\n"));
        QVERIFY(!swaps.happened("cmdstat_get:calls=9,usec=1\r\n")); // its statistics were reset
        QVERIFY(swaps.happened("cmdstat_swapdb:calls=1"));
        swaps.reset();
        QVERIFY(!swaps.happened("cmdstat_swapdb:calls=2"));
        QVERIFY(!swaps.happened("cmdstat_swapdb:calls="));
    }

    /// No message comes, and the next sweep is far away: the picture is right all the same.
    void theOtherDatabaseIsSeen()
    {
        const RedisServer server;
        server.cli({"SET", "lock:a", "x"});
        server.cli({"-n", "1", "SET", "lock:b", "x"});
        Watcher watcher(server.socketAddress(), {.sweepInterval = 1h});
        QTRY_COMPARE(watcher.locks.keys(), QByteArrayList{"lock:a"});
        QTRY_VERIFY(server.cli({"INFO", "commandstats"}).contains("cmdstat_info"));
        server.cli({"SWAPDB", "0", "1"});
        QTRY_COMPARE(watcher.locks.keys(), QByteArrayList{"lock:b"});
    }
};

QTEST_GUILESS_MAIN(TestSwaps)
#include "tst_swaps.moc"

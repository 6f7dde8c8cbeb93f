// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/servercounters.h"

#include "tests/support/redisserver.h"

#include <QtTest>

using namespace lockscope;

using Evicts = ServerCounters::Evicts;

class TestServerCounters : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatWasCounted()
    {
        const ServerCounters counters =
            ServerCounters::from("# Memory\r\nmaxmemory:100\r\nmaxmemory_policy:volatile-lru\r\n"
                                 "# Stats\r\nexpired_keys:1\r\nexpired_keys_active:9\r\nevicted_keys:2\r\n"
                                 "# Commandstats\r\ncmdstat_flushall:calls=3,usec=1\r\n"
                                 "cmdstat_flushdb:calls=4,usec=1\r\ncmdstat_swapdb:calls=5,usec=1\r\n"
                                 "cmdstat_rename:calls=6,usec=1\r\ncmdstat_del:calls=7,usec=1\r\n"
                                 "cmdstat_evalsha:calls=8,usec=1\r\ncmdstat_json.del:calls=1,usec=1\r\n"
                                 "cmdstat_get:calls=100,usec=1\r\ncmdstat_set:calls=100,usec=1",
                                 {});
        QCOMPARE(counters.expired, 1);
        QCOMPARE(counters.evicted, 2);
        QCOMPARE(counters.flushes, 7);
        QCOMPARE(counters.swaps, 5);
        QCOMPARE(counters.renames, 6);
        QCOMPARE(counters.deletions, 16);
        QCOMPARE(counters.evicts, Evicts::KeysWithTtl);
        QCOMPARE(counters.policy, "volatile-lru");
    }

    void knowsWhatMayBeEvicted_data()
    {
        QTest::addColumn<QByteArray>("info");
        QTest::addColumn<Evicts>("evicts");
        QTest::newRow("no limit") << QByteArray("maxmemory:0\r\nmaxmemory_policy:allkeys-lru")
                                  << Evicts::Nothing;
        QTest::newRow("none") << QByteArray("maxmemory:9\r\nmaxmemory_policy:noeviction") << Evicts::Nothing;
        QTest::newRow("any") << QByteArray("maxmemory:9\r\nmaxmemory_policy:allkeys-lfu") << Evicts::AnyKey;
        QTest::newRow("not told") << QByteArray() << Evicts::AnyKey;
    }
    void knowsWhatMayBeEvicted()
    {
        QFETCH(QByteArray, info);
        QFETCH(Evicts, evicts);
        QCOMPARE(ServerCounters::from(info, {}).evicts, evicts);
    }

    void aServerTells_data()
    {
        QTest::addColumn<int>("major");
        QTest::newRow("several sections at once") << 7;
        QTest::newRow("all, where it takes one section only") << 6;
    }
    void aServerTells()
    {
        QFETCH(int, major);
        const RedisServer server;
        server.cli({"SET", "a", "1"});
        server.cli({"DEL", "a"});
        QByteArrayList command;
        for (const QByteArrayView part : ServerCounters::question(major))
            command << part.toByteArray();
        const ServerCounters counters = ServerCounters::from(server.cli(command), {});
        QCOMPARE(counters.deletions, 1);
        QCOMPARE(counters.policy, "noeviction");
    }
};

QTEST_GUILESS_MAIN(TestServerCounters)
#include "tst_servercounters.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scriptserver.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

/// The scripts that wake Redisson's waiters on a cluster of Redis 7, where newer clients listen to the shard.
class ShardMessages : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void initTestCase()
    {
        m_server.lines({"CLUSTER ADDSLOTSRANGE 0 16383"});
        QTRY_VERIFY_WITH_TIMEOUT(m_server.lines({"CLUSTER INFO"})[0].contains("cluster_state:ok"), 20'000);
    }

    void bothKindsOfSubscribersAreWoken_data()
    {
        QTest::addColumn<QByteArray>("make");
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<Words>("keys");
        QTest::addColumn<Words>("arguments");
        QTest::addColumn<QByteArray>("channel");
        const QByteArray queue = "redisson_lock_queue:{lock}";
        const Words alone{"lock"};
        const Words three{"lock", queue, "redisson_lock_timeout:{lock}"};
        const QByteArray plain = "redisson_lock__channel:{lock}";
        const QByteArray held = "HSET lock a:1 1";
        // clang-format off
        QTest::newRow("force-expire") << held << QByteArray("redisson-fair/force-expire") << alone << Words{"", "a:1", "1"} << plain;
        QTest::newRow("with a queue") << held << QByteArray("redisson-fair/force-expire") << three << Words{"", "a:1", "1"} << plain + ":b:1";
        QTest::newRow("release")      << held << QByteArray("redisson-fair/release") << three << Words{"a:1", "", "all"} << plain + ":z:1";
        QTest::newRow("read-write")   << QByteArray("HSET lock mode write a:1:write 1") << QByteArray("redisson-read-write/force-expire") << alone
                                      << Words{"", "write", "all", "a:1:write", "1"} << QByteArray("redisson_rwlock:{lock}");
        QTest::newRow("multi")        << QByteArray("HSET lock v a:1 v:a:1:lock_count 1") << QByteArray("redisson-multi/force-expire") << alone
                                      << Words{"", "all", "v:a:1", "1"} << plain;
        QTest::newRow("semaphore")    << QByteArray("SET lock 0") << QByteArray("redisson-semaphore/force-expire") << Words{"lock", "{lock}:timeout"}
                                      << Words{"", "only", "0123456789abcdef", ""} << QByteArray("redisson_sc:{lock}");
        // clang-format on
    }
    void bothKindsOfSubscribersAreWoken()
    {
        QFETCH(const QByteArray, make);
        QFETCH(const QByteArray, script);
        QFETCH(const Words, keys);
        QFETCH(const Words, arguments);
        QFETCH(const QByteArray, channel);
        Listener classic(m_server, "SUBSCRIBE", channel);
        Listener sharded(m_server, "SSUBSCRIBE", channel);
        const QByteArray call = ScriptServer::call(script, true, keys, arguments + Words{"sharded"});
        const Words out =
            m_server.lines({"FLUSHALL", make, "RPUSH redisson_lock_queue:{lock} z:1 b:1",
                            "ZADD redisson_lock_timeout:{lock} 99999999999999 z:1 99999999999999 b:1",
                            "ZADD {lock}:timeout 1 0123456789abcdef", call});
        QVERIFY2(out.last().startsWith("\"expired\"") || out.last().startsWith("\"released\""), out.last());
        const bool isCount =
            script.startsWith("redisson-read-write") || script.startsWith("redisson-semaphore");
        const QByteArray body = isCount ? "1" : "0";
        QCOMPARE(classic.heard(1) + sharded.heard(1), (Words{body, body}));
    }

    void aWaiterOfTheShardIsAlive()
    {
        Listener sharded(m_server, "SSUBSCRIBE", "redisson_lock__channel:{lock}:b:1");
        const Words keys{"lock", "redisson_lock_queue:{lock}", "redisson_lock_timeout:{lock}"};
        const Words out = m_server.lines(
            {"FLUSHALL", "RPUSH redisson_lock_queue:{lock} b:1", "ZADD redisson_lock_timeout:{lock} 5 b:1",
             ScriptServer::call("redisson-fair/remove-waiter", true, keys, {"b:1", "sharded"})});
        QVERIFY2(out.last().startsWith("\"still-listens\""), out.last());
    }

    void aWaiterOfTheShardIsWoken()
    {
        Listener sharded(m_server, "SSUBSCRIBE", "redisson_lock__channel:{lock}:b:1");
        const Words keys{"lock", "redisson_lock_queue:{lock}", "redisson_lock_timeout:{lock}"};
        const Words out = m_server.lines({"FLUSHALL", "RPUSH redisson_lock_queue:{lock} b:1",
                                          "ZADD redisson_lock_timeout:{lock} 99999999999999 b:1",
                                          ScriptServer::call("redisson-fair/wake", true, keys, {}),
                                          ScriptServer::call("redisson-fair/wake", true, keys, {"sharded"})});
        QVERIFY2(out[3].startsWith("\"not-heard\""), out[3]);
        QVERIFY2(out[4].startsWith("\"woken\""), out[4]);
        QCOMPARE(sharded.heard(1), Words{"0"});
    }

private:
    ScriptServer m_server{{QStringLiteral("--cluster-enabled"), QStringLiteral("yes")}};
};

QTEST_GUILESS_MAIN(ShardMessages)
#include "tst_shards.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/read/inspector.h"

#include "core/family/certainty.h"

#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;

class TestInspector : public QObject
{
    Q_OBJECT

private:
    Result<Reading> readAs(KeyType type, const QByteArray &key)
    {
        CommandBatch batch;
        const inspector::Target target{LockKey(key), type};
        inspector::appendRead(batch, target);
        const auto replies = waitFor(m_connection->send(batch));
        if (!replies)
            return tl::unexpected(replies.error());
        return inspector::interpret(target, 0, *replies, Clock::now(), Clock::now());
    }

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Connection> m_connection;

private slots:
    void initTestCase()
    {
        m_server = std::make_unique<RedisServer>();
        m_connection = std::make_unique<Connection>(m_server->socketAddress());
        QSignalSpy ready(m_connection.get(), &Connection::ready);
        m_connection->open();
        QVERIFY(ready.wait());
    }
    void cleanupTestCase() { m_connection.reset(); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server->cli({"FLUSHALL"});
    }

    void readsWhatRedisHolds_data()
    {
        QTest::addColumn<QByteArrayList>("set");
        QTest::addColumn<Family>("family");
        QTest::addColumn<KeyType>("type");
        QTest::addColumn<int>("problems");
        QTest::addColumn<QByteArray>("owner");
        QTest::newRow("reentrant") << QByteArrayList{"HSET", "lock:k", "worker:1", "2"} << "reentrant"_family
                                   << KeyType::Hash << 0 << QByteArray("worker:1");
        QTest::newRow("token") << QByteArrayList{"SET", "lock:k", "tok", "PX", "60000"} << "token"_family
                               << KeyType::String << 0 << QByteArray("tok");
        QTest::newRow("bad count") << QByteArrayList{"HSET", "lock:k", "worker:1", "abc"}
                                   << "reentrant"_family << KeyType::Hash << int(Problem::BadCount)
                                   << QByteArray("worker:1");
        QTest::newRow("list") << QByteArrayList{"LPUSH", "lock:k", "x"} << "unknown"_family << KeyType::Other
                              << 0 << QByteArray();
        QTest::newRow("stream") << QByteArrayList{"XADD", "lock:k", "*", "a", "b"} << "unknown"_family
                                << KeyType::Other << 0 << QByteArray();
        QTest::newRow("empty string") << QByteArrayList{"SET", "lock:k", ""} << "unknown"_family
                                      << KeyType::String << 0 << QByteArray();
        QTest::newRow("long string") << QByteArrayList{"SET", "lock:k", QByteArray(5000, 'x')}
                                     << "unknown"_family << KeyType::String << 0 << QByteArray();
        QTest::newRow("odd bytes") << QByteArrayList{"SET", "lock:k", QByteArray("\x01\r\n\xff\xfe", 5)}
                                   << "unknown"_family << KeyType::String << 0
                                   << QByteArray("\x01\r\n\xff\xfe", 5);
    }

    void readsWhatRedisHolds()
    {
        QFETCH(QByteArrayList, set);
        QFETCH(Family, family);
        QFETCH(KeyType, type);
        QFETCH(int, problems);
        QFETCH(QByteArray, owner);
        m_server->cli(set);
        const auto inspection = waitFor(inspector::inspect(*m_connection, LockKey("lock:k")));
        QVERIFY(inspection && inspection->lock);
        const Lock &lock = *inspection->lock;
        QCOMPARE(lock.family, family);
        QCOMPARE(lock.type, type);
        QCOMPARE(int(lock.problems), problems);
        QCOMPARE(lock.owners.isEmpty() ? QByteArray() : lock.owners.front().owner.bytes, owner);
        QCOMPARE(lock.ttl.has_value(), set.contains("PX"));
        // Knowing the type changes the question, not the answer.
        const auto again = readAs(type, "lock:k");
        if (family == "unknown"_family && set.last().isEmpty()) {
            // An empty string reads like an absent key: asked again without knowledge.
            QVERIFY(again && !again->inspection && again->readAs == KeyType::Unknown);
        } else {
            QVERIFY(again && again->inspection && again->inspection->lock);
            QCOMPARE(again->inspection->lock->family, family);
            QCOMPARE(again->inspection->lock->owners, lock.owners);
        }
    }

    void anAbsentKeyIsAResult()
    {
        for (const KeyType type : {KeyType::Unknown, KeyType::Hash, KeyType::String, KeyType::SortedSet,
                                   KeyType::Set, KeyType::Other}) {
            const auto reading = readAs(type, "nothing");
            QVERIFY(reading && reading->inspection && !reading->inspection->lock);
        }
    }

    void aRetypedKeyIsToBeReadAnew_data()
    {
        QTest::addColumn<QByteArrayList>("set");
        QTest::addColumn<KeyType>("believed");
        QTest::addColumn<KeyType>("next");
        const QByteArrayList string{"SET", "k", "v"};
        const QByteArrayList hash{"HSET", "k", "f", "1"};
        const QByteArrayList list{"LPUSH", "k", "v"};
        const QByteArrayList sorted{"ZADD", "k", "1", "v"};
        const QByteArrayList set{"SADD", "k", "v"};
        const auto anew = KeyType::Unknown;
        QTest::newRow("hash became string") << string << KeyType::Hash << anew;
        QTest::newRow("string became hash") << hash << KeyType::String << anew;
        QTest::newRow("hash became list") << list << KeyType::Hash << anew;
        QTest::newRow("list became hash") << hash << KeyType::Other << KeyType::Hash;
        QTest::newRow("list became string") << string << KeyType::Other << KeyType::String;
        QTest::newRow("list became sorted set") << sorted << KeyType::Other << KeyType::SortedSet;
        QTest::newRow("list became set") << set << KeyType::Other << KeyType::Set;
        QTest::newRow("set became sorted set") << sorted << KeyType::Set << anew;
        QTest::newRow("sorted set became hash") << hash << KeyType::SortedSet << anew;
        QTest::newRow("new, and neither hash nor string") << sorted << anew << KeyType::Other;
    }

    void aRetypedKeyIsToBeReadAnew()
    {
        QFETCH(QByteArrayList, set);
        QFETCH(KeyType, believed);
        QFETCH(KeyType, next);
        m_server->cli(set);
        const auto reading = readAs(believed, "k");
        QVERIFY(reading && !reading->inspection);
        QCOMPARE(reading->readAs, next);
    }

    void readsSetsOfEitherKindInRounds()
    {
        m_server->cli({"ZADD", "z", "1", "member"});
        m_server->cli({"SADD", "s", "member"});
        const auto sorted = waitFor(inspector::inspect(*m_connection, LockKey("z")));
        QVERIFY(sorted && sorted->lock);
        QCOMPARE(sorted->lock->type, KeyType::SortedSet);
        const auto set = waitFor(inspector::inspect(*m_connection, LockKey("s")));
        QVERIFY(set && set->lock);
        QCOMPARE(set->lock->type, KeyType::Set);
    }

    void readsOnlyTheFirstOfAHugeHash()
    {
        m_server->cli({"EVAL", "for i=1,100000 do redis.call('hset', KEYS[1], 'f'..i, 1) end", "1", "k"});
        const auto inspection = waitFor(inspector::inspect(*m_connection, LockKey("k")));
        QVERIFY(inspection && inspection->lock);
        QVERIFY(isHidden(*inspection->lock));
        QVERIFY(!inspection->lock->problems);
        QVERIFY(inspection->lock->owners.isEmpty());
    }

    void keepsHugeTtls()
    {
        m_server->cli({"SET", "k", "v"});
        m_server->cli({"PEXPIRE", "k", "9000000000000000000"});
        const auto inspection = waitFor(inspector::inspect(*m_connection, LockKey("k")));
        QVERIFY(inspection && inspection->lock && inspection->lock->ttl);
        QVERIFY(inspection->lock->ttl->count() > 8'999'000'000'000'000'000);
        QVERIFY(inspection->lock->deadline->latest > Clock::now());
    }
};

QTEST_GUILESS_MAIN(TestInspector)
#include "tst_inspector.moc"

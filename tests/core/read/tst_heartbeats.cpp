// SPDX-License-Identifier: GPL-3.0-or-later
// What shows beside a lock that its holder lives, as the applications of families that are data write it.
#include "core/family/filecompanions.h"
#include "core/family/userfamilies.h"
#include "core/read/companions.h"
#include "core/read/inspector.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;

namespace {

constexpr auto Unknown = Heartbeat::State::Unknown;
constexpr auto Alive = Heartbeat::State::Alive;
constexpr auto Dead = Heartbeat::State::Dead;

QByteArray secondsFromNow(qint64 seconds)
{
    return QByteArray::number(QDateTime::currentSecsSinceEpoch() + seconds);
}

QByteArray acquirer(const QByteArray &process)
{
    return "rql:acq:" + process + "/2340/2360/2280/0123456789abcdef";
}

QByteArray host(const QByteArray &process)
{
    return "rql:hst:" + process + "/2340/2280/0123456789abcdef";
}

std::unique_ptr<Connection> opened(const ServerAddress &address)
{
    auto connection = std::make_unique<Connection>(
        address, Connection::Options{.clientName = "test", .readOnly = true, .acceptsPush = false});
    QSignalSpy ready(connection.get(), &Connection::ready);
    connection->open();
    return ready.wait() ? std::move(connection) : nullptr;
}

} // namespace

class TestHeartbeats : public QObject
{
    Q_OBJECT

private:
    Lock lookAt(Connection &connection, const QByteArray &key)
    {
        const auto read = waitFor(inspector::inspect(connection, LockKey(key)));
        if (!read || !read->lock)
            return {};
        const auto locks = waitFor(companions::inspect(connection, {*read->lock}));
        return locks ? locks->locks.value(0) : Lock();
    }
    Heartbeat::State beatOf(const QByteArray &key)
    {
        const Lock lock = lookAt(*m_connection, key);
        const Heartbeat::State state = lock.companions->heartbeat.state;
        if (lock.owners.isEmpty() || lock.problems.testFlag(Problem::HolderDead) != (state == Dead))
            qFatal("the problem does not follow the heartbeat, or there is no lock");
        return state;
    }
    void acquire(const QByteArray &name, const QByteArray &process)
    {
        m_server->cli({"HSET", "rql:lock:" + name, "acq_id", acquirer(process), "hst_id", host(process), "ts",
                       secondsFromNow(-1) + ".5", "ini_ttl", "5000"});
        m_server->cli({"PEXPIRE", "rql:lock:" + name, "5000"});
    }

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Connection> m_connection;
    QTemporaryDir m_families;

private slots:
    void initTestCase()
    {
        const auto write = [this](const QByteArray &name, const QByteArray &companion) {
            QFile file(m_families.filePath(QString::fromLatin1(name + ".toml")));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("name = '" + name + "'\nnames.usual = ['" + name + "/*']\n" +
                       "form = [{ value = '{host:word}!{process:digits}' }]\n" +
                       "companion = [{ as = 'heartbeat', " + companion + " }]\n");
        };
        write("mine", "key = 'alive/{host}'");
        write("yours", "key = 'node:{host}', fields = { seen = '{since:iso-time}' }, dead_after = '90s'");
        QCOMPARE(loadFamilies({m_families.path()}).size(), 0);
        m_server = std::make_unique<RedisServer>();
        m_connection = opened(m_server->socketAddress());
        QVERIFY(m_connection);
    }
    void cleanupTestCase()
    {
        m_connection.reset();
        m_server.reset();
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server->cli({"FLUSHALL"});
    }

    void sessionsOfJuiceFs()
    {
        m_server->cli({"ZADD", "allSessions", secondsFromNow(60), "7", secondsFromNow(-60), "8"});
        m_server->cli({"HSET", "lockf1", "7_00000000DEADBEEF", "W"});
        m_server->cli({"SADD", "locked7", "lockf1"});
        QCOMPARE(beatOf("lockf1"), Alive);
        m_server->cli({"HSET", "lockf2", "8_00000000DEADBEEF", "W"});
        QCOMPARE(beatOf("lockf2"), Dead);
        // A session that was cleaned up, and left a reader behind; nothing is kept of session 0.
        m_server->cli({"HSET", "lockf3", "9_00000000DEADBEEF", "R"});
        QCOMPARE(beatOf("lockf3"), Dead);
        QVERIFY(!lookAt(*m_connection, "lockf3").companions->heartbeat.untilMs);
        m_server->cli({"HSET", "lockf4", "0_00000000DEADBEEF", "R"});
        QCOMPARE(beatOf("lockf4"), Unknown);
        m_server->cli({"DEL", "allSessions"});
        QCOMPARE(beatOf("lockf3"), Unknown);
        m_server->cli({"SET", "allSessions", "7"});
        QCOMPARE(beatOf("lockf1"), Unknown);
        m_server->cli({"ZADD", "{3}allSessions", secondsFromNow(60), "7"});
        m_server->cli({"HSET", "{3}lockf1", "7_00000000DEADBEEF", "W"});
        QCOMPARE(beatOf("{3}lockf1"), Alive);
    }

    void severalHolders()
    {
        m_server->cli({"ZADD", "allSessions", secondsFromNow(60), "7", secondsFromNow(30), "8"});
        m_server->cli({"HSET", "lockf1", "7_00000000DEADBEEF", "R", "8_00000000DEADBEEF", "R"});
        const Heartbeat both = lookAt(*m_connection, "lockf1").companions->heartbeat;
        QCOMPARE(both.state, Alive);
        const double score = m_server->cli({"ZSCORE", "allSessions", "8"}).toDouble();
        QCOMPARE(both.untilMs, CompactOptional<qint64>(qint64(score) * 1000));
        m_server->cli({"HSET", "lockf1", "0_00000000DEADBEEF", "R"});
        QCOMPARE(beatOf("lockf1"), Unknown); // of one of them nothing is known
        m_server->cli({"HSET", "lockf1", "9_00000000DEADBEEF", "R"});
        QCOMPARE(beatOf("lockf1"), Dead);
    }

    /// All are judged, so that each can be ended alone.
    void thoseWhoAreGone()
    {
        m_server->cli({"ZADD", "allSessions", secondsFromNow(-60), "7", secondsFromNow(60), "8",
                       secondsFromNow(-90), "9"});
        m_server->cli({"HSET", "lockf1", "7_0A", "R", "8_0B", "R", "9_0C", "R", "6_0D", "R"});
        Heartbeat beat = lookAt(*m_connection, "lockf1").companions->heartbeat;
        QCOMPARE(beat.state, Dead);
        QVERIFY(!beat.areAllGone);
        QCOMPARE(beat.gone.size(), 3);
        for (const GoneHolder &holder : beat.gone) {
            QVERIFY(holder.owner.bytes != "8_0B");
            QCOMPARE(holder.isProven, holder.owner.bytes != "6_0D"); // its record is missing
            QCOMPARE(bool(holder.untilMs), holder.isProven);
        }
        m_server->cli({"HDEL", "lockf1", "8_0B"});
        beat = lookAt(*m_connection, "lockf1").companions->heartbeat;
        QVERIFY(beat.areAllGone && beat.gone.size() == 3);
        m_server->cli({"HSET", "lockf1", "0_0E", "R"}); // of whom nothing is kept
        beat = lookAt(*m_connection, "lockf1").companions->heartbeat;
        QVERIFY(!beat.areAllGone && beat.gone.size() == 3);
        for (int i = 10; i < 40; ++i) // more than are read
            m_server->cli({"HSET", "lockf1", QByteArray::number(i) + "_0A", "R"});
        QVERIFY(!lookAt(*m_connection, "lockf1").companions->heartbeat.areAllGone);
    }

    /// A clock ahead of the server's, by more than two intervals or by days.
    void momentsInTheFuture()
    {
        acquire("a", "4711");
        m_server->cli({"HSET", "rql:swarm:hsts", host("4711"), secondsFromNow(2) + ".5"});
        QCOMPARE(beatOf("rql:lock:a"), Alive);
        m_server->cli({"HSET", "rql:swarm:hsts", host("4711"), secondsFromNow(60) + ".5"});
        QCOMPARE(beatOf("rql:lock:a"), Unknown);
        m_server->cli({"HSET", "lockf1", "7_00000000DEADBEEF", "W"});
        m_server->cli({"ZADD", "allSessions", secondsFromNow(3 * 86'400), "7"});
        QCOMPARE(beatOf("lockf1"), Unknown);
        m_server->cli({"ZADD", "allSessions", "inf", "7"});
        QCOMPARE(beatOf("lockf1"), Unknown);
    }

    void hostsOfRedisQueuedLocks()
    {
        for (const char *process : {"4711", "4712", "4713"})
            acquire(process, process);
        m_server->cli({"HSET", "rql:swarm:hsts", host("4711"), secondsFromNow(-2) + ".123456", host("4712"),
                       secondsFromNow(-20) + ".25"});
        QCOMPARE(beatOf("rql:lock:4711"), Alive);
        QCOMPARE(beatOf("rql:lock:4712"), Dead);
        QCOMPARE(beatOf("rql:lock:4713"), Unknown); // of a process without a swarm
        // Two readings of one lock by another host differ.
        const QList<LockOwner> owners = lookAt(*m_connection, "rql:lock:4713").owners;
        m_server->cli({"HSET", "rql:lock:4713", "hst_id", host("1")});
        QVERIFY(lookAt(*m_connection, "rql:lock:4713").owners != owners);
        m_server->cli({"HSET", "rql:swarm:hsts", host("4711"), "soon"});
        QCOMPARE(beatOf("rql:lock:4711"), Unknown);
    }

    /// A counted lock does not say who holds it; a hash beside it does, and a key of each pool shows that it lives.
    void poolsOfHarbor()
    {
        const QByteArray prefix = "{harbor_job_service_namespace}:";
        const QByteArray lock = prefix + "jobs:GARBAGE_COLLECTION:lock";
        const QByteArray one = "97c84119d13cb54119a38743";
        const QByteArray two = "0123456789abcdef01234567";
        m_server->cli({"SET", lock, "2"});
        QCOMPARE(beatOf(lock), Unknown); // nobody is named: an old version, or the count has leaked
        m_server->cli({"HSET", lock + "_info", one, "2", two, "0", "pool", "1"});
        m_server->cli({"SETEX", prefix + "worker_pools:" + one, "60", "heartbeat_at"});
        QCOMPARE(beatOf(lock), Alive);
        QCOMPARE(lookAt(*m_connection, lock).companions->worker, one + " ×2");
        m_server->cli({"HSET", lock + "_info", one, "1", two, "1"});
        QCOMPARE(beatOf(lock), Dead);
        QCOMPARE(lookAt(*m_connection, lock).companions->worker.count("×1"), 2);
        m_server->cli({"DEL", prefix + "worker_pools:" + one});
        QVERIFY(!lookAt(*m_connection, lock).companions->heartbeat.areAllGone); // "pool" may be one
        m_server->cli({"HSET", lock + "_info", "pool", "0"});
        QVERIFY(lookAt(*m_connection, lock).companions->heartbeat.areAllGone);
        m_server->cli({"HSET", lock + "_info", "97c84119d13cb54119a38799", "-1"});
        QVERIFY(!lookAt(*m_connection, lock).companions->heartbeat.areAllGone);
        m_server->cli({"DEL", lock + "_info"});
        m_server->cli({"SET", lock + "_info", "1"});
        QCOMPARE(beatOf(lock), Unknown);
        for (int i = 10; i < 40; ++i) { // more than are looked at
            const QByteArray pool = "97c84119d13cb54119a387" + QByteArray::number(i);
            m_server->cli({"HSET", lock + "s", pool, "1"});
            m_server->cli({"SETEX", prefix + "worker_pools:" + pool, "60", "heartbeat_at"});
        }
        m_server->cli({"RENAME", lock + "s", lock + "_info"});
        QCOMPARE(beatOf(lock), Unknown);
    }

    /// The namespace is part of the lock's name alone.
    void poolsOfGocraftWork()
    {
        const QByteArray lock = "shop:jobs:send_mail:lock";
        const QByteArray pool = "97c84119d13cb54119a38743";
        m_server->cli({"SET", lock, "1"});
        m_server->cli({"HSET", lock + "_info", pool, "1"});
        QCOMPARE(beatOf(lock), Dead);
        QVERIFY(lookAt(*m_connection, lock).companions->heartbeat.areAllGone);
        m_server->cli({"SETEX", "shop:worker_pools:" + pool, "60", "heartbeat_at"});
        QCOMPARE(beatOf(lock), Alive);
    }

    /// Its refusal leaves the queue as it is.
    void heartbeatThatMayNotBeRead()
    {
        acquire("a", "4712");
        m_server->cli({"HSET", "rql:swarm:hsts", host("4712"), secondsFromNow(-20) + ".25"});
        m_server->cli({"ZADD", "rql:lock_queue:a", secondsFromNow(-1), acquirer("4711")});
        m_server->cli({"ACL", "SETUSER", "some", "on", ">pw", "resetkeys", "~rql:lock*", "+@all"});
        ServerAddress address = m_server->socketAddress();
        address.user = "some";
        address.password = "pw";
        const auto connection = opened(address);
        const Lock lock = lookAt(*connection, "rql:lock:a");
        QCOMPARE(lock.companions->heartbeat, Heartbeat());
        QVERIFY(!lock.problems.testFlag(Problem::HolderDead));
        QVERIFY(lock.companions->unread == Unread::Heartbeat);
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::Exact);
        QCOMPARE(lock.companions->waiters.count, 1);
    }

    /// Those that a server refuses, or that come late to a replica, are missing while their holders live.
    void heartbeatsThatMayBeLate()
    {
        m_server->cli({"ZADD", "allSessions", secondsFromNow(-60), "7"});
        m_server->cli({"HSET", "lockf1", "7_00000000DEADBEEF", "W"});
        const auto isDoubtful = [this] {
            const Lock lock = lookAt(*m_connection, "lockf1");
            const Heartbeat &beat = lock.companions->heartbeat;
            return beat.state == Dead && beat.isDoubtful && !lock.problems.testFlag(Problem::HolderDead);
        };
        QVERIFY(!isDoubtful());
        m_server->cli({"CONFIG", "SET", "min-replicas-to-write", "1"});
        QVERIFY(isDoubtful());
        m_server->cli({"CONFIG", "SET", "min-replicas-to-write", "0"});
        QCOMPARE(beatOf("lockf1"), Dead);
        m_server->cli({"REPLICAOF", "127.0.0.1", "1"});
        QVERIFY(isDoubtful());
        m_server->cli({"REPLICAOF", "NO", "ONE"});
        QCOMPARE(beatOf("lockf1"), Dead);
        m_server->cli({"ACL", "SETUSER", "uninformed", "on", ">pw", "~*", "+@all", "-info"});
        ServerAddress address = m_server->socketAddress();
        address.user = "uninformed";
        address.password = "pw";
        const auto connection = opened(address);
        QVERIFY(lookAt(*connection, "lockf1").companions->heartbeat.isDoubtful);
    }

    void keyThatIsThereWhileTheHolderLives()
    {
        m_server->cli({"SET", "mine/a", "web-1!4711"});
        QCOMPARE(beatOf("mine/a"), Dead);
        m_server->cli({"SET", "alive/web-1", "1"});
        QCOMPARE(beatOf("mine/a"), Alive);
    }

    void fieldOfARecord()
    {
        const auto now = [](qint64 seconds) {
            return QDateTime::currentDateTimeUtc().addSecs(seconds).toString(Qt::ISODateWithMs).toLatin1();
        };
        m_server->cli({"SET", "yours/a", "web-1!4711"});
        QCOMPARE(beatOf("yours/a"), Unknown);
        m_server->cli({"HSET", "node:web-1", "seen", now(-60)});
        QCOMPARE(beatOf("yours/a"), Alive);
        m_server->cli({"HSET", "node:web-1", "seen", now(-100)});
        QCOMPARE(beatOf("yours/a"), Dead);
    }

    /// Where its family keeps none.
    void nothing()
    {
        m_server->cli({"SET", "rq:scheduler-lock:default", "4711", "PX", "60000"});
        QCOMPARE(beatOf("rq:scheduler-lock:default"), Unknown);
    }

    void asManyCommandsAsAreNamed()
    {
        for (const QByteArray &key : {QByteArray("lockf1"), QByteArray("rql:lock:a"), QByteArray("mine/a")}) {
            m_server->cli({"HSET", "lockf1", "7_00000000DEADBEEF", "W"});
            acquire("a", "4711");
            m_server->cli({"SET", "mine/a", "web-1!4711"});
            const auto read = waitFor(inspector::inspect(*m_connection, LockKey(key)));
            QVERIFY(read && read->lock);
            for (const CompanionQuery *query : fileCompanionQueriesOf(*read->lock)) {
                CommandBatch batch;
                query->append(batch, *read->lock, {});
                QCOMPARE(size_t(batch.size()), query->commands.size());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestHeartbeats)
#include "tst_heartbeats.moc"
